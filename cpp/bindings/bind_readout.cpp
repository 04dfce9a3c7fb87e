// Readouts: lenses, and the gradient of the unembedding divided in two. A handle holds one readout with everything that
// uses it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "diagnostics/feed_forward_map.h"
#include "diagnostics/frequency_bands.h"
#include "diagnostics/lens.h"
#include "diagnostics/output_ledger.h"
#include "diagnostics/path_reading.h"
#include "diagnostics/readout.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied::bindings {
namespace {

// Tokens whose logits are in memory at a time.
constexpr std::size_t kRows = 64;

struct Reading {
  Readout readout;
  std::optional<LensTraining> lens;
  LensTotals totals;  // of the sequence that a lens read last
  std::optional<OutputLedger> ledger;
  // Of the ledger: sums over parts of the text, each weighted by its fraction of the tokens [V, d].
  Matrix<float> input;
  Matrix<float> output;
  std::optional<FeedForwardMap> feed_forward;
  std::optional<PathReading> path;
};

Reading& reading_at(Address handle) { return *const_cast<Reading*>(at<Reading>(handle)); }

ConstMatrixView<float> matrix_or_none(Address data, std::size_t rows, std::size_t cols) {
  return data == 0 ? ConstMatrixView<float>() : matrix_at(data, rows, cols);
}

std::span<const std::uint32_t> ids_at(Address ids, std::size_t size) {
  return {at<std::uint32_t>(ids), ids == 0 ? 0 : size};
}

// `norm`: index of ReadoutNorm. 0 for every matrix or vector that the model lacks.
Address start_readout(Address unembedding, Address vocab_size, Address width, Address between, Address low_rank_a,
                      Address low_rank_b, Address rank, Address output_bias, Address norm, Address norm_weight,
                      Address norm_bias, double epsilon) {
  ReadoutWeights weights;
  weights.unembedding = matrix_at(unembedding, vocab_size, width);
  weights.between = matrix_or_none(between, width, width);
  weights.low_rank_a = matrix_or_none(low_rank_a, vocab_size, rank);
  weights.low_rank_b = matrix_or_none(low_rank_b, width, rank);
  weights.output_bias = at<float>(output_bias);
  weights.norm = static_cast<ReadoutNorm>(norm);
  weights.norm_weight = at<float>(norm_weight);
  weights.norm_bias = at<float>(norm_bias);
  weights.norm_epsilon = epsilon;
  auto readout = Readout::create(weights, kRows);
  if (!readout) {
    failed(readout.error());
    return 0;
  }
  auto made = std::make_unique<Reading>(Reading{std::move(readout).value(), {}, {}, {}, {}, {}, {}, {}});
  return reinterpret_cast<Address>(made.release());
}

void delete_readout(Address handle) { delete &reading_at(handle); }

// The states of a sequence, one block [layers n, d].
std::vector<ConstMatrixView<float>> states_at(const Reading& reading, Address states, std::size_t layers,
                                              std::size_t tokens) {
  const std::size_t width = reading.readout.width();
  std::vector<ConstMatrixView<float>> views;
  for (std::size_t i = 0; i < layers; ++i)
    views.push_back(matrix_at(states, layers * tokens, width).row_block(i * tokens, tokens));
  return views;
}

bool read_lens_of(Address handle, Address states, Address layers, Address tokens, Address weights, Address biases,
                  Address targets) {
  Reading& reading = reading_at(handle);
  const std::size_t width = reading.readout.width();
  const LensMaps maps = {matrix_or_none(weights, (layers - 1) * width, width),
                         matrix_or_none(biases, layers - 1, width)};
  auto found = read_lens(reading.readout, states_at(reading, states, layers, tokens), maps, ids_at(targets, tokens));
  if (!found) return failed(found.error());
  LensReading& lens = found.value();
  reading.totals = std::move(static_cast<LensTotals&>(lens));
  answer.write(std::move(lens));
  return true;
}

bool lens_totals(Address handle) {
  answer.write(std::move(reading_at(handle).totals));
  return true;
}

bool start_lens(Address handle, Address layers) {
  Reading& reading = reading_at(handle);
  auto made = LensTraining::create(reading.readout, layers);
  if (!made) return failed(made.error());
  reading.lens = std::move(made).value();
  return true;
}

// -> the sum of the divergences of each layer
bool train_lens(Address handle, Address states, Address layers, Address tokens, double weight) {
  Reading& reading = reading_at(handle);
  std::vector<double> sums(layers - 1);
  if (!done(
          reading.lens->accumulate(reading.readout, states_at(reading, states, layers, tokens), weight, sums.data()))) {
    return false;
  }
  answer.write(sums);
  return true;
}

bool update_lens(Address handle, double learning_rate) {
  reading_at(handle).lens->update(learning_rate);
  return true;
}

bool lens_maps(Address handle) {
  answer.write(reading_at(handle).lens->maps());
  return true;
}

Status start_ledger(Reading& reading) {
  if (reading.ledger) return {};
  auto made = OutputLedger::create(reading.readout);
  if (!made) return made.failure();
  for (Matrix<float>* gradient : {&reading.input, &reading.output}) {
    auto zeros = Matrix<float>::create(reading.readout.vocab_size(), reading.readout.width());
    if (!zeros) return zeros.failure();
    *gradient = std::move(zeros).value();
  }
  reading.ledger = std::move(made).value();
  return {};
}

// Works through `rows` more rows of the unembedding for the ledger: see OutputLedger::prepare.
bool prepare_ledger(Address handle, Address rows) {
  Reading& reading = reading_at(handle);
  if (!done(start_ledger(reading))) return false;
  return done(reading.ledger->prepare(reading.readout, rows));
}

// Adds the last states of a sequence.
bool add_to_ledger(Address handle, Address states, Address tokens, Address targets) {
  Reading& reading = reading_at(handle);
  if (!done(start_ledger(reading))) return false;
  return done(reading.ledger->add(reading.readout, matrix_at(states, tokens, reading.readout.width()),
                                  ids_at(targets, tokens)));
}

// Adds the parts by role of a gradient [V, d], times `weight`.
bool add_gradient(Address handle, Address input, Address output, double weight) {
  Reading& reading = reading_at(handle);
  if (!done(start_ledger(reading))) return false;
  const std::size_t size = reading.readout.vocab_size() * reading.readout.width();
  add_scaled(reading.input.data(), at<float>(input), size, static_cast<float>(weight));
  add_scaled(reading.output.data(), at<float>(output), size, static_cast<float>(weight));
  return true;
}

// -> `rows` rows of the parts of the gradient, from `first` on
bool gradient_rows(Address handle, Address first, Address rows) {
  const Reading& reading = reading_at(handle);
  answer.write(GradientRows{reading.input.view().row_block(first, rows), reading.output.view().row_block(first, rows)});
  return true;
}

bool ledger_of(Address handle, Address counts) {
  const Reading& reading = reading_at(handle);
  return answered(reading.ledger->summarize(reading.readout, reading.input.view(), reading.output.view(),
                                            ids_at(counts, reading.readout.vocab_size())));
}

const BigramText& bigrams_at(Address handle) { return *at<BigramText>(handle); }

Address start_bigrams(Address text, Address size, Address reference, Address reference_size, Address vocab_size) {
  auto made = BigramText::create(ids_at(text, size), ids_at(reference, reference_size), vocab_size);
  if (!made) {
    failed(made.error());
    return 0;
  }
  return reinterpret_cast<Address>(std::make_unique<BigramText>(std::move(made).value()).release());
}

void delete_bigrams(Address handle) { delete at<BigramText>(handle); }

bool bigram_facts(Address handle) {
  answer.write(bigrams_at(handle).facts());
  return true;
}

// The correlation of predictions, given by their losses, with the bigrams.
bool loss_correlation(Address handle, Address losses, Address inputs, Address targets, Address size) {
  Correlation found;
  for (std::size_t i = 0; i < size; ++i) {
    const double bigram =
        bigrams_at(handle).log_probability(at<std::uint32_t>(inputs)[i], at<std::uint32_t>(targets)[i]);
    found.add(-static_cast<double>(at<float>(losses)[i]), bigram);
  }
  answer.write(found);
  return true;
}

// A feed-forward part for paths. 0 for every matrix or vector that it lacks.
bool start_feed_forward(Address handle, Address norm, Address norm_weight, Address norm_bias, double epsilon,
                        Address hidden, Address up, Address up_bias, Address gate, Address gate_bias, Address down,
                        Address down_bias) {
  Reading& reading = reading_at(handle);
  const std::size_t width = reading.readout.width();
  FeedForwardWeights weights;
  weights.norm = {static_cast<ReadoutNorm>(norm), at<float>(norm_weight), at<float>(norm_bias), epsilon};
  weights.up = matrix_at(up, hidden, width);
  weights.up_bias = at<float>(up_bias);
  weights.gate = matrix_or_none(gate, hidden, width);
  weights.gate_bias = at<float>(gate_bias);
  weights.down = matrix_at(down, width, hidden);
  weights.down_bias = at<float>(down_bias);
  auto made = FeedForwardMap::create(weights, width, kRows);
  if (!made) return failed(made.error());
  reading.feed_forward = std::move(made).value();
  return true;
}

bool start_path(Address handle, Address bigrams) {
  Reading& reading = reading_at(handle);
  auto made = PathReading::create(reading.readout, bigrams_at(bigrams));
  if (!made) return failed(made.error());
  reading.path = std::move(made).value();
  return true;
}

// The states [n, d] of the tokens from `first` on; n <= kRows. Without bigrams nothing is measured.
bool add_path_rows(Address handle, Address bigrams, Address states, Address rows, Address first) {
  Reading& reading = reading_at(handle);
  Readout& readout = reading.readout;
  auto x = Matrix<float>::create(rows, readout.width());
  auto read = Matrix<float>::create(rows, readout.width());
  if (!x) return failed(x.error());
  if (!read) return failed(read.error());
  const MatrixView<float> mapped = x.value().view();
  std::copy_n(at<float>(states), mapped.rows * mapped.cols, mapped.data);
  if (reading.feed_forward) reading.feed_forward->apply(mapped, mapped);
  PathRows found = {std::move(read).value(), {}};
  if (bigrams != 0) {
    if (!done(reading.path->add(readout, bigrams_at(bigrams), mapped, first))) return false;
  } else {
    auto made = Matrix<float>::create(rows, readout.vocab_size());
    if (!made) return failed(made.error());
    found.logits = std::move(made).value();
    readout.logits(found.logits.view(), mapped);
  }
  std::copy_n(readout.read().data, mapped.rows * mapped.cols, found.read.data());
  answer.write(std::move(found));
  return true;
}

bool finish_path(Address handle, Address bigrams) {
  answer.write(reading_at(handle).path->summarize(bigrams_at(bigrams)));
  return true;
}

// -> U + A B^T [V, d]
bool read_unembedding(Address handle) {
  const Matrix<float>& rows = reading_at(handle).readout.unembedding();
  auto copy = Matrix<float>::create(rows.rows(), rows.cols());
  if (!copy) return failed(copy.error());
  std::copy_n(rows.data(), rows.rows() * rows.cols(), copy.value().data());
  answer.matrix(std::move(copy).value());
  return true;
}

// The losses of the targets, from logits [n, V]. -> matrix [1, n]
bool token_losses(Address logits, Address tokens, Address vocab_size, Address targets) {
  auto losses = Matrix<float>::create(1, tokens);
  if (!losses) return failed(losses.error());
  const ConstMatrixView<float> given = matrix_at(logits, tokens, vocab_size);
  for (std::size_t i = 0; i < tokens; ++i) {
    const auto of_target = static_cast<double>(given(i, at<std::uint32_t>(targets)[i]));
    losses.value()(0, i) = static_cast<float>(log_sum_exp(given.row(i), given.cols).loss_of(of_target));
  }
  return answered(std::move(losses));
}

bool loss_bands(Address losses, Address targets, Address size, Address counts, Address vocab_size) {
  return answered(loss_by_frequency({at<float>(losses), static_cast<std::size_t>(size)}, ids_at(targets, size),
                                    ids_at(counts, vocab_size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_readout) {
  using emscripten::function;
  function("startReadout", &start_readout);
  function("deleteReadout", &delete_readout);
  function("readLens", &read_lens_of);
  function("lensTotals", &lens_totals);
  function("startLens", &start_lens);
  function("trainLens", &train_lens);
  function("updateLens", &update_lens);
  function("lensMaps", &lens_maps);
  function("prepareLedger", &prepare_ledger);
  function("addToLedger", &add_to_ledger);
  function("addGradient", &add_gradient);
  function("gradientRows", &gradient_rows);
  function("finishLedger", &ledger_of);
  function("startBigrams", &start_bigrams);
  function("deleteBigrams", &delete_bigrams);
  function("bigramFacts", &bigram_facts);
  function("lossCorrelation", &loss_correlation);
  function("startFeedForward", &start_feed_forward);
  function("startPath", &start_path);
  function("addPathRows", &add_path_rows);
  function("finishPath", &finish_path);
  function("readUnembedding", &read_unembedding);
  function("tokenLosses", &token_losses);
  function("lossBands", &loss_bands);
}

}  // namespace tied::bindings
