#include "model/parameter_table.h"

#include <utility>

#include "base/allocate.h"
#include "model/config.h"

namespace tied {

void ParameterTable::take_touched(Parameter& parameter) {
  parameter.touched_offset = touched_extent_;
  // Most rows of a large input table have a gradient of 0 in any one step.
  parameter.marks_rows = parameter.sparse || (reads_tokens(parameter.role) && !parameter.is_factor);
  if (parameter.marks_rows) touched_extent_ += (parameter.units() + 63) / 64;
}

ParameterIndex ParameterTable::add(Parameter parameter) {
  TIED_ASSERT(find(parameter.name) == nullptr);
  parameter.tied_to = Parameter::kOwnStorage;
  parameter.partner = Parameter::kOwnStorage;
  parameter.offset = value_extent_;
  parameter.own_offset = value_extent_;
  parameter.gradient_offset = gradient_extent_;
  value_extent_ += padded(parameter.size());
  gradient_extent_ += padded(parameter.size());
  take_touched(parameter);
  list_.push_back(std::move(parameter));
  return list_.size() - 1;
}

ParameterIndex ParameterTable::add_vector(std::string name, std::uint64_t size, InitialValue initial, bool sparse) {
  return add({.name = std::move(name),
              .rows = 1,
              .cols = size,
              .is_vector = true,
              .decays = false,
              .sparse = sparse,
              .initial = initial});
}

ParameterIndex ParameterTable::add_tied(std::string_view name, ParameterIndex owner, ParameterRole role) {
  TIED_ASSERT(find(name) == nullptr && list_[owner].owns_storage());
  Parameter parameter = list_[owner];
  parameter.name = std::string(name);
  parameter.role = role;
  parameter.tied_to = owner;
  parameter.gradient_offset = gradient_extent_;
  gradient_extent_ += padded(parameter.size());
  take_touched(parameter);
  list_.push_back(std::move(parameter));
  return list_.size() - 1;
}

ParameterIndex ParameterTable::add_joinable(Parameter parameter, ParameterIndex owner, bool joined) {
  TIED_ASSERT(list_[owner].owns_storage());
  TIED_ASSERT(list_[owner].rows == parameter.rows && list_[owner].cols == parameter.cols && joinable() == nullptr);
  const ParameterIndex index = add(std::move(parameter));
  list_[index].partner = owner;
  set_joined(joined);
  return index;
}

const Parameter* ParameterTable::joinable() const {
  for (const Parameter& parameter : list_) {
    if (parameter.partner != Parameter::kOwnStorage) return &parameter;
  }
  return nullptr;
}

void ParameterTable::set_joined(bool joined) {
  for (Parameter& parameter : list_) {
    if (parameter.partner == Parameter::kOwnStorage) continue;
    parameter.tied_to = joined ? parameter.partner : Parameter::kOwnStorage;
    parameter.offset = joined ? list_[parameter.partner].offset : parameter.own_offset;
  }
}

const Parameter* ParameterTable::find(std::string_view name) const {
  for (const Parameter& parameter : list_) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

const Parameter* ParameterTable::of_role(ParameterRole role) const {
  for (const Parameter& parameter : list_) {
    if (parameter.role == role) return &parameter;
  }
  return nullptr;
}

const Parameter* ParameterTable::third() const {
  for (const Parameter& parameter : list_) {
    if (is_third(parameter.role)) return &parameter;
  }
  return nullptr;
}

std::uint64_t ParameterTable::parameter_count() const {
  std::uint64_t count = 0;
  for (const Parameter& parameter : list_) {
    if (parameter.owns_storage()) count += parameter.size();
  }
  return count;
}

}  // namespace tied
