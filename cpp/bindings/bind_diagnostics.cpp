// Diagnostics of embedding tables. Those that take long work in parts: `start...` copies the tables and returns a
// handle, `advanceDiagnostic` does some of the work, `finishDiagnostic` puts the results into the answer.
#include <span>

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
  return start({matrix_at(source, source_rows, source_cols), matrix_at(target, target_rows, target_cols)},
               [&](Tables tables) { return Alignment::create(tables[0].view(), tables[1].view(), options); });
}

// The tables are copied by the work itself.
Address start_overlap(Address a, Address a_rows, Address a_cols, Address b, Address b_rows, Address b_cols, Address k,
                      bool centered, Address sample, double seed) {
  const OverlapOptions options = {k, centered ? NeighborMetric::kCenteredCosine : NeighborMetric::kCosine, sample,
                                  static_cast<std::uint64_t>(seed)};
  return start({}, [&](Tables) {
    return NeighborOverlap::create(matrix_at(a, a_rows, a_cols), matrix_at(b, b_rows, b_cols), options);
  });
}

Address start_spectrum(Address table, Address rows, Address cols, Address mean) {
  return start({matrix_at(table, rows, cols)},
               [&](Tables tables) { return Spectrum::create(tables[0].view(), static_cast<MeanRow>(mean)); });
}

Address start_similarity(Address a, Address a_rows, Address a_cols, Address b, Address b_rows, Address b_cols,
                         Address dimensions, bool or_fewer) {
  return start({matrix_at(a, a_rows, a_cols), matrix_at(b, b_rows, b_cols)}, [&](Tables tables) {
    return Similarity::create(tables[0].view(), tables[1].view(), dimensions, or_fewer);
  });
}

// `counts`: 0 if absent.
Address start_isotropy(Address table, Address rows, Address cols, Address counts, Address count_size, double seed) {
  const std::span<const std::uint32_t> given(at<std::uint32_t>(counts), counts == 0 ? 0 : count_size);
  return start({matrix_at(table, rows, cols)}, [&](Tables tables) {
    return Isotropy::create(tables[0].view(), given, static_cast<std::uint64_t>(seed));
  });
}

// `embedding`: 0 if absent.
Address start_hidden_states(Address hidden, Address hidden_rows, Address width, Address unembedding, Address vocab_size,
                            Address unembedding_cols, Address embedding, Address embedding_rows, Address embedding_cols,
                            Address targets, Address target_size, double seed) {
  ConstMatrixView<float> input;
  if (embedding != 0) input = matrix_at(embedding, embedding_rows, embedding_cols);
  const std::span<const std::uint32_t> ids(at<std::uint32_t>(targets), target_size);
  return start({matrix_at(hidden, hidden_rows, width), matrix_at(unembedding, vocab_size, unembedding_cols), input},
               [&](Tables tables) {
                 return HiddenStates::create(tables[0].view(), tables[1].view(), ids,
                                             embedding == 0 ? ConstMatrixView<float>() : tables[2].view(),
                                             static_cast<std::uint64_t>(seed));
               });
}

// -> the nearest rows. `vector` is 0 to ask about row `row`.
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
  answer.write(search.value().of(0));
  return true;
}

bool norm_frequency_of(Address table, Address rows, Address cols, Address counts, Address count_size) {
  return answered(
      norm_frequency(matrix_at(table, rows, cols), {at<std::uint32_t>(counts), static_cast<std::size_t>(count_size)}));
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
