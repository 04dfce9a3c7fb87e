#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "files.h"
#include "support.h"

using namespace tied;
using namespace tied::test;

namespace {

std::unique_ptr<Trainer<float>> loaded(const File& file) {
  auto trainer = Trainer<float>::load(file, kSmallLimits);
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

}  // namespace

TEST_CASE("a trainer's file is the same in parts of any size") {
  for (const bool table : {false, true}) {
    const auto trainer = small_trainer(Tying::kUntied, OptimizerKind::kAdamW, table);
    REQUIRE(trainer->set_attachment(File(100, 7)).ok());
    test::run(*trainer, 5);
    const File whole = whole_file(TrainerFile(*trainer), std::size_t{1} << 20);
    CHECK(rehashed(whole) == whole);
    CHECK(TrainerFile(*trainer).size() == whole.size());
    // Parts of all sizes end in the rows of a table, and some in the hash.
    for (std::size_t part = 1; part < 200; ++part) CHECK(whole_file(TrainerFile(*trainer), part) == whole);
  }
}

TEST_CASE("a saved and loaded trainer continues bit for bit, for every tying, optimizer and kind of data") {
  for (const Tying tying : test::kTyings) {
    for (const OptimizerKind optimizer : test::kAllOptimizers) {
      for (const bool table : {false, true}) {
        const auto trainer = small_trainer(tying, optimizer, table);
        test::run(*trainer, 37);
        const File file = saved(*trainer);
        const auto copy = loaded(file);
        CHECK(saved(*copy) == file);
        CHECK(copy->steps_done() == 37);
        CHECK(copy->parameter_hash() == trainer->parameter_hash());
        std::vector<StepRecord> records;
        std::vector<StepRecord> copy_records;
        REQUIRE(trainer->run(40, 1, true, records).ok());
        REQUIRE(copy->run(40, 1, true, copy_records).ok());
        CHECK(std::memcmp(records.data(), copy_records.data(), records.size() * sizeof(StepRecord)) == 0);
        CHECK(saved(*copy) == saved(*trainer));
        // The start is in the file: steps before the save are reachable.
        REQUIRE(trainer->rewind(20).ok());
        REQUIRE(copy->rewind(20).ok());
        CHECK(copy->parameter_hash() == trainer->parameter_hash());
      }
    }
  }
}

TEST_CASE("a trainer can be saved before its first step, with validation tokens, in each width of ids") {
  for (const std::uint32_t vocab_size : {13u, 256u, 257u, 65'536u, 65'537u}) {
    auto ids = test::stream(60, vocab_size, 2);
    ids[7] = vocab_size - 1;  // the widest id
    auto other = test::stream(20, vocab_size, 3);
    other[7] = vocab_size - 1;
    auto data = training_data_from_tokens<float>(ids.data(), ids.size(), other.data(), other.size(), vocab_size);
    REQUIRE(data.ok());
    const ModelConfig model{.vocab_size = vocab_size, .d_model = 1};
    const TrainingConfig training{.optimizer = OptimizerKind::kSgd, .learning_rate = 0.1, .batch_size = 4};
    auto trainer = Trainer<float>::create(model, training, std::move(data).value());
    REQUIRE(trainer.ok());
    const File file = saved(*trainer.value());
    const std::size_t width = vocab_size <= 256 ? 1 : vocab_size <= 65'536 ? 2 : 4;
    CHECK(file.size() < 700 + 80 * width + 2 * sizeof(float) * vocab_size);
    auto copy = Trainer<float>::load(file);
    REQUIRE(copy.ok());
    CHECK(copy.value()->evaluate().value().loss == trainer.value()->evaluate().value().loss);
    REQUIRE(copy.value()->step().ok());
    REQUIRE(trainer.value()->step().ok());
    CHECK(copy.value()->parameter_hash() == trainer.value()->parameter_hash());
  }
}

TEST_CASE("after an edit the file has the edited state, and refuses the steps before it") {
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, false);
  test::run(*trainer, 10);
  const std::uint64_t before = trainer->parameter_hash();
  test::run(*trainer, 10);
  auto matrix = Matrix<float>::create(13, 4);
  REQUIRE(matrix.ok());
  matrix.value()(1, 1) = 1;
  REQUIRE(trainer->set_matrix("embedding", std::as_const(matrix.value()).view()).ok());
  test::run(*trainer, 10);
  const auto copy = loaded(saved(*trainer));
  test::run(*trainer, 5);
  test::run(*copy, 5);
  CHECK(copy->parameter_hash() == trainer->parameter_hash());
  REQUIRE(copy->rewind(10).ok());
  CHECK(copy->parameter_hash() == before);
  const Status lost = copy->rewind(25);
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().code == ErrorCode::kUnsupported);

  // Rewound to before the edit, the edit is not part of the file.
  REQUIRE(trainer->rewind(15).ok());
  const File before_edit = saved(*trainer);
  const auto earlier = loaded(before_edit);
  CHECK(saved(*earlier) == before_edit);
  CHECK(earlier->furthest_step() == 15);
  test::run(*earlier, 10);
  CHECK(earlier->rewind(3).ok());
}

TEST_CASE("a file truncated anywhere is refused as a bad file") {
  const File file = saved(*small_trainer(Tying::kUntied, OptimizerKind::kAdamW, true));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto trainer = Trainer<float>::load({file.data(), size}, kSmallLimits);
    REQUIRE_FALSE(trainer.ok());
    REQUIRE(trainer.error().code == ErrorCode::kBadFile);
  }
  // Truncated, with a valid hash.
  for (std::size_t size = 21; size < file.size(); size += 3) {
    const auto trainer =
        Trainer<float>::load(rehashed(File(file.begin(), file.begin() + static_cast<int>(size))), kSmallLimits);
    REQUIRE_FALSE(trainer.ok());
    REQUIRE(trainer.error().code == ErrorCode::kBadFile);
  }
}

TEST_CASE("any altered byte is detected") {
  const File file = saved(*small_trainer(Tying::kTied, OptimizerKind::kSgd, false));
  for (std::size_t i = 0; i < file.size(); ++i) {
    File altered = file;
    altered[i] ^= 0x40;
    const auto trainer = Trainer<float>::load(altered, kSmallLimits);
    REQUIRE_FALSE(trainer.ok());
    REQUIRE(trainer.error().code == ErrorCode::kBadFile);
  }
}

TEST_CASE("hostile files with a valid hash are refused or give a working trainer") {
  ModelConfig model = test::small_transformer(Tying::kUntied);
  model.tie_at_step = 2;
  model.dropout = 0.1;
  const auto ids = test::stream(60, 13, 1);
  const auto transformer = test::trainer_on(model, test::small_training(), ids, kSmallLimits);
  ModelConfig conditional = test::small_model(Tying::kTied);
  conditional.tying_condition = TyingCondition::kAbove;
  conditional.tying_share = 0.9;
  conditional.tying_over = 5;
  const auto waiting = test::trainer_on(conditional, test::small_training(), ids, kSmallLimits);
  test::run(*waiting, 3);
  TrainingConfig changing = test::small_training();
  changing.inner_rate.n_points = 2;
  changing.inner_rate.points[1] = {4, 0.5};
  const auto scheduled = test::trainer_on(test::small_transformer(Tying::kTied), changing, ids, kSmallLimits);
  const auto no_data = Trainer<float>::create(test::small_transformer(Tying::kTiedLowRank), {}, {});
  REQUIRE(no_data.ok());
  for (Trainer<float>* trainer : {transformer.get(), no_data.value().get()}) {
    REQUIRE(trainer->set_attachment(std::vector<std::uint8_t>(20, 3)).ok());
  }
  const File files[] = {saved(*small_trainer(Tying::kTiedMlp, OptimizerKind::kAdamW, true)),
                        saved(*small_trainer(Tying::kTiedLinear, OptimizerKind::kSgd, false)),
                        saved(*transformer),
                        saved(*waiting),
                        saved(*scheduled),
                        saved(*no_data.value())};
  Random random(5, 5);
  std::size_t accepted[std::size(files)] = {};
  for (int round = 0; round < 10'000; ++round) {
    const std::size_t which = static_cast<std::size_t>(round) % std::size(files);
    File file = files[which];
    // Mostly in the header, which has the sizes.
    const std::size_t reach = round % 3 == 0 ? file.size() : std::min<std::size_t>(file.size(), 600);
    for (std::uint32_t n = 1 + random.below(3); n-- > 0;) {
      constexpr std::uint8_t kTelling[] = {0, 1, 0x7F, 0x80, 0xFF};
      const std::size_t place = 13 + random.below(static_cast<std::uint32_t>(reach - 13));
      file[place] = random.below(2) == 0 ? kTelling[random.below(5)] : static_cast<std::uint8_t>(random.bits());
    }
    const auto trainer = Trainer<float>::load(rehashed(file), kSmallLimits);
    if (trainer.ok()) {
      ++accepted[which];
      // A rate or weight can be absurd: step() reports that. Without data there is none. A step of millions of
      // sequences shows no more than a short one and takes a minute.
      if (trainer.value()->tokens_per_step() < 5'000) {
        const Status status = trainer.value()->step();
        const bool has_data = trainer.value()->data_kind() != DataKind::kNone;
        CHECK((status.ok() || !has_data || status.error().code == ErrorCode::kNotFinite));
      }
      const std::uint32_t token = 1;
      const auto looked = trainer.value()->next_token({&token, 1}, {}, NextToken::kLogits);
      CHECK((looked.ok() || looked.error().code == ErrorCode::kNotFinite));
    } else {
      const ErrorCode code = trainer.error().code;
      CHECK((code == ErrorCode::kBadFile || code == ErrorCode::kOutOfMemory));
    }
  }
  // The mutations are mild enough to get past the first check.
  for (const std::size_t count : accepted) CHECK(count > 50);
}

TEST_CASE("a step count that no run reaches is refused") {
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, false);
  File file = saved(*trainer);
  // From the end: hash, weights with their start and two moments, progress of the tying, last reachable step, steps
  // done.
  const auto count = static_cast<std::size_t>(trainer->table().parameter_count());
  const std::size_t steps_done = file.size() - 8 - 4 * count * sizeof(float) - sizeof(TyingProgress) - 16;
  file[steps_done] = 5;
  CHECK(loaded(rehashed(file))->steps_done() == 5);
  file[steps_done + 7] = 1;
  const auto refused = Trainer<float>::load(rehashed(file), kSmallLimits);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kBadFile);
}

TEST_CASE("files of another kind, version or precision are refused, naming the difference") {
  const File file = saved(*small_trainer(Tying::kTied, OptimizerKind::kAdamW, false));
  const std::uint32_t version_of_all = fields_version() + 1;
  for (const std::uint32_t version : {0u, 1u, version_of_all + 1}) {
    File other = file;
    for (unsigned i = 0; i < 4; ++i) other[8 + i] = static_cast<std::uint8_t>(version >> 8 * i);
    const auto refused = Trainer<float>::load(rehashed(other));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kBadFile);
    CHECK(refused.error().message() ==
          "file is version " + text_of(version) + "; expected version " + text_of(version_of_all));
  }
  CHECK_FALSE(Trainer<double>::load(file).ok());
  const File other(1'000, 'x');
  const auto foreign = Trainer<float>::load(other);
  REQUIRE_FALSE(foreign.ok());
  CHECK(foreign.error().code == ErrorCode::kBadFile);
}

namespace {

constexpr std::uint64_t kFileSteps = std::uint64_t{1} << 50;

// From a trainer whose first step after loading is not finite, with more steps done than anybody could replay.
File file_that_diverges(Trainer<float>& trainer) {
  test::run(trainer, 20);
  File file = saved(trainer);
  const auto count = static_cast<std::size_t>(trainer.table().parameter_count());
  const std::size_t numbers = file.size() - 8 - 4 * count * sizeof(float);
  for (std::size_t i = 0; i < 8; ++i)
    file[numbers - sizeof(TyingProgress) - 16 + i] = static_cast<std::uint8_t>(kFileSteps >> (8 * i));
  const float huge = 1e30F;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(&file[numbers + i * sizeof(float)], &huge, sizeof(float));
  return rehashed(std::move(file));
}

}  // namespace

TEST_CASE("if the first step after loading is not finite, nothing is replayed: the trainer stays as loaded") {
  const auto trainer = loaded(file_that_diverges(*small_trainer(Tying::kTied, OptimizerKind::kAdamW, false)));
  const std::uint64_t hash = trainer->parameter_hash();
  // A replay of 2^50 steps would never end.
  const Status status = trainer->step();
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kNotFinite);
  CHECK(trainer->steps_done() == kFileSteps);
  CHECK(trainer->furthest_step() == kFileSteps);
  CHECK(trainer->parameter_hash() == hash);
  // Earlier states can be replayed in parts, and left at any of them.
  REQUIRE(trainer->rewind(kFileSteps - 1, 7).ok());
  CHECK(trainer->steps_done() == 7);
  REQUIRE(trainer->rewind(kFileSteps - 1, 3).ok());
  CHECK(trainer->steps_done() == 10);
  REQUIRE(trainer->rewind(kFileSteps, 0).ok());
  CHECK(trainer->parameter_hash() == hash);
}

TEST_CASE("a loaded state stays reachable however long training continues, so that no replay starts before it") {
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, false);
  // Memory for one snapshot, which the loaded state takes.
  const TrainerLimits one_snapshot{.memory_bytes = std::uint64_t{4} << 20,
                                   .snapshot_bytes = trainer->table().value_extent() * 3 * sizeof(float)};
  test::run(*trainer, 37);
  auto copy = Trainer<float>::load(saved(*trainer), one_snapshot);
  REQUIRE(copy.ok());
  test::run(*copy.value(), 200);
  test::run(*trainer, 10);
  const std::uint64_t at_47 = trainer->parameter_hash();
  // Ten steps suffice for ten steps after the file's.
  REQUIRE(copy.value()->rewind(47, 10).ok());
  CHECK(copy.value()->steps_done() == 47);
  CHECK(copy.value()->parameter_hash() == at_47);
}

TEST_CASE("a file whose start does not lead to its state reports that on replay, and remains usable") {
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, false);
  test::run(*trainer, 20);
  File file = saved(*trainer);
  const auto count = static_cast<std::size_t>(trainer->table().parameter_count());
  const std::size_t start = file.size() - 8 - 3 * count * sizeof(float);
  const float huge = 1e30F;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(&file[start + i * sizeof(float)], &huge, sizeof(float));
  const auto crafted = loaded(rehashed(std::move(file)));
  const Status status = crafted->rewind(10);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kNotFinite);
  REQUIRE(crafted->rewind(20).ok());
  CHECK(crafted->parameter_hash() == trainer->parameter_hash());
  test::run(*crafted, 5);
  test::run(*trainer, 5);
  CHECK(crafted->parameter_hash() == trainer->parameter_hash());
}

TEST_CASE("a scaled direct path loads with its scale") {
  ModelConfig model = test::small_model(Tying::kTiedMlp);
  model.scales_embedding = true;
  const auto trainer = test::trainer_on(model, test::small_training(), test::stream(300, 13, 1), kSmallLimits);
  test::run(*trainer, 20);
  const auto copy = loaded(saved(*trainer));
  test::run(*trainer, 20);
  test::run(*copy, 20);
  CHECK(copy->parameter_hash() == trainer->parameter_hash());
  CHECK(copy->evaluate().value().loss == trainer->evaluate().value().loss);
}

TEST_CASE("every field of both configurations, and the attachment, are restored from the file") {
  ModelConfig model = test::small_model(Tying::kUntied);
  model.tie_at_step = 9;
  TrainingConfig training = test::small_training();
  training.gradient_accumulation = 3;
  training.embedding_rate = 0.5;
  training.unembedding_rate = 0.25;
  training.inner_rate = 0.125;
  training.decays_embeddings = false;
  training.input_gradient_scale.n_points = 3;
  training.input_gradient_scale.points[1] = {10, 5};
  training.input_gradient_scale.points[2] = {20, 0.5};
  const auto trainer = test::trainer_on(model, training, test::stream(300, 13, 1));
  const std::vector<std::uint8_t> attachment{0, 255, 7};
  REQUIRE(trainer->set_attachment(attachment).ok());
  const auto copy = loaded(saved(*trainer));
  CHECK(copy->model_config().tie_at_step == 9);
  const TrainingConfig& config = copy->training_config();
  CHECK(config.gradient_accumulation == 3);
  CHECK(config.embedding_rate == 0.5);
  CHECK(config.unembedding_rate == 0.25);
  CHECK(config.inner_rate == 0.125);
  CHECK_FALSE(config.decays_embeddings);
  CHECK(config.input_gradient_scale.n_points == 3);
  CHECK(config.input_gradient_scale.at(5) == 3);
  CHECK(config.input_gradient_scale.at(100) == 0.5);
  CHECK(std::vector<std::uint8_t>(copy->attachment().begin(), copy->attachment().end()) == attachment);
}
