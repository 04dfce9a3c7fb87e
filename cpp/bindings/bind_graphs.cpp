// Graphs of nearest neighbors and of the pairs of a text, and what takes long on squares of all pairs: the floor of
// tied paths, and tables from logits.
#include <cstdint>

#include <emscripten/bind.h>

#include "bindings/diagnostic_work.h"
#include "bindings/transfer.h"
#include "diagnostics/cycles.h"
#include "diagnostics/spectral_distance.h"
#include "direct_path/recovered_table.h"
#include "direct_path/tied_floor.h"

namespace tied::bindings {
namespace {

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
  return start({}, [&](Tables) {
    return SpectralDistance::create(matrix_at(a, a_rows, a_cols), matrix_at(b, b_rows, b_cols), options);
  });
}

// The pairs are indexed by the work itself.
Address start_cycles(Address counts, Address vocab_size, Address listed, Address null_runs, double seed) {
  return start({}, [&](Tables) {
    return KolmogorovCycles::create(
        matrix_at(counts, vocab_size, vocab_size),
        {.listed = listed, .null_runs = null_runs, .seed = static_cast<std::uint64_t>(seed)});
  });
}

// Both copy what they read.
Address start_tied_floor(Address counts, Address vocab_size, Address steps, double tolerance, double seed) {
  return start({}, [&](Tables) {
    return TiedFloor::create(matrix_at(counts, vocab_size, vocab_size),
                             {.steps = steps, .tolerance = tolerance, .seed = static_cast<std::uint64_t>(seed)});
  });
}

Address start_recovery(Address logits, Address vocab_size, Address width, double tolerance) {
  return start({}, [&](Tables) {
    return RecoveredTable::create(matrix_at(logits, vocab_size, vocab_size), {.width = width, .tolerance = tolerance});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_graphs) {
  emscripten::function("startSpectralDistance", &start_spectral_distance);
  emscripten::function("startCycles", &start_cycles);
  emscripten::function("startTiedFloor", &start_tied_floor);
  emscripten::function("startRecovery", &start_recovery);
  bind_diagnostic_work();
}

}  // namespace tied::bindings
