#include "bindings/option_numbers.h"

namespace tied::bindings {
namespace {

template <class Config>
const double* read_fields(Config& config, const double* from) {
  for_each_field(config, [&](const Field& field, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(*from++);
    if (field.kind == FieldKind::kFlag) value = value != 0;
  });
  return from;
}

template <class Config>
void append_fields(std::vector<double>& to, const Config& config) {
  for_each_field(config, [&](const Field&, const auto& value) { to.push_back(static_cast<double>(value)); });
}

}  // namespace

ModelConfig model_at(Address address) {
  ModelConfig config;
  read_fields(config, at<double>(address));
  return config;
}

// After the fields, for each schedule: its number of points, then the steps and the values of the maximum number of
// points.
TrainingConfig training_at(Address address) {
  TrainingConfig config;
  const double* from = read_fields(config, at<double>(address));
  for (const ScheduleField& field : kSchedules) {
    FactorSchedule& schedule = config.*field.schedule;
    schedule.n_points = static_cast<std::size_t>(*from++);
    for (FactorSchedule::Point& point : schedule.points) point.step = whole(*from++);
    for (FactorSchedule::Point& point : schedule.points) point.value = *from++;
  }
  return config;
}

void append_numbers(std::vector<double>& numbers, const ModelConfig& config) {
  append_fields(numbers, config.resolved());
}

void append_numbers(std::vector<double>& numbers, const TrainingConfig& config) {
  append_fields(numbers, config);
  for (const ScheduleField& field : kSchedules) {
    const FactorSchedule& schedule = config.*field.schedule;
    numbers.push_back(number(schedule.n_points));
    for (const FactorSchedule::Point& point : schedule.points) numbers.push_back(number(point.step));
    for (const FactorSchedule::Point& point : schedule.points) numbers.push_back(point.value);
  }
}

}  // namespace tied::bindings
