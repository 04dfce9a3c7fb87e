#include "model/parameter_table.h"

#include <utility>

#include "base/allocate.h"

namespace tied {

void ParameterTable::add(Parameter parameter) {
  TIED_ASSERT(find(parameter.name) == nullptr);
  parameter.tied_to = Parameter::kOwnStorage;
  parameter.partner = Parameter::kOwnStorage;
  parameter.offset = value_extent_;
  parameter.own_offset = value_extent_;
  parameter.gradient_offset = gradient_extent_;
  value_extent_ += padded(parameter.size());
  gradient_extent_ += padded(parameter.size());
  list_.push_back(std::move(parameter));
}

void ParameterTable::add_tied(std::string_view name, std::string_view owner, ParameterRole role) {
  TIED_ASSERT(find(name) == nullptr);
  const Parameter* found = find(owner);
  TIED_ASSERT(found != nullptr && found->owns_storage());
  Parameter parameter = *found;
  parameter.name = std::string(name);
  parameter.role = role;
  parameter.tied_to = static_cast<std::size_t>(found - list_.data());
  parameter.gradient_offset = gradient_extent_;
  gradient_extent_ += padded(parameter.size());
  list_.push_back(std::move(parameter));
}

void ParameterTable::add_joinable(Parameter parameter, std::string_view owner, bool joined) {
  const Parameter* found = find(owner);
  TIED_ASSERT(found != nullptr && found->owns_storage() && joinable() == nullptr);
  TIED_ASSERT(found->rows == parameter.rows && found->cols == parameter.cols);
  const std::size_t partner = static_cast<std::size_t>(found - list_.data());
  add(std::move(parameter));
  list_.back().partner = partner;
  set_joined(joined);
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

std::uint64_t ParameterTable::parameter_count() const {
  std::uint64_t count = 0;
  for (const Parameter& parameter : list_) {
    if (parameter.owns_storage()) count += parameter.size();
  }
  return count;
}

}  // namespace tied
