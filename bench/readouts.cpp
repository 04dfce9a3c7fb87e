#include "readouts.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "diagnostics/frequency_bands.h"
#include "diagnostics/lens.h"
#include "diagnostics/output_ledger.h"
#include "diagnostics/readout.h"
#include "linalg/matmul.h"
#include "linalg/softmax.h"
#include "or_exit.h"

namespace tied::bench {
namespace {

// As in cpp/bindings/bind_readout.cpp.
constexpr std::size_t kRowsAtOnce = 64;
constexpr std::size_t kReadTokens = 64;
constexpr std::size_t kReadLayers = 4;

Matrix<float> random_matrix(std::size_t rows, std::size_t cols, const char* name) {
  Matrix<float> matrix = value_or_exit(Matrix<float>::create(rows, cols));
  Random random(1, stream_of(name));
  for (std::size_t i = 0; i < rows * cols; ++i) matrix.data()[i] = random.uniform() - 0.5F;
  return matrix;
}

// A head, and the states and next tokens of one sequence.
struct Sequence {
  Readout readout;
  std::vector<Matrix<float>> states;
  std::vector<ConstMatrixView<float>> views;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> counts;
  Matrix<float> logits;
};

Readout random_head(std::size_t vocab_size, std::size_t width) {
  const Matrix<float> unembedding = random_matrix(vocab_size, width, "unembedding");
  const std::vector<float> norm_weight(width, 1.0F);
  ReadoutWeights weights;
  weights.unembedding = unembedding.view();
  weights.norm = ReadoutNorm::kRms;
  weights.norm_weight = norm_weight.data();
  return value_or_exit(Readout::create(weights, kRowsAtOnce));
}

std::shared_ptr<Sequence> sequence_of(std::size_t vocab_size, std::size_t width) {
  auto made = std::make_shared<Sequence>(Sequence{random_head(vocab_size, width), {}, {}, {}, {}, {}});
  Random random(2, stream_of("tokens"));
  for (std::size_t i = 0; i < kReadTokens; ++i) {
    made->targets.push_back(random.below(static_cast<std::uint32_t>(vocab_size)));
  }
  for (std::size_t v = 0; v < vocab_size; ++v) made->counts.push_back(random.below(10000));
  for (std::size_t l = 0; l <= kReadLayers; ++l) {
    made->states.push_back(random_matrix(kReadTokens, width, ("states " + std::to_string(l)).c_str()));
  }
  for (const Matrix<float>& state : made->states) made->views.push_back(state.view());
  made->logits = value_or_exit(Matrix<float>::create(kRowsAtOnce, vocab_size));
  return made;
}

// How often a verb multiplies the states of a token with the unembedding, in
// either direction.
struct Passes {
  std::size_t to_logits = 0;
  std::size_t back = 0;
  std::size_t into_table = 0;
};

// Each lens has logits of the last layer and of each other state; training passes back through each translator.
constexpr Passes kLogitLens = {.to_logits = kReadLayers + 1};
constexpr Passes kTunedLens = {.to_logits = kReadLayers + 1, .back = kReadLayers};
constexpr Passes kLedger = {.to_logits = 1, .back = 1, .into_table = 1};
constexpr Passes kLosses = {.to_logits = 1};

double operations_of(const Passes& passes, std::size_t vocab_size, std::size_t width) {
  const auto products = static_cast<double>(passes.to_logits + passes.back + passes.into_table);
  return products * 2.0 * kReadTokens * static_cast<double>(vocab_size) * static_cast<double>(width);
}

void multiply(Sequence& sequence, const Passes& passes, Matrix<float>& through, Matrix<float>& table) {
  const ConstMatrixView<float> unembedding = sequence.readout.unembedding().view();
  for (std::size_t first = 0; first < kReadTokens; first += kRowsAtOnce) {
    const auto h = sequence.views.back().row_block(first, kRowsAtOnce);
    for (std::size_t i = 0; i < passes.to_logits; ++i) matmul_nt<float>(sequence.logits.view(), h, unembedding);
    for (std::size_t i = 0; i < passes.back; ++i) matmul_nn<float>(through.view(), sequence.logits.view(), unembedding);
    for (std::size_t i = 0; i < passes.into_table; ++i) {
      matmul_tn<float>(table.view(), sequence.logits.view(), h, Accumulate::kAdd);
    }
  }
}

void read_losses(Sequence& sequence) {
  std::vector<float> losses(kReadTokens);
  for (std::size_t first = 0; first < kReadTokens; first += kRowsAtOnce) {
    const MatrixView<float> logs = sequence.logits.view();
    sequence.readout.logits(logs, sequence.views.back().row_block(first, kRowsAtOnce));
    log_softmax_rows<float>(logs, logs);
    for (std::size_t i = 0; i < kRowsAtOnce; ++i) losses[first + i] = -logs(i, sequence.targets[first + i]);
  }
  value_or_exit(loss_by_frequency(losses, sequence.targets, sequence.counts));
}

using Call = std::function<void()>;

Call lens_step(const std::shared_ptr<Sequence>& sequence) {
  const auto lens = std::make_shared<LensTraining>(value_or_exit(LensTraining::create(sequence->readout, kReadLayers)));
  return [sequence, lens] {
    double sums[kReadLayers] = {};
    exit_unless(lens->accumulate(sequence->readout, sequence->views, 1.0 / kReadTokens, sums));
    lens->update(0.001);
  };
}

OutputLedger prepared_ledger(const Readout& readout) {
  OutputLedger ledger = value_or_exit(OutputLedger::create(readout));
  exit_unless(ledger.prepare(readout, readout.vocab_size()));
  return ledger;
}

Call ledger_of(const std::shared_ptr<Sequence>& sequence) {
  const auto ledger = std::make_shared<OutputLedger>(prepared_ledger(sequence->readout));
  return [sequence, ledger] { exit_unless(ledger->add(sequence->readout, sequence->views.back(), sequence->targets)); };
}

Call products_of(const std::shared_ptr<Sequence>& sequence, const Passes& passes) {
  const std::size_t width = sequence->readout.width();
  const auto through = std::make_shared<Matrix<float>>(value_or_exit(Matrix<float>::create(kRowsAtOnce, width)));
  const std::size_t rows = passes.into_table == 0 ? 0 : sequence->readout.vocab_size();
  const auto table = std::make_shared<Matrix<float>>(value_or_exit(Matrix<float>::create(rows, width)));
  return [sequence, passes, through, table] { multiply(*sequence, passes, *through, *table); };
}

using Prepare = std::function<Call(const std::shared_ptr<Sequence>&)>;

Case case_of(const std::string& name, std::size_t vocab_size, std::size_t width, Prepare prepare) {
  Case made;
  made.id = "readout/" + name;
  made.id += "/" + std::to_string(vocab_size);
  made.id += "x" + std::to_string(width);
  made.keep = vocab_size < 10000;
  made.prepare = [prepare = std::move(prepare), vocab_size, width] { return prepare(sequence_of(vocab_size, width)); };
  return made;
}

void add_readouts_of(std::vector<Case>& cases, std::size_t vocab_size, std::size_t width) {
  const auto add = [&](const std::string& name, const Passes& passes, Prepare prepare) {
    const auto multiply_only = [passes](const std::shared_ptr<Sequence>& s) { return products_of(s, passes); };
    for (Case added : {case_of(name, vocab_size, width, std::move(prepare)),
                       case_of("products/" + name, vocab_size, width, multiply_only)}) {
      added.operations = operations_of(passes, vocab_size, width);
      added.items = kReadTokens;
      added.items_name = "tokens";
      cases.push_back(std::move(added));
    }
  };
  add("logit-lens", kLogitLens, [](const std::shared_ptr<Sequence>& s) -> Call {
    return [s] { value_or_exit(read_lens(s->readout, s->views, {}, s->targets)); };
  });
  add("tuned-lens", kTunedLens, lens_step);
  add("ledger", kLedger, ledger_of);
  add("losses", kLosses, [](const std::shared_ptr<Sequence>& s) -> Call { return [s] { read_losses(*s); }; });
  Case start = case_of("ledger-start", vocab_size, width,
                       [](const std::shared_ptr<Sequence>& s) -> Call { return [s] { prepared_ledger(s->readout); }; });
  // The lower half of U^T U, in double, and its Cholesky factor.
  start.operations = static_cast<double>(vocab_size) * static_cast<double>(width) * static_cast<double>(width);
  cases.push_back(std::move(start));
}

}  // namespace

void add_readouts(std::vector<Case>& cases) {
  add_readouts_of(cases, 512, 64);
  add_readouts_of(cases, 50257, 768);
}

}  // namespace tied::bench
