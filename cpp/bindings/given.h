// What JavaScript gives, as an array of doubles: the reverse of Answer. web/core/model/option-codec.ts writes it.
// Choices are indices into their words; integers of 64 bits are doubles, since web/core passes none above 2^53.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "base/fields.h"
#include "base/record.h"
#include "bindings/transfer.h"

namespace tied::bindings {

template <class T>
concept Givable = requires { typename T::Given; };

// Whether an array of T is one of its listed members, row by row, so that it can be read where it is.
template <class T, auto... kMembers>
consteval bool is_row(Record<kMembers...>) {
  T row;
  double next = 0;
  ((row.*kMembers = next++), ...);
  next = 0;
  for (const double number : std::bit_cast<std::array<double, sizeof...(kMembers)>>(row)) {
    if (number != next++) return false;
  }
  return true;
}

// Values one after another, in the order of the tables in web/core/generated.
class Given {
 public:
  explicit Given(Address address) : next_(at<double>(address)) {}

  double number() { return *next_++; }
  // Not inline, since conversions are payload.
  [[gnu::noinline]] std::uint64_t whole() { return static_cast<std::uint64_t>(number()); }

  // The record of what the struct lists as Given, or a number; an optional one is absent where it is NaN. A list begins
  // with its size; one of records is a view, valid as long as the array.
  template <class T>
  void read(T& value) {
    if constexpr (Givable<T>) {
      read_members(value, typename T::Given());
    } else if constexpr (kIsOptional<T>) {
      const double given = number();
      if (given == given) value = static_cast<typename T::value_type>(given);
    } else if constexpr (std::is_same_v<T, double>) {
      value = number();
    } else if constexpr (std::is_same_v<T, bool>) {
      value = number() != 0;
    } else {
      value = static_cast<T>(whole());
    }
  }

  template <class T>
  void read(std::span<const T>& rows) {
    static_assert(is_row<T>(typename T::Given()));
    const auto size = static_cast<std::size_t>(whole());
    rows = {reinterpret_cast<const T*>(next_), size};
    next_ += size * (sizeof(T) / sizeof(double));
  }

  // Reads a list into the array and returns its size, of which the array may hold only a part.
  template <class T, std::size_t kRoom>
  std::size_t read_list(T (&values)[kRoom]) {
    const auto size = static_cast<std::size_t>(whole());
    for (std::size_t i = 0; i < size && i < kRoom; ++i) read(values[i]);
    return size;
  }

  // The fields of a configuration.
  template <class Config>
  void read_fields(Config& config) {
    for_each_field(config, [this](const Field&, auto& value) { this->read(value); });
  }

 private:
  template <class T, auto... kMembers>
  void read_members(T& into, Record<kMembers...>) {
    (read(into.*kMembers), ...);
  }

  const double* next_;
};

template <class Config>
Config config_at(Address address) {
  Config config;
  Given(address).read_fields(config);
  return config;
}

}  // namespace tied::bindings
