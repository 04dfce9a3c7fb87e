// Imported models: inspected without data, or trained from their values.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

std::unique_ptr<Trainer<float>> without_data(Tying tying) {
  auto trainer = Trainer<float>::create(test::small_model(tying), {.init_seed = 4}, {});
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

template <class Outcome>
void check_unsupported(const Outcome& outcome) {
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().code == ErrorCode::kUnsupported);
  CHECK(outcome.error().message() == "token_ids is none; expected a trainer with tokens or counts to train on");
}

}  // namespace

TEST_CASE("without data steps and everything that needs them are refused, and inspection works") {
  for (const Tying tying : test::kTyings) {
    const auto trainer = without_data(tying);
    check_unsupported(trainer->step());
    std::vector<StepRecord> records;
    check_unsupported(trainer->run(3, 1, true, records));
    check_unsupported(trainer->evaluate());
    check_unsupported(trainer->gradient());
    CHECK(trainer->steps_done() == 0);
    CHECK(trainer->tokens_per_step() == 0);

    const std::vector<std::uint32_t> ids{1, 2, 3, 4};
    CHECK(trainer->evaluate(ids.data(), ids.size()).ok());
    CHECK(trainer->gradient({ids.data(), ids.data() + 1, 3}).ok());
    CHECK(trainer->next_token(ids, {}, NextToken::kProbabilities).ok());
    CHECK(sequence_logits(trainer->model(), ids).ok());
    CHECK(trainer->rewind(0).ok());
    CHECK_FALSE(trainer->rewind(1).ok());
  }
}

TEST_CASE("without data no memory is allocated for training") {
  const auto with = estimate_memory_of({DataKind::kTokens, 0}, test::small_model(Tying::kTied), test::small_training());
  const auto none = estimate_memory_of({DataKind::kNone, 0}, test::small_model(Tying::kTied), {});
  REQUIRE(with.ok());
  REQUIRE(none.ok());
  for (const MemoryPart& part : none.value().parts) {
    const bool taken = part.name == "weights" || part.name == "gradients" || part.name == "workspace";
    CHECK_MESSAGE((part.bytes != 0) == taken, part.name);
  }
  CHECK(none.value().bytes < with.value().bytes);
}

TEST_CASE("without data matrices can be set, and file and trainer agree") {
  const auto trainer = without_data(Tying::kTied);
  auto matrix = Matrix<float>::create(13, 4);
  REQUIRE(matrix.ok());
  matrix.value()(2, 3) = 5;
  REQUIRE(trainer->set_matrix("embedding", std::as_const(matrix.value()).view()).ok());
  const std::vector<std::uint8_t> attachment(1'000, 7);
  REQUIRE(trainer->set_attachment(attachment).ok());
  const auto file = test::saved(*trainer);
  auto copy = Trainer<float>::load(file);
  REQUIRE(copy.ok());
  CHECK(copy.value()->parameter_hash() == trainer->parameter_hash());
  CHECK(copy.value()->data_kind() == DataKind::kNone);
  CHECK(copy.value()->attachment().size() == 1'000);
  check_unsupported(copy.value()->step());
  for (std::size_t size = 0; size < file.size(); ++size) {
    CHECK_FALSE(Trainer<float>::load({file.data(), size}).ok());
  }
}

TEST_CASE("imported values are the start: rewinding ends there, drift is measured from there, and files contain it") {
  const auto ids = test::stream(400, 13, 1);
  const auto trainer = test::trainer_on(test::small_model(Tying::kUntied), test::small_training(), ids);
  test::run(*trainer, 10);
  AlignedBuffer<float>& values = trainer->model().parameters().all_values();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.01F * static_cast<float>(i % 11);
  REQUIRE(trainer->restart().ok());
  CHECK(trainer->steps_done() == 0);
  CHECK(trainer->furthest_step() == 0);
  const std::uint64_t start = trainer->parameter_hash();
  std::vector<std::uint64_t> known{start};
  for (int i = 0; i < 30; ++i) {
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    CHECK(record.step == known.size());
    if (i == 0) CHECK(record.embedding_drift < 0.5);
    known.push_back(trainer->parameter_hash());
  }
  const auto file = test::saved(*trainer);
  auto copy = Trainer<float>::load(file);
  REQUIRE(copy.ok());
  for (const std::size_t step : {std::size_t{0}, std::size_t{13}, std::size_t{30}}) {
    REQUIRE(trainer->rewind(step).ok());
    REQUIRE(copy.value()->rewind(step).ok());
    CHECK(trainer->parameter_hash() == known[step]);
    CHECK(copy.value()->parameter_hash() == known[step]);
  }
}

TEST_CASE("imported values that are not finite are refused by the parameter's name") {
  const auto trainer = without_data(Tying::kTiedLinear);
  ParameterStore<float>& parameters = trainer->model().parameters();
  parameters.values(*parameters.table().find("between")).data[3] = std::numeric_limits<float>::infinity();
  const Status status = trainer->restart();
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kNotFinite);
  CHECK(status.error().argument == "between");
}
