#include <doctest/doctest.h>

#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "training/trainer_file_parts.h"

using namespace tied;

namespace {

std::vector<std::uint8_t> written(const ModelConfig& model, const TrainingConfig& training) {
  ByteWriter counter;
  write_configs(counter, model, training);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(counter.size()));
  ByteWriter out(bytes);
  write_configs(out, model, training);
  return bytes;
}

// Changes the value of every field.
const auto kChange = [](const Field& field, auto& value) {
  if (field.kind == FieldKind::kFlag) {
    value = value == 0;
  } else {
    ++value;
  }
};

// Checks that each field of `changed` is part of its equality and of the file.
template <class Config>
void check_each_field(Config& changed, const ModelConfig& model, const TrainingConfig& training) {
  const Config before = changed;
  const std::vector<std::uint8_t> file = written(model, training);
  for (const Field& only : fields_of(changed)) {
    CAPTURE(std::string(only.name));
    for_each_field(changed, [&](const Field& field, auto& value) {
      if (&field == &only) kChange(field, value);
    });
    CHECK_FALSE(changed == before);
    CHECK(written(model, training) != file);
    changed = before;
  }
}

}  // namespace

TEST_CASE("a configuration's fields cover all of it") {
  const auto words_of = [](const auto& config) {
    std::set<std::size_t> words;
    for (const Field& field : fields_of(config)) words.insert(field.offset / 8);
    return words.size();
  };
  const std::size_t further = sizeof(ModelConfig::n_further_changes) + sizeof(ModelConfig::further_changes);
  CHECK(words_of(ModelConfig()) == (sizeof(ModelConfig) - further) / 8);
  CHECK(words_of(TrainingConfig()) == (sizeof(TrainingConfig) - std::size(kSchedules) * sizeof(FactorSchedule)) / 8);
}

TEST_CASE("each field of both configurations is part of their equality and of a trainer's file") {
  ModelConfig model;
  TrainingConfig training;
  check_each_field(model, model, training);
  check_each_field(training, model, training);
  for (const ScheduleField& field : kSchedules) {
    CAPTURE(std::string(field.name));
    const std::vector<std::uint8_t> file = written(model, training);
    FactorSchedule& schedule = training.*field.schedule;
    for (const auto& change : {+[](FactorSchedule& s) { s = 2; }, +[](FactorSchedule& s) { s.n_points = 2; },
                               +[](FactorSchedule& s) { s.points[0].step = 7; }}) {
      change(schedule);
      CHECK_FALSE(training == TrainingConfig());
      CHECK(written(model, training) != file);
      schedule = 1;
    }
  }
}

TEST_CASE("both configurations are restored completely from a file") {
  ModelConfig model;
  TrainingConfig training;
  for_each_field(model, kChange);
  for_each_field(training, kChange);
  double value = 0.25;
  for (const ScheduleField& field : kSchedules) {
    FactorSchedule& schedule = training.*field.schedule;
    schedule.n_points = 3;
    for (std::uint64_t i = 0; i < 3; ++i) schedule.points[i] = {5 + i, value++};
  }
  model.n_further_changes = 2;
  model.further_changes[0] = {.at_step = 17};
  model.further_changes[1] = {.condition = TyingCondition::kBelow, .share = 0.5, .over = 3, .from = 8};
  const std::vector<std::uint8_t> file = written(model, training);
  ByteReader in(file);
  ModelConfig read_model;
  TrainingConfig read_training;
  read_configs(in, read_model, read_training);
  CHECK(in.remaining() == 0);
  CHECK_FALSE(in.failed());
  CHECK(read_model == model);
  CHECK(read_training == training);
}

TEST_CASE("a value outside its field's range is refused by the field's name, including NaN") {
  ModelConfig model{.vocab_size = 10, .d_model = 8};
  REQUIRE(check_fields(model).ok());
  model.norm = static_cast<Norm>(2);
  CHECK(check_fields(model).error().message() == "norm is 2; expected 0 to 1");
  model.norm = Norm::kLayer;
  model.init_std = 0;
  CHECK(check_fields(model).error().argument == "init_std");
  model.init_std = std::numeric_limits<double>::quiet_NaN();
  CHECK(check_fields(model).error().argument == "init_std");
  model.init_std = 1;
  model.vocab_size = ~std::uint64_t{0};
  CHECK(check_fields(model).error().message() == "vocab_size is 18446744073709551615; expected 2 to 4294967295");
}
