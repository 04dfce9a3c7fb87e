// Configurations as lists of fields: one table per configuration for bindings, files, JSON and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace tied {

enum class FieldKind : std::uint8_t { kChoice, kFlag, kWhole, kReal };

// Whether a caller of the API gives it. Of the last two, files and completed options omit some values.
enum class Presence : std::uint8_t {
  kRequired,
  // Absent, it has the default of its configuration.
  kDefault,
  // The same, but where it has its default, files and completed options omit it.
  kOmitted,
  // Absent, it is 0, which cannot be given.
  kOptional,
};

// Holds for configurations where the choice at `offset` has one of the values whose bits are set.
struct Condition {
  std::uint16_t offset = 0;
  std::uint8_t values = 0;
};

template <class... Choices>
consteval std::uint8_t values_of(Choices... choices) {
  return static_cast<std::uint8_t>((... | (1u << static_cast<unsigned>(choices))));
}

// Written as Field{TIED_FIELD(Config, member)} and what differs from the defaults.
struct Field {
  const char* name;
  FieldKind kind;
  std::uint16_t offset;  // in the configuration, in bytes
  Presence presence = Presence::kDefault;
  // Whether configurations written as JSON have it.
  bool in_json = true;
  // The range of the field on its own, both ends included. A flag can have both values.
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  // In the API and in JSON, if it is not `name` in camel case. Members of an object are named `head.samples`.
  const char* path = nullptr;
  // The values of a choice, or the two of a flag, in the API and in JSON.
  std::span<const std::string_view> words = {};
  // Which configurations have it: those for which any of these holds; all, without one.
  Condition conditions[2] = {};

  template <class Value>
  constexpr Field with(Value Field::* member, Value value) const {
    Field field = *this;
    field.*member = value;
    return field;
  }
  constexpr Field range(double from, double to) const { return with(&Field::least, from).with(&Field::most, to); }
  constexpr Field one_of(std::span<const std::string_view> choices) const {
    return range(0, static_cast<double>(choices.size() - 1)).with(&Field::words, choices);
  }
  constexpr Field required() const { return with(&Field::presence, Presence::kRequired); }
  constexpr Field omitted() const { return with(&Field::presence, Presence::kOmitted); }
  constexpr Field optional() const { return with(&Field::presence, Presence::kOptional); }
  constexpr Field at(const char* api_path) const { return with(&Field::path, api_path); }
  constexpr Field not_in_json() const { return with(&Field::in_json, false); }
  constexpr Field only_if(Condition first, Condition second = {}) const {
    Field field = *this;
    field.conditions[0] = first;
    field.conditions[1] = second;
    return field;
  }
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

// Whether configurations like this one have the field.
template <class Config>
bool applies(const Field& field, const Config& config) {
  if (field.conditions[0].values == 0) return true;
  for (const Condition& condition : field.conditions) {
    const auto value = *(reinterpret_cast<const std::uint8_t*>(&config) + condition.offset);
    if ((condition.values >> value & 1) != 0) return true;
  }
  return false;
}

// Its path in the API and in JSON.
std::string path_of(const Field& field);

Status out_of_range(const Field& field, std::string_view value);

// Errors: kInvalidArgument naming the first field that is out of its range or NaN.
template <class Config>
Status check_fields(const Config& config) {
  Status status;
  for_each_field(config, [&](const Field& field, const auto& value) {
    const auto number = static_cast<double>(value);
    if (!status || (number >= field.least && number <= field.most)) return;
    status = out_of_range(field, text_of(value));
  });
  return status;
}

// A hash of the fields' names and kinds, in order, continued from `before`: differs where one would be taken for
// another.
std::uint64_t hash_of(std::span<const Field> fields, std::uint64_t before);

}  // namespace tied
