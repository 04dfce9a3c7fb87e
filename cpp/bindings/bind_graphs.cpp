// Graphs: of nearest neighbors, and of the pairs of a text.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/diagnostic_work.h"
#include "bindings/transfer.h"
#include "diagnostics/cycles.h"
#include "diagnostics/spectral_distance.h"

namespace tied::bindings {
namespace {

// [rows, left out, largest residual], then the distance of each run.
void answer_results_of(const SpectralDistance& found) {
  double residual = 0;
  for (const OmnibusEigen& run : found.runs()) residual = std::max(residual, run.residual());
  std::vector<double> numbers = {static_cast<double>(found.rows()), static_cast<double>(found.left_out()), residual};
  for (const OmnibusEigen& run : found.runs()) numbers.push_back(run.distance());
  answer.numbers(std::move(numbers));
}

// The tables are copied by the work itself.
Address start_spectral_distance(Address a, Address a_rows, Address a_cols, Address b, Address b_rows, Address b_cols,
                                Address k, Address dimensions, bool centered, Address sample, Address null_runs,
                                double seed) {
  SpectralOptions options;
  options.k = k;
  options.dimensions = dimensions;
  options.metric = centered ? NeighborMetric::kCenteredCosine : NeighborMetric::kCosine;
  options.sample = sample;
  options.null_runs = null_runs;
  options.seed = static_cast<std::uint64_t>(seed);
  return start(
      {},
      [&](Tables) {
        return SpectralDistance::create(matrix_at(a, a_rows, a_cols), matrix_at(b, b_rows, b_cols), options);
      },
      answer_results_of);
}

// [compared, one way, the affinity of the counts and of each run; per cycle: three tokens, forward, backward, flow]
void answer_results_of(const KolmogorovCycles& found) {
  std::vector<double> numbers = {static_cast<double>(found.compared()), static_cast<double>(found.one_way())};
  for (const double affinity : found.affinities()) numbers.push_back(affinity);
  for (const Cycle& cycle : found.strongest()) {
    for (const std::uint32_t token : cycle.tokens) numbers.push_back(token);
    for (const double number : {cycle.forward, cycle.backward, cycle.flow}) numbers.push_back(number);
  }
  answer.numbers(std::move(numbers));
}

// The pairs are indexed by the work itself.
Address start_cycles(Address counts, Address vocab_size, Address listed, Address null_runs, double seed) {
  return start(
      {},
      [&](Tables) {
        return KolmogorovCycles::create(
            matrix_at(counts, vocab_size, vocab_size),
            {.listed = listed, .null_runs = null_runs, .seed = static_cast<std::uint64_t>(seed)});
      },
      answer_results_of);
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_graphs) {
  emscripten::function("startSpectralDistance", &start_spectral_distance);
  emscripten::function("startCycles", &start_cycles);
  bind_diagnostic_work();
}

}  // namespace tied::bindings
