// Trainers of encoder-decoders: roles, evaluation, files, rewinding, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../baseline.h"
#include "files.h"
#include "pairs.h"

using namespace tied;

namespace {

std::unique_ptr<Trainer<float>> small_pair_trainer(Tying tying = Tying::kTied,
                                                   EncoderTable encoder_table = EncoderTable::kEmbedding) {
  TrainingConfig training = test::small_training();
  training.batch_size = 6;
  return test::trainer_on(test::small_encoder_decoder(tying, encoder_table), training, test::reversals(40, 6, 13, 1),
                          test::reversals(15, 6, 13, 2));
}

struct Tables {
  Tying tying;
  EncoderTable encoder_table;
};
constexpr Tables kTables[] = {{Tying::kUntied, EncoderTable::kOwn},
                              {Tying::kUntied, EncoderTable::kEmbedding},
                              {Tying::kUntied, EncoderTable::kUnembedding},
                              {Tying::kTied, EncoderTable::kOwn},
                              {Tying::kTied, EncoderTable::kEmbedding}};

}  // namespace

TEST_CASE("an encoder-decoder learns to reverse words, in every tying of its tables") {
  for (const Tables& tables : kTables) {
    ModelConfig model = test::small_encoder_decoder(tables.tying, tables.encoder_table);
    model.vocab_size = 6;
    model.d_model = 16;
    model.d_feed_forward = 32;
    model.source_length = 4;
    model.context_length = 5;
    TrainingConfig training = test::small_training();
    training.learning_rate = 0.01;
    training.batch_size = 32;
    const auto trainer = test::trainer_on(model, training, test::reversals(300, 4, 6, 1), test::reversals(60, 4, 6, 2));
    const auto before = trainer->evaluate_pairs(trainer->evaluation_pairs(), 0, 60, true);
    test::run(*trainer, 400);
    const auto after = trainer->evaluate_pairs(trainer->evaluation_pairs(), 0, 60, true);
    REQUIRE(before.ok());
    REQUIRE(after.ok());
    CHECK(before.value().exact < 6);
    CHECK(after.value().exact > 48);
    CHECK(after.value().edits * 10 < after.value().target_tokens);
  }
}

TEST_CASE("the same bits from a seed everywhere, for every tying of an encoder-decoder") {
  if (!test::has_baseline_bits()) return;
  constexpr std::uint64_t kHashes[] = {10784340108440601391U, 6010191479738119066U, 5566747561536334093U,
                                       8662224229630592159U, 11683330426362409662U};
  for (std::size_t i = 0; i < std::size(kTables); ++i) {
    const auto trainer = small_pair_trainer(kTables[i].tying, kTables[i].encoder_table);
    test::run(*trainer, 50);
    CHECK(trainer->parameter_hash() == kHashes[i]);
  }
}

TEST_CASE("the gradient by role adds up, and records have its three norms and three drifts") {
  for (const Tables& tables : kTables) {
    const auto trainer = small_pair_trainer(tables.tying, tables.encoder_table);
    test::run(*trainer, 3);
    const auto ledger = trainer->gradient();
    REQUIRE(ledger.ok());
    const GradientLedger<float>& parts = ledger.value();
    for (std::size_t i = 0; i < 13 * 8; ++i) {
      float expected = parts.input.data()[i];
      if (tables.tying == Tying::kTied) expected += parts.output.data()[i];
      if (tables.encoder_table == EncoderTable::kEmbedding) expected += parts.third.data()[i];
      CHECK(parts.total.data()[i] == expected);
    }
    CHECK(parts.third_rows > 0);
    CHECK(parts.third_rows < 13);  // no source has a start or an end
    const auto norm = [](const Matrix<float>& part) {
      double square = 0;
      for (std::size_t i = 0; i < 13 * 8; ++i) square += std::pow(static_cast<double>(part.data()[i]), 2);
      return std::sqrt(square);
    };
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    // Sums of 104 squares.
    CHECK(std::fabs(record.third_gradient_norm - norm(parts.third)) < 1e-6);
    CHECK(std::fabs(record.input_gradient_norm - norm(parts.input)) < 1e-6);
    CHECK(std::fabs(record.output_gradient_norm - norm(parts.output)) < 1e-6);
    CHECK(record.third_drift > 0);
    const bool shares = tables.encoder_table == EncoderTable::kEmbedding;
    CHECK((record.third_drift == record.embedding_drift) == shares);
  }
  // A model without an encoder has no third part.
  const auto other = test::small_trainer(Tying::kTied, OptimizerKind::kAdamW, false);
  CHECK(other->gradient().value().third.rows() == 0);
}

TEST_CASE("the gradient of given pairs equals that of a batch of them") {
  const auto trainer = small_pair_trainer();
  const auto lists = test::reversals(5, 6, 13, 3);
  auto pairs = test::stored(lists, trainer->model_config());
  const auto given = trainer->gradient(pairs.value());
  REQUIRE(given.ok());
  PairBatcher batcher;
  REQUIRE(batcher.allocate(5, trainer->model_config()).ok());
  for (std::size_t i = 0; i < 5; ++i) batcher.add(pairs.value(), i);
  trainer->model().zero_gradients();
  trainer->model().pairs()->loss(batcher.batch(), Pass::kForwardBackward);
  const auto encoder = trainer->model().parameters().gradient(*trainer->table().find("encoder.embedding"));
  CHECK(std::equal(encoder.data, encoder.data + 13 * 8, given.value().third.data()));
}

TEST_CASE("an evaluation is the sum of its parts, and greedy translations are compared token by token") {
  const auto trainer = small_pair_trainer();
  test::run(*trainer, 20);
  const Pairs& pairs = trainer->evaluation_pairs();
  REQUIRE(pairs.size() == 15);
  const auto whole = trainer->evaluate_pairs(pairs, 0, 15, true);
  REQUIRE(whole.ok());
  PairEvaluation sum;
  for (std::size_t first = 0; first < 15; first += 4) {
    const auto part = trainer->evaluate_pairs(pairs, first, std::min<std::size_t>(4, 15 - first), true);
    sum.loss += part.value().loss;
    sum.tokens += part.value().tokens;
    sum.exact += part.value().exact;
    sum.edits += part.value().edits;
    sum.target_tokens += part.value().target_tokens;
  }
  CHECK(std::fabs(sum.loss - whole.value().loss) < 1e-9 * sum.loss);
  CHECK(sum.tokens == whole.value().tokens);
  CHECK(sum.tokens == sum.target_tokens + 15);
  CHECK(sum.exact == whole.value().exact);
  CHECK(sum.edits == whole.value().edits);
  const auto evaluation = trainer->evaluate();
  REQUIRE(evaluation.ok());
  CHECK(evaluation.value().loss == whole.value().loss / static_cast<double>(sum.tokens));

  const std::vector<std::uint32_t> kitten = {7, 3, 8, 8, 2, 5}, sitting = {9, 3, 8, 8, 3, 5, 4}, none;
  CHECK(edit_distance(kitten, sitting) == 3);
  CHECK(edit_distance(sitting, kitten) == 3);
  CHECK(edit_distance(none, kitten) == 6);
  CHECK(edit_distance(kitten, kitten) == 0);
}

TEST_CASE("a saved encoder-decoder continues bit for bit, and rewinds to any step") {
  for (const Tables& tables : kTables) {
    const auto trainer = small_pair_trainer(tables.tying, tables.encoder_table);
    test::run(*trainer, 7);
    const auto file = test::saved(*trainer);
    auto loaded = Trainer<float>::load(file);
    REQUIRE(loaded.ok());
    CHECK(loaded.value()->model_config() == trainer->model_config());
    CHECK(test::saved(*loaded.value()) == file);
    const auto hashes = test::hashes(*trainer, 20);
    CHECK(test::hashes(*loaded.value(), 20) == hashes);
    REQUIRE(trainer->rewind(9).ok());
    CHECK(trainer->parameter_hash() == hashes[2]);
    CHECK(loaded.value()->evaluate().value().tokens == trainer->evaluate().value().tokens);
  }
}

TEST_CASE("a damaged file of an encoder-decoder is refused") {
  const auto trainer = small_pair_trainer();
  const auto file = test::saved(*trainer);
  // Every byte of configurations and data, set to its largest value: refused, or a file of another valid trainer.
  std::size_t refused = 0;
  for (std::size_t i = 8; i < 1'200; ++i) {
    auto damaged = file;
    if (damaged[i] == 0xFF) continue;
    damaged[i] = 0xFF;
    auto loaded = Trainer<float>::load(test::rehashed(damaged), test::kSmallLimits);
    if (loaded.ok()) continue;
    ++refused;
    CHECK((loaded.error().code == ErrorCode::kBadFile || loaded.error().code == ErrorCode::kOutOfMemory));
  }
  CHECK(refused > 400);
  for (std::size_t size = 0; size < file.size(); size += 97) {
    CHECK(!Trainer<float>::load(test::rehashed({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(
                                                                                 std::max<std::size_t>(size, 8))}))
               .ok());
  }
}

TEST_CASE("pairs that a model cannot read are refused by name") {
  const ModelConfig model = test::small_encoder_decoder();
  const auto refused = [&](const test::PairLists& lists) { return test::blamed(test::stored(lists, model)); };
  CHECK(refused({{{2}}, {{2}}}).empty());
  CHECK(refused({{{2}, {3}}, {{2}}}) == "pairs.target.length");
  CHECK(refused({{{2}, {}}, {{2}, {3}}}) == "pairs.source[1].length");
  CHECK(refused({{{2, 2, 2, 2, 2, 2, 2}}, {{2}}}) == "pairs.source[0].length");
  CHECK(refused({{{2}}, {{2, 2, 2, 2, 2, 2, 2, 2}}}) == "pairs.target[0].length");
  CHECK(refused({{{2, 13}}, {{2}}}) == "pairs.source[0][1]");
  CHECK(refused({{{2}}, {{2, 1}}}) == "pairs.target[0]");

  TrainingData<float> data;
  data.vocab_size = 13;
  data.pairs = std::move(test::stored(test::reversals(4, 6, 13, 1), model)).value();
  CHECK(test::blamed(Trainer<float>::create(test::small_transformer(Tying::kTied), test::small_training(),
                                            std::move(data))) == "pairs");
  const auto ids = test::small_stream();
  auto tokens = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
  CHECK(test::blamed(Trainer<float>::create(model, test::small_training(), std::move(tokens).value())) == "pairs");
}

TEST_CASE("verbs of models that continue a text are refused by an encoder-decoder, and the reverse") {
  const auto trainer = small_pair_trainer();
  const auto is_refused = [](const auto& outcome) {
    return !outcome.ok() && outcome.error().code == ErrorCode::kUnsupported;
  };
  const std::vector<std::uint32_t> ids = {2, 3, 4};
  CHECK(is_refused(trainer->evaluate(ids.data(), ids.size())));
  CHECK(is_refused(trainer->gradient(TokenBatch{ids.data(), ids.data(), ids.size()})));
  CHECK(is_refused(trainer->next_token(ids, {}, NextToken::kLogits)));
  CHECK(is_refused(sequence_logits(trainer->model(), std::span<const std::uint32_t>(ids))));
  CHECK(is_refused(hidden_states(trainer->model(), std::span<const std::uint32_t>(ids))));
  CHECK(is_refused(attention(trainer->model(), std::span<const std::uint32_t>(ids))));
  const auto other = test::small_trainer(Tying::kTied, OptimizerKind::kAdamW, false);
  CHECK(is_refused(other->evaluate_pairs(trainer->evaluation_pairs(), 0, 1, false)));
  CHECK(is_refused(other->gradient(trainer->evaluation_pairs())));
}

TEST_CASE("the memory of an encoder-decoder is known before it is allocated") {
  const ModelConfig model = test::small_encoder_decoder();
  TrainingConfig training = test::small_training();
  training.batch_size = 6;
  const auto trainer = small_pair_trainer();
  const auto estimate = estimate_memory(model, training);
  REQUIRE(estimate.ok());
  const auto part = [&](std::string_view name) {
    for (const MemoryPart& found : estimate.value().parts) {
      if (found.name == name) return found.bytes;
    }
    return std::uint64_t{0};
  };
  CHECK(part("weights") == trainer->table().value_extent() * sizeof(float));
  // With one bit for each row of a table that tokens read.
  CHECK(part("gradients") ==
        trainer->table().gradient_extent() * sizeof(float) + trainer->table().touched_extent() * sizeof(std::uint64_t));
  CHECK(trainer->tokens_per_step() >= 6 * 2);
  CHECK(trainer->tokens_per_step() <= 6 * 7);
  ModelConfig large = model;
  large.d_model = 512;
  large.source_length = 1 << 20;
  CHECK(test::blamed(check_trainer_memory({DataKind::kPairs, 100}, large, training)) == "source_length");
}
