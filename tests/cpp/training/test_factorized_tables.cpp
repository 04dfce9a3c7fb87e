// The gradients by role of factorized tables, and which rows a step changes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

std::vector<ModelConfig> factorized_models() {
  std::vector<ModelConfig> models;
  for (const ModelConfig& model : test::models_of_other_heads()) {
    if (model.is_factorized()) models.push_back(model);
  }
  return models;
}

// A step with these options is the gradient itself.
TrainingConfig plain_steps() {
  return {.optimizer = OptimizerKind::kSgd,
          .learning_rate = 1,
          .weight_decay = 0,
          .batch_size = 3,
          .gradient_accumulation = 2,
          .input_gradient_scale = 2,
          .seed = 5};
}

std::vector<double> elements(const Matrix<double>& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.cols()};
}

// The parts of one table or factor in the ledger.
struct LedgerParts {
  std::vector<double> input, output, total;
};

}  // namespace

TEST_CASE("the gradient of both factors is the sum over their roles, and the one that a step uses, to the bit") {
  const auto ids = test::stream(300, 13, 2);
  std::size_t compared = 0;
  for (const ModelConfig& model : factorized_models()) {
    CAPTURE(static_cast<int>(model.head));
    CAPTURE(tying_name(model.tying));
    const TrainingConfig training = plain_steps();
    const auto trainer = test::trainer_on<double>(model, training, ids);
    test::run(*trainer, 2);
    const auto made = trainer->gradient();
    REQUIRE(made.ok());
    const GradientLedger<double>& ledger = made.value();
    CHECK(ledger.input.cols() == model.table_rank);
    REQUIRE(ledger.factor.rows() == 3 * model.table_rank);
    CHECK(ledger.factor.cols() == model.d_model);
    const auto column = elements(ledger.factor);
    const auto third = [&](std::size_t part) {
      const auto first = column.begin() + static_cast<std::ptrdiff_t>(part * column.size() / 3);
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(column.size() / 3));
    };
    const LedgerParts parts[] = {{elements(ledger.input), elements(ledger.output), elements(ledger.total)},
                                 {third(0), third(1), third(2)}};
    const char* const suffixes[] = {"", ".factor"};
    const bool tied = model.tying == Tying::kTied;
    std::vector<double> before[2];
    std::vector<double> written[2];
    for (std::size_t k = 0; k < 2; ++k) {
      before[k] = test::elements_of(*trainer, std::string("embedding") + suffixes[k]);
      written[k] = test::elements_of(*trainer, std::string("unembedding") + suffixes[k]);
    }
    test::run(*trainer, 1);
    for (std::size_t k = 0; k < 2; ++k) {
      CAPTURE(suffixes[k]);
      const auto after = test::elements_of(*trainer, std::string("embedding") + suffixes[k]);
      const auto output = test::elements_of(*trainer, std::string("unembedding") + suffixes[k]);
      const auto& [in, out, total] = parts[k];
      REQUIRE(total.size() == after.size());
      double read = 0;
      double wrote = 0;
      for (std::size_t i = 0; i < total.size(); ++i) {
        CHECK(total[i] == (tied ? 2 * in[i] + out[i] : 2 * in[i]));
        CHECK(after[i] == before[k][i] - total[i]);
        CHECK(output[i] == (tied ? after[i] : written[k][i] - out[i]));
        read += in[i] * in[i];
        wrote += out[i] * out[i];
        ++compared;
      }
      CHECK(read > 0);
      CHECK(wrote > 0);
    }
  }
  CHECK(compared == 1101);
}

TEST_CASE("a step of a sampled head changes the rows that it read, wrote or drew, and the whole factor") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    ModelConfig model = test::small_transformer(tying);
    model.vocab_size = 200;
    model.head = HeadKind::kSampled;
    model.head_samples = 4;
    model.table_rank = 3;
    TrainingConfig training = test::small_training();
    training.batch_size = 1;
    const auto trainer = test::trainer_on<double>(model, training, test::stream(400, 200, 3));
    test::run(*trainer, 20);
    const char* const names[] = {"embedding", "unembedding", "embedding.factor", "unembedding.factor"};
    std::vector<double> before[4];
    for (std::size_t k = 0; k < 4; ++k) before[k] = test::elements_of(*trainer, names[k]);
    test::run(*trainer, 1);
    for (std::size_t k = 0; k < 4; ++k) {
      CAPTURE(names[k]);
      const auto after = test::elements_of(*trainer, names[k]);
      std::size_t changed = 0;
      for (std::size_t i = 0; i < after.size(); ++i) changed += after[i] != before[k][i];
      // 8 tokens read, 8 targets and 4 drawn.
      if (k < 2) CHECK((changed > 0 && changed <= 20 * model.table_rank));
      if (k >= 2) CHECK(changed == after.size());
    }
  }
}
