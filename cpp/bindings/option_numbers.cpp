#include "bindings/option_numbers.h"

#include "bindings/given.h"

namespace tied::bindings {
namespace {

template <class Config>
void write_fields(const Config& config) {
  for_each_field(config, [](const Field&, const auto& value) { answer.write(value); });
}

}  // namespace

// The fields, then the further changes of the tying.
ModelConfig model_at(Address address) {
  ModelConfig config;
  Given given(address);
  given.read_fields(config);
  config.n_further_changes = given.read_list(config.further_changes);
  return config;
}

// The fields, then the points of each schedule.
TrainingConfig training_at(Address address) {
  TrainingConfig config;
  Given given(address);
  given.read_fields(config);
  for (const ScheduleField& field : kSchedules) {
    FactorSchedule& schedule = config.*field.schedule;
    schedule.n_points = given.read_list(schedule.points);
  }
  return config;
}

void write_options(const ModelConfig& model, const TrainingConfig& training) {
  write_fields(model.resolved());
  write_fields(training);
  for (const ScheduleField& field : kSchedules) answer.write((training.*field.schedule).given());
}

}  // namespace tied::bindings
