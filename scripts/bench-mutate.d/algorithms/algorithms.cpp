#include "algorithms.h"

#include <algorithm>
#include <array>

namespace algorithms {

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (unsigned char const byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      if ((crc & 1u) != 0)
        crc = (crc >> 1) ^ 0xEDB88320u;
      else
        crc >>= 1;
    }
  }
  return ~crc;
}

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  if (modulus == 0) return 0;
  std::uint64_t result = 1 % modulus;
  base %= modulus;
  while (exponent > 0) {
    if (exponent % 2 == 1) result = result * base % modulus;
    base = base * base % modulus;
    exponent /= 2;
  }
  return result;
}

std::uint64_t greatest_common_divisor(std::uint64_t a, std::uint64_t b) {
  while (b != 0) {
    std::uint64_t const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool is_prime(std::uint64_t n) {
  if (n < 2) return false;
  if (n % 2 == 0) return n == 2;
  for (std::uint64_t divisor = 3; divisor * divisor <= n; divisor += 2)
    if (n % divisor == 0) return false;
  return true;
}

std::uint32_t square_root(std::uint64_t n) {
  std::uint64_t low = 0, high = 0xFFFFFFFFull;
  while (low < high) {
    std::uint64_t const middle = low + (high - low + 1) / 2;
    if (middle <= n / middle)
      low = middle;
    else
      high = middle - 1;
  }
  return static_cast<std::uint32_t>(low);
}

const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::size_t const left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned block = 0;
    for (std::size_t j = 0; j < 3; ++j) block = (block << 8) | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? digits[(block >> (18 - 6 * j)) & 63u] : '=';
  }
  return text;
}

int digit_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  if (letter == '+') return 62;
  return letter == '/' ? 63 : -1;
}

bool unbase64(const std::string& text, std::string& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  std::size_t length = text.size();
  while (length > 0 && text.size() - length < 2 && text[length - 1] == '=') --length;
  unsigned block = 0;
  int bits = 0;
  for (std::size_t i = 0; i < length; ++i) {
    int const digit = digit_of(text[i]);
    if (digit < 0) return false;
    block = (block << 6) | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((block >> bits) & 255u);
  }
  return true;
}

std::string run_lengths(const std::string& text) {
  std::string runs;
  std::size_t start = 0;
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == text[start]) continue;
    if (i - start > 1) runs += std::to_string(i - start);
    runs += text[start];
    start = i;
  }
  return runs;
}

bool decode_utf8(const std::string& bytes, std::vector<std::uint32_t>& codes) {
  codes.clear();
  for (std::size_t i = 0; i < bytes.size();) {
    unsigned const lead = static_cast<unsigned char>(bytes[i]);
    std::size_t const more = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || i + more >= bytes.size()) return false;
    std::uint32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
    for (std::size_t j = 1; j <= more; ++j) {
      unsigned const byte = static_cast<unsigned char>(bytes[i + j]);
      if ((byte & 0xC0u) != 0x80) return false;
      code = (code << 6) | (byte & 0x3Fu);
    }
    if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000) || code > 0x10FFFF) return false;
    if (code >= 0xD800 && code < 0xE000) return false;
    codes.push_back(code);
    i += more + 1;
  }
  return true;
}

void sift(std::vector<int>& values, std::size_t root, std::size_t end) {
  while (2 * root + 1 < end) {
    std::size_t child = 2 * root + 1;
    if (child + 1 < end && values[child] < values[child + 1]) ++child;
    if (values[root] >= values[child]) return;
    std::swap(values[root], values[child]);
    root = child;
  }
}

void heap_sort(std::vector<int>& values) {
  for (std::size_t root = values.size() / 2; root > 0; --root) sift(values, root - 1, values.size());
  for (std::size_t end = values.size(); end > 1; --end) {
    std::swap(values[0], values[end - 1]);
    sift(values, 0, end - 1);
  }
}

std::size_t first_not_below(const std::vector<int>& sorted, int value) {
  std::size_t low = 0, high = sorted.size();
  while (low < high) {
    std::size_t const middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::vector<Interval> united(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<Interval> result;
  for (const Interval& interval : intervals) {
    if (interval.first >= interval.second) continue;
    if (!result.empty() && interval.first <= result.back().second)
      result.back().second = std::max(result.back().second, interval.second);
    else
      result.push_back(interval);
  }
  return result;
}

bool multiply(const std::vector<double>& a, const std::vector<double>& b, std::size_t n, std::vector<double>& product) {
  if (a.size() != n * n || b.size() != n * n) return false;
  product.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) product[i * n + j] += a[i * n + k] * b[k * n + j];
  return true;
}

int longest_common_run(const std::string& a, const std::string& b) {
  std::vector<int> ending(b.size() + 1, 0);
  int best = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = b.size(); j > 0; --j) {
      ending[j] = a[i] == b[j - 1] ? ending[j - 1] + 1 : 0;
      best = std::max(best, ending[j]);
    }
  return best;
}

std::string roman(int number) {
  static const std::array<std::pair<int, const char*>, 13> numerals = {{{1000, "M"},
                                                                        {900, "CM"},
                                                                        {500, "D"},
                                                                        {400, "CD"},
                                                                        {100, "C"},
                                                                        {90, "XC"},
                                                                        {50, "L"},
                                                                        {40, "XL"},
                                                                        {10, "X"},
                                                                        {9, "IX"},
                                                                        {5, "V"},
                                                                        {4, "IV"},
                                                                        {1, "I"}}};
  std::string text;
  if (number <= 0 || number >= 4000) return text;
  for (const auto& [value, numeral] : numerals)
    for (; number >= value; number -= value) text += numeral;
  return text;
}

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in_month(int year, int month) {
  if (month < 1 || month > 12) return 0;
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

int day_of_week(int year, int month, int day) {
  static const std::array<int, 12> shift = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  if (month < 3) --year;
  return (year + year / 4 - year / 100 + year / 400 + shift[static_cast<std::size_t>(month - 1)] + day) % 7;
}

bool matches(const std::string& pattern, const std::string& text) {
  std::size_t p = 0, t = 0, star = std::string::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace algorithms
