// What the library offers; its test is the only gate.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace algorithms {

using Interval = std::pair<int, int>;  // [first, second)

std::uint32_t crc32(const std::string& bytes);
std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus);
std::uint64_t greatest_common_divisor(std::uint64_t a, std::uint64_t b);
bool is_prime(std::uint64_t n);
std::uint32_t square_root(std::uint64_t n);
std::string base64(const std::string& bytes);
bool unbase64(const std::string& text, std::string& bytes);
std::string run_lengths(const std::string& text);
bool decode_utf8(const std::string& bytes, std::vector<std::uint32_t>& codes);
void heap_sort(std::vector<int>& values);
std::size_t first_not_below(const std::vector<int>& sorted, int value);
int edit_distance(const std::string& a, const std::string& b);
std::vector<Interval> united(std::vector<Interval> intervals);
bool multiply(const std::vector<double>& a, const std::vector<double>& b, std::size_t n, std::vector<double>& product);
int longest_common_run(const std::string& a, const std::string& b);
std::string roman(int number);
int days_in_month(int year, int month);
int day_of_week(int year, int month, int day);
bool matches(const std::string& pattern, const std::string& text);

}  // namespace algorithms
