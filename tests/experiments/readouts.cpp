#include "readouts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/random.h"
#include "diagnostics/frequency_bands.h"
#include "diagnostics/hidden_states.h"
#include "diagnostics/lens.h"
#include "diagnostics/output_ledger.h"
#include "diagnostics/readout.h"
#include "head.h"
#include "linalg/softmax.h"
#include "model/sequence_outputs.h"

namespace tied::experiments {

namespace {

constexpr std::size_t kReportedPredictions = 1024;

// The defaults of `trainTunedLens`.
constexpr std::size_t kLensSteps = 150;
constexpr std::size_t kLensTokens = 1024;
constexpr double kLensRate = 0.01;

constexpr std::size_t kAllBlocks = 1'000'000;

using Views = std::vector<ConstMatrixView<float>>;

Views views_of(const std::vector<Matrix<float>>& matrices) {
  Views views;
  for (const Matrix<float>& matrix : matrices) views.push_back(matrix.view());
  return views;
}

// Where sequence number `index` begins, as in web/core/diagnostics/tuned-lens.ts with seed 0.
std::size_t place_of(std::size_t index, std::size_t places) {
  constexpr std::uint32_t kGolden = 0x9e3779b9;  // 2^32 divided by the golden ratio
  const std::uint32_t turn = static_cast<std::uint32_t>(index + 1) * kGolden;
  return static_cast<std::size_t>(static_cast<double>(turn) / 0x1p32 * static_cast<double>(places));
}

Result<LensTraining> train_lens(Trainer<float>& trainer, Readout& readout, std::span<const std::uint32_t> ids) {
  const std::size_t layers = static_cast<std::size_t>(trainer.model_config().n_layers);
  const std::size_t length = context_of(trainer);
  const std::size_t sequences = kLensTokens / length;
  auto lens = LensTraining::create(readout, layers);
  if (!lens) return lens;
  std::vector<double> sums(layers);
  for (std::size_t step = 0; step < kLensSteps; ++step) {
    for (std::size_t i = 0; i < sequences; ++i) {
      const std::size_t first = place_of(step * sequences + i, ids.size() - length + 1);
      auto states = hidden_states(trainer.model(), ids.subspan(first, length));
      if (!states) return states.failure();
      const double weight = 1.0 / static_cast<double>(sequences * length);
      if (Status status = lens.value().accumulate(readout, views_of(states.value()), weight, sums.data()); !status) {
        return status;
      }
    }
    lens.value().update(kLensRate * (1 - static_cast<double>(step) / kLensSteps));
  }
  return lens;
}

// Sums over the tokens of a text, by layer.
void add_divergences(std::vector<double>& sums, const LensReading& reading) {
  for (std::size_t layer = 0; layer < sums.size(); ++layer) {
    for (std::size_t i = 0; i < reading.divergence.cols(); ++i) {
      sums[layer] += static_cast<double>(reading.divergence(layer, i));
    }
  }
}

double median_of(std::span<const float> values) {
  std::vector<float> sorted;
  for (const float value : values) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t half = sorted.size() / 2;
  std::sort(sorted.begin(), sorted.end());
  const double upper = static_cast<double>(sorted[half]);
  return sorted.size() % 2 == 1 ? upper : (upper + static_cast<double>(sorted[half - 1])) / 2;
}

// What reading the validation tokens stores for the measures of states and losses.
struct Found {
  std::size_t filled = 0;
  Matrix<float> before;  // the last states [n, d], before the final norm
  Matrix<float> after;   // what is multiplied with the rows of the unembedding
  std::vector<std::uint32_t> predicted;
  std::vector<float> losses;
  std::vector<double> logit_lens;  // sums of divergences, by layer
  std::vector<double> tuned_lens;
};

Status read_sequence(Trainer<float>& trainer, Readout& readout, const LensMaps& maps,
                     std::span<const std::uint32_t> ids, std::span<const std::uint32_t> targets, Found& found) {
  auto states = hidden_states(trainer.model(), ids);
  if (!states) return states.failure();
  const Views views = views_of(states.value());
  auto plain = read_lens(readout, views, {}, targets);
  if (!plain) return plain.failure();
  auto tuned = read_lens(readout, views, maps, {});
  if (!tuned) return tuned.failure();
  add_divergences(found.logit_lens, plain.value());
  add_divergences(found.tuned_lens, tuned.value());
  const std::size_t last = views.size() - 1;
  const auto tokens = static_cast<std::ptrdiff_t>(ids.size());
  const auto& predicted = plain.value().predicted;
  found.predicted.insert(found.predicted.end(), predicted.end() - tokens, predicted.end());
  const float* losses = plain.value().loss.view().row(last);
  found.losses.insert(found.losses.end(), losses, losses + tokens);
  auto logits = Matrix<float>::create(kReadRows, readout.vocab_size());
  if (!logits) return logits.failure();
  for (std::size_t first = 0; first < ids.size(); first += kReadRows) {
    const std::size_t count = std::min(kReadRows, ids.size() - first);
    const ConstMatrixView<float> h = views.back().row_block(first, count);
    readout.logits(logits.value().view().row_block(0, count), h);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(h.row(i), h.cols, found.before.view().row(found.filled));
      std::copy_n(readout.read().row(i), h.cols, found.after.view().row(found.filled));
      ++found.filled;
    }
  }
  return {};
}

// The fraction of rows that the output part pushes away if the target tokens are drawn from the model's own prediction,
// as if it were correct: a mean over samples. A row is pushed if its token occurs less often than expected.
Result<double> pushed_by_drawn_targets(Trainer<float>& trainer, std::span<const std::uint32_t> inputs) {
  constexpr std::size_t kSamples = 20;
  const auto vocab_size = static_cast<std::size_t>(trainer.model_config().vocab_size);
  const std::size_t length = context_of(trainer);
  Random random(0, stream_of("drawn targets"));
  std::vector<double> expected(vocab_size);
  std::vector<std::vector<std::size_t>> drawn(kSamples, std::vector<std::size_t>(vocab_size));
  std::vector<double> sums(vocab_size);
  for (std::size_t first = 0; first < inputs.size(); first += length) {
    const std::size_t count = std::min(length, inputs.size() - first);
    auto made = sequence_logits(trainer.model(), inputs.subspan(first, count));
    if (!made) return made.failure();
    const MatrixView<float> predictions = made.value().view();
    softmax_rows<float>(predictions, predictions);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t v = 0; v < vocab_size; ++v) {
        expected[v] += static_cast<double>(predictions(i, v));
        sums[v] = sum += static_cast<double>(predictions(i, v));
      }
      for (std::vector<std::size_t>& counts : drawn) {
        const auto place = std::upper_bound(sums.begin(), sums.end(), random.uniform_double() * sum);
        ++counts[std::min(static_cast<std::size_t>(place - sums.begin()), vocab_size - 1)];
      }
    }
  }
  std::size_t pushed = 0;
  for (const std::vector<std::size_t>& counts : drawn) {
    for (std::size_t v = 0; v < vocab_size; ++v) pushed += expected[v] > static_cast<double>(counts[v]) ? 1 : 0;
  }
  return static_cast<double>(pushed) / static_cast<double>(kSamples * vocab_size);
}

Status decompose(const Matrix<float>& hidden, const Trainer<float>& trainer, std::span<const std::uint32_t> tokens,
                 const std::string& which, const Print& print) {
  auto made = HiddenStates::create(hidden.view(), matrix_if_any(trainer, "unembedding"), tokens,
                                   matrix_if_any(trainer, "embedding"));
  if (!made) return made.failure();
  HiddenStates& states = made.value();
  states.advance(kAllBlocks);
  const auto measure = [&](HiddenMeasure of) {
    return std::span<const float>(states.measures().view().row(static_cast<std::size_t>(of)), hidden.rows());
  };
  print("perpendicular over parallel, " + which, median_of(measure(HiddenMeasure::kRatio)));
  print("perpendicular over parallel, " + which + ", by chance", median_of(measure(HiddenMeasure::kShuffledRatio)));
  const auto print_largest = [&](const std::string& row, HiddenMeasure of, std::size_t of_random) {
    const std::string quantity = "perpendicular part's largest cosine with " + row + ", " + which;
    print(quantity, median_of(measure(of)));
    const Matrix<float>& random = states.by_chance();
    print(quantity + ", by chance", median_of({random.view().row(of_random), random.cols()}));
  };
  print_largest("another row", HiddenMeasure::kMaxOtherCosine, 0);
  print_largest("another row without the mean", HiddenMeasure::kMaxOtherCentered, 1);
  double output = 0;
  double input = 0;
  for (std::size_t i = 0; i < hidden.rows(); ++i) {
    const double parallel = static_cast<double>(measure(HiddenMeasure::kParallel)[i]);
    output += parallel / std::hypot(parallel, static_cast<double>(measure(HiddenMeasure::kOrthogonal)[i]));
    input += static_cast<double>(measure(HiddenMeasure::kInputCosine)[i]);
  }
  print("cosine with the output row, " + which, output / static_cast<double>(hidden.rows()));
  print("cosine with the input row, " + which, input / static_cast<double>(hidden.rows()));
  return {};
}

}  // namespace

Status measure_gradient(Trainer<float>& trainer, const Split& split, const std::string& at, const Print& print) {
  const std::size_t tokens = std::min(kReportedPredictions, split.validation.size() - 1);
  const auto inputs = split.validation.first(tokens);
  const auto targets = split.validation.subspan(1, tokens);
  auto gradient = trainer.gradient(TokenBatch{.inputs = inputs.data(), .targets = targets.data(), .size = tokens});
  if (!gradient) return gradient.failure();
  auto readout = readout_of(trainer);
  if (!readout) return readout.failure();
  auto ledger = OutputLedger::create(readout.value());
  if (!ledger) return ledger.failure();
  const std::size_t length = context_of(trainer);
  for (std::size_t first = 0; first < tokens; first += length) {
    const std::size_t count = std::min(length, tokens - first);
    auto states = hidden_states(trainer.model(), inputs.subspan(first, count));
    if (!states) return states.failure();
    Status status = ledger.value().add(readout.value(), states.value().back().view(), targets.subspan(first, count));
    if (!status) return status;
  }
  auto summary = ledger.value().summarize(readout.value(), gradient.value().input.view(),
                                          gradient.value().output.view(), split.counts);
  if (!summary) return summary.failure();
  const LedgerSummary& found = summary.value();
  const double by_position = gradient.value().input_position_norm;
  print("held-out output share" + at, found.norms.output / (found.norms.output + found.norms.input));
  print("held-out output share by position" + at, found.norms.output / (found.norms.output + by_position));
  print("pull over push" + at, found.norms.pull / found.norms.push);
  std::size_t pushed = 0;
  for (const LedgerBand& band : found.bands) pushed += band.pushed_rows;
  print("pushed rows" + at, static_cast<double>(pushed) / static_cast<double>(readout.value().vocab_size()));
  auto drawn = pushed_by_drawn_targets(trainer, inputs);
  if (!drawn) return drawn.failure();
  print("pushed rows, targets drawn from the predictions" + at, drawn.value());
  print("reach" + at, found.reach);
  print("reach by chance" + at, found.reach_by_chance);
  return {};
}

Status measure_states(Trainer<float>& trainer, const Split& split, const Print& print) {
  const std::size_t layers = static_cast<std::size_t>(trainer.model_config().n_layers);
  const std::size_t tokens = split.validation.size() - 1;
  auto readout = readout_of(trainer);
  if (!readout) return readout.failure();
  auto lens = train_lens(trainer, readout.value(), split.training);
  if (!lens) return lens.failure();
  Found found;
  for (Matrix<float>* states : {&found.before, &found.after}) {
    auto made = Matrix<float>::create(tokens, readout.value().width());
    if (!made) return made.failure();
    *states = std::move(made).value();
  }
  found.logit_lens.resize(layers);
  found.tuned_lens.resize(layers);
  const std::size_t length = context_of(trainer);
  const auto targets = split.validation.subspan(1);
  for (std::size_t first = 0; first < tokens; first += length) {
    const std::size_t count = std::min(length, tokens - first);
    Status status = read_sequence(trainer, readout.value(), lens.value().maps(), split.validation.subspan(first, count),
                                  targets.subspan(first, count), found);
    if (!status) return status;
  }
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::string at = ", layer " + text_of(layer);
    print("logit lens" + at, found.logit_lens[layer] / static_cast<double>(tokens));
    print("tuned lens" + at, found.tuned_lens[layer] / static_cast<double>(tokens));
  }
  for (const auto& [hidden, where] : {std::pair{&found.after, ""}, {&found.before, ", before the norm"}}) {
    if (Status status = decompose(*hidden, trainer, found.predicted, std::string("predicted") + where, print);
        !status) {
      return status;
    }
    if (Status status = decompose(*hidden, trainer, targets, std::string("right") + where, print); !status) {
      return status;
    }
  }
  auto bands = loss_by_frequency(found.losses, targets, split.counts);
  if (!bands) return bands.failure();
  for (const LossBand& band : bands.value()) {
    const std::string which = ", tokens with " + text_of(band.limits.from) + " to " + text_of(band.limits.to);
    print("loss" + which, band.loss);
    print("predictions" + which, static_cast<double>(band.tokens));
  }
  return {};
}

}  // namespace tied::experiments
