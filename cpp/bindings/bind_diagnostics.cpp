// Diagnostics of embedding tables. Those that take long work in parts: `start...` copies the tables and returns a
// handle, `advanceDiagnostic` does some of the work, `finishDiagnostic` puts the results into the answer.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/diagnostic_work.h"
#include "bindings/transfer.h"
#include "diagnostics/alignment.h"
#include "diagnostics/hidden_states.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/neighbors.h"
#include "diagnostics/norm_frequency.h"
#include "diagnostics/similarity.h"
#include "diagnostics/spectrum.h"
#include "linalg/checks.h"

namespace tied::bindings {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

ConstMatrixView<float> row_of(std::span<const float> values) { return {values.data(), 1, values.size()}; }

void answer_results_of(const Alignment& found) {
  const Agreement& fit = found.agreement();
  const Agreement held = found.held_out().value_or(Agreement{kNaN, kNaN, 0});
  std::vector<double> numbers = {
      fit.mean_cosine,  fit.residual,  static_cast<double>(found.left_out()), found.theory().value_or(kNaN),
      held.mean_cosine, held.residual, static_cast<double>(held.rows)};
  for (const double cosine : found.null_cosines()) numbers.push_back(cosine);
  answer.numbers(std::move(numbers));
  answer.matrix(row_of(found.cosines()));
  answer.matrix(found.map().view());
}

void answer_results_of(const NeighborOverlap& found) {
  answer.numbers({found.overlap(), found.by_chance(), found.standard_error(), static_cast<double>(found.left_out())});
  answer.matrix(row_of(found.overlaps()));
  answer.ids(found.rows());
}

void answer_results_of(const Spectrum& found) {
  std::vector<double> numbers = {found.dimensions().participation_ratio, found.dimensions().effective_rank,
                                 static_cast<double>(found.left_out())};
  for (const double value : found.values()) numbers.push_back(value);
  answer.numbers(std::move(numbers));
}

void answer_results_of(const Similarity& found) {
  const SpaceSimilarity& similarity = found.similarity();
  answer.numbers({similarity.cka, similarity.cka_by_chance, similarity.subspace_overlap, similarity.subspace_by_chance,
                  static_cast<double>(similarity.left_out), static_cast<double>(similarity.dimensions)});
}

void answer_results_of(const Isotropy& found) {
  const IsotropyMeasures& measures = found.measures();
  answer.numbers({measures.mean_cosine, measures.centered_mean_cosine, measures.projected_mean_cosine,
                  measures.iso_score, measures.partition, measures.centered_partition,
                  measures.dimensions.participation_ratio, measures.dimensions.effective_rank, measures.mean_share,
                  static_cast<double>(measures.left_out), measures.frequency_r2.value_or(kNaN),
                  measures.held_out_frequency_r2.value_or(kNaN), measures.projected_iso_score,
                  measures.projected_partition, measures.projected_dimensions.participation_ratio,
                  measures.projected_dimensions.effective_rank, measures.projected_mean_square});
}

void answer_results_of(const HiddenStates& found) {
  answer.numbers({found.baseline(), static_cast<double>(found.left_out())});
  answer.matrix(found.measures().view());
  answer.matrix(found.by_chance().view());
}

// `method`: index of AlignmentMethod.
Address start_alignment(Address source, Address source_rows, Address source_cols, Address target, Address target_rows,
                        Address target_cols, Address method, bool center, double penalty, double hold_out,
                        Address null_runs, double seed) {
  AlignmentOptions options;
  options.method = static_cast<AlignmentMethod>(method);
  options.center = center;
  options.penalty = penalty;
  options.hold_out = hold_out;
  options.null_runs = null_runs;
  options.seed = static_cast<std::uint64_t>(seed);
  return start(
      {matrix_at(source, source_rows, source_cols), matrix_at(target, target_rows, target_cols)},
      [&](Tables tables) { return Alignment::create(tables[0].view(), tables[1].view(), options); }, answer_results_of);
}

// The tables are copied by the work itself.
Address start_overlap(Address a, Address a_rows, Address a_cols, Address b, Address b_rows, Address b_cols, Address k,
                      bool centered, Address sample, double seed) {
  const OverlapOptions options = {k, centered ? NeighborMetric::kCenteredCosine : NeighborMetric::kCosine, sample,
                                  static_cast<std::uint64_t>(seed)};
  return start(
      {},
      [&](Tables) {
        return NeighborOverlap::create(matrix_at(a, a_rows, a_cols), matrix_at(b, b_rows, b_cols), options);
      },
      answer_results_of);
}

Address start_spectrum(Address table, Address rows, Address cols, Address mean) {
  return start(
      {matrix_at(table, rows, cols)},
      [&](Tables tables) { return Spectrum::create(tables[0].view(), static_cast<MeanRow>(mean)); }, answer_results_of);
}

Address start_similarity(Address a, Address a_rows, Address a_cols, Address b, Address b_rows, Address b_cols,
                         Address dimensions, bool or_fewer) {
  return start(
      {matrix_at(a, a_rows, a_cols), matrix_at(b, b_rows, b_cols)},
      [&](Tables tables) { return Similarity::create(tables[0].view(), tables[1].view(), dimensions, or_fewer); },
      answer_results_of);
}

// `counts`: 0 if absent.
Address start_isotropy(Address table, Address rows, Address cols, Address counts, Address count_size, double seed) {
  const std::span<const std::uint32_t> given(at<std::uint32_t>(counts), counts == 0 ? 0 : count_size);
  return start(
      {matrix_at(table, rows, cols)},
      [&](Tables tables) { return Isotropy::create(tables[0].view(), given, static_cast<std::uint64_t>(seed)); },
      answer_results_of);
}

// `embedding`: 0 if absent.
Address start_hidden_states(Address hidden, Address hidden_rows, Address width, Address unembedding, Address vocab_size,
                            Address unembedding_cols, Address embedding, Address embedding_rows, Address embedding_cols,
                            Address targets, Address target_size, double seed) {
  ConstMatrixView<float> input;
  if (embedding != 0) input = matrix_at(embedding, embedding_rows, embedding_cols);
  const std::span<const std::uint32_t> ids(at<std::uint32_t>(targets), target_size);
  return start(
      {matrix_at(hidden, hidden_rows, width), matrix_at(unembedding, vocab_size, unembedding_cols), input},
      [&](Tables tables) {
        return HiddenStates::create(tables[0].view(), tables[1].view(), ids,
                                    embedding == 0 ? ConstMatrixView<float>() : tables[2].view(),
                                    static_cast<std::uint64_t>(seed));
      },
      answer_results_of);
}

// The nearest rows: ids, then cosines. `vector` is 0 to ask about row `row`.
bool neighbors(Address table, Address rows, Address cols, Address vector, Address row, Address k, bool centered) {
  const ConstMatrixView<float> given = matrix_at(table, rows, cols);
  const auto directions =
      Directions::create("table", given, centered ? NeighborMetric::kCenteredCosine : NeighborMetric::kCosine);
  if (!directions) return failed(directions.error());
  auto query = Matrix<float>::create(1, cols);
  if (!query) return failed(query.error());
  const float* direction = vector == 0 ? given.row(row) : at<float>(vector);
  if (!directions.value().direction_of(query.value().data(), direction)) {
    const auto what = make_error(ErrorCode::kInvalidArgument, vector == 0 ? "row" : "vector", "without a direction",
                                 "one that is not zero or, if centered, the mean row");
    return failed(what.error());
  }
  const std::size_t others = directions.value().count() - (vector == 0 ? 1 : 0);
  if (k > others) {
    return failed(make_error(ErrorCode::kInvalidArgument, "k", k,
                             joined({"at most ", text_of(others), ", the other rows that have a direction"}))
                      .error());
  }
  auto search = NeighborSearch::create(1, k);
  if (!search) return failed(search.error());
  const std::uint32_t itself = static_cast<std::uint32_t>(row);
  search.value().find(directions.value(), query.value().view(),
                      vector == 0 ? std::span<const std::uint32_t>(&itself, 1) : std::span<const std::uint32_t>());
  std::vector<double> numbers;
  for (const Neighbor& neighbor : search.value().of(0)) {
    numbers.push_back(neighbor.row);
    numbers.push_back(static_cast<double>(neighbor.cosine));
  }
  answer.numbers(std::move(numbers));
  return true;
}

// [spearman, pearson, by chance, mean norm, deviation, left out], then [from, to, mean norm, rows] of each band.
bool norm_frequency_of(Address table, Address rows, Address cols, Address counts, Address count_size) {
  const auto result =
      norm_frequency(matrix_at(table, rows, cols), {at<std::uint32_t>(counts), static_cast<std::size_t>(count_size)});
  if (!result) return failed(result.error());
  const NormFrequency& found = result.value();
  std::vector<double> numbers = {found.spearman,  found.pearson,   found.by_chance,
                                 found.mean_norm, found.deviation, static_cast<double>(found.left_out)};
  for (const FrequencyBand& band : found.bands) {
    for (const double value : {static_cast<double>(band.limits.from), static_cast<double>(band.limits.to),
                               band.mean_norm, static_cast<double>(band.rows)}) {
      numbers.push_back(value);
    }
  }
  answer.numbers(std::move(numbers));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_diagnostics) {
  using emscripten::function;
  function("startAlignment", &start_alignment);
  function("startOverlap", &start_overlap);
  function("startSpectrum", &start_spectrum);
  function("startSimilarity", &start_similarity);
  function("startIsotropy", &start_isotropy);
  function("startHiddenStates", &start_hidden_states);
  bind_diagnostic_work();
  function("neighbors", &neighbors);
  function("normFrequency", &norm_frequency_of);
}

}  // namespace tied::bindings
