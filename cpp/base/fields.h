// Configurations as lists of fields: one table per configuration for bindings, files, JSON and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace tied {

enum class FieldKind : std::uint8_t { kChoice, kFlag, kWhole, kReal };

struct Field {
  const char* name;
  FieldKind kind;
  std::uint16_t offset;  // in the configuration, in bytes
  // Its index in the trainer's file, among the choices and flags, the integers, or the reals.
  std::uint8_t file_place;
  // The range of the field on its own, both ends included, and its description in errors. A flag can have both values.
  const char* expected = nullptr;
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  // For configurations written as JSON: the name, null for omitted fields, and the names of choices.
  const char* json_name = nullptr;
  const std::string_view* words = nullptr;
};

template <class Value>
consteval FieldKind field_kind() {
  if (std::is_same_v<Value, bool>) return FieldKind::kFlag;
  if (std::is_same_v<Value, std::uint64_t>) return FieldKind::kWhole;
  if (std::is_same_v<Value, double>) return FieldKind::kReal;
  static_assert(std::is_arithmetic_v<Value> || (std::is_enum_v<Value> && sizeof(Value) == 1));
  return FieldKind::kChoice;
}

// The first three members of the Field for a member of Config.
#define TIED_FIELD(Config, member) #member, field_kind<decltype(Config::member)>(), offsetof(Config, member)

// Calls visit(field, value) for the fields in the order of fields_of(config), which is defined with the configuration.
// `value` is a reference to a std::uint64_t, a double, or the std::uint8_t behind a choice or a flag.
template <class Config, class Visitor>
void for_each_field(Config& config, Visitor&& visit) {
  static_assert(std::is_standard_layout_v<Config>);
  constexpr bool kIsConst = std::is_const_v<Config>;
  using Byte = std::conditional_t<kIsConst, const std::uint8_t, std::uint8_t>;
  using Whole = std::conditional_t<kIsConst, const std::uint64_t, std::uint64_t>;
  using Real = std::conditional_t<kIsConst, const double, double>;
  for (const Field& field : fields_of(config)) {
    Byte* const at = reinterpret_cast<Byte*>(&config) + field.offset;
    if (field.kind == FieldKind::kReal) {
      visit(field, *reinterpret_cast<Real*>(at));
    } else if (field.kind == FieldKind::kWhole) {
      visit(field, *reinterpret_cast<Whole*>(at));
    } else {
      visit(field, *at);
    }
  }
}

// Errors: kInvalidArgument naming the first field that is out of its range or NaN.
template <class Config>
Status check_fields(const Config& config) {
  Status status;
  for_each_field(config, [&](const Field& field, const auto& value) {
    const auto number = static_cast<double>(value);
    if (!status || (number >= field.least && number <= field.most)) return;
    status = make_error(ErrorCode::kInvalidArgument, field.name, value, field.expected);
  });
  return status;
}

}  // namespace tied
