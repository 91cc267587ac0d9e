#include "oracle/slow/slow_codec.h"

#include <cmath>

#include "tests/catch.h"

using namespace redproof::oracle;
using redproof::oracle::slow::SlowCodec;

TEST_CASE("counting up reaches the largest value of each eight-bit format", "[slow]") {
  CHECK(SlowCodec(e4m3fn).decode(0x7E) == 448);
  CHECK(SlowCodec(e4m3fn).finite_codes() == 127);
  CHECK(SlowCodec(e5m2).decode(0x7B) == 57344);
  CHECK(SlowCodec(e5m2).finite_codes() == 124);
  CHECK(SlowCodec(e4m3fnuz).decode(0xFF) == -240);
  CHECK(SlowCodec(e5m2fnuz).decode(0x7F) == 57344);
}

TEST_CASE("codes written by hand decode and encode", "[slow]") {
  SlowCodec const codec(e4m3fn);
  CHECK(codec.decode(0x38) == 1.0);
  CHECK(codec.decode(0xB9) == -1.125);
  CHECK(codec.decode(0x01) == 0x1p-9);
  CHECK(std::isnan(codec.decode(0xFF)));
  CHECK(codec.encode(1.0625, Overflow::saturate, NanSign::dropped) == 0x38);
  CHECK(codec.encode(1.1875, Overflow::saturate, NanSign::dropped) == 0x3A);
  CHECK(codec.encode(-464, Overflow::non_saturate, NanSign::dropped) == 0xFE);
  CHECK(codec.encode(-465, Overflow::non_saturate, NanSign::dropped) == 0xFF);
  CHECK(codec.encode(-0x1p-10, Overflow::saturate, NanSign::dropped) == 0x80);
  CHECK(SlowCodec(e5m2).encode(INFINITY, Overflow::non_saturate, NanSign::dropped) == 0x7C);
  CHECK(SlowCodec(e4m3fnuz).encode(-0.0, Overflow::saturate, NanSign::dropped) == 0x00);
  CHECK(std::isinf(SlowCodec(e5m2).decode(0xFC)));
}
