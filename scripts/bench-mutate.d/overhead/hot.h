// Two hot places: a loop inside a mutated function, and a mutated function called by a loop.
#pragma once
#include <cstddef>
#include <cstdint>

float sum_of_products(const float* a, const float* b, std::size_t count);
std::uint32_t next(std::uint32_t state);
