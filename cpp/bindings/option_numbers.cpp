#include "bindings/option_numbers.h"

#include <iterator>

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
void write_fields(const Config& config) {
  for_each_field(config, [](const Field&, const auto& value) { answer.write(value); });
}

}  // namespace

// After the fields: the number of further changes of the tying, and five numbers of each.
ModelConfig model_at(Address address) {
  ModelConfig config;
  const double* from = read_fields(config, at<double>(address));
  config.n_further_changes = whole(*from++);
  for (std::size_t i = 0; i < config.n_further_changes && i < std::size(config.further_changes); ++i) {
    TyingChange& change = config.further_changes[i];
    change = {.at_step = whole(from[0]),
              .condition = static_cast<TyingCondition>(from[1]),
              .share = from[2],
              .over = whole(from[3]),
              .from = whole(from[4])};
    from += 5;
  }
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

void write_options(const ModelConfig& model, const TrainingConfig& training) {
  write_fields(model.resolved());
  write_fields(training);
  for (const ScheduleField& field : kSchedules) answer.write((training.*field.schedule).given());
}

}  // namespace tied::bindings
