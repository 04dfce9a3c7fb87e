// The direct path, its symmetry, best fits and floors.
#include <memory>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "direct_path/bigram_bounds.h"
#include "direct_path/direct_path.h"
#include "direct_path/fits.h"
#include "direct_path/irreversibility.h"
#include "direct_path/symmetry.h"

namespace tied::bindings {
namespace {

// Addresses of `unembedding` and `between` are 0 if absent.
DirectPathFactors factors_at(Address embedding, Address unembedding, Address between, Address vocab_size,
                             Address d_model) {
  DirectPathFactors factors;
  factors.embedding = matrix_at(embedding, vocab_size, d_model);
  if (unembedding != 0) factors.unembedding = matrix_at(unembedding, vocab_size, d_model);
  if (between != 0) factors.between = matrix_at(between, d_model, d_model);
  return factors;
}

bool path(Address embedding, Address unembedding, Address between, Address vocab_size, Address d_model) {
  return answered(direct_path(factors_at(embedding, unembedding, between, vocab_size, d_model)));
}

SymmetryOptions symmetry_options(double tolerance, Address worst) {
  SymmetryOptions options;
  options.tolerance = tolerance;
  options.worst = worst;
  return options;
}

bool symmetry_of(Address square, Address size, double tolerance, Address worst) {
  return answered(symmetry(matrix_at(square, size, size), symmetry_options(tolerance, worst)));
}

bool path_symmetry(Address embedding, Address unembedding, Address between, Address vocab_size, Address d_model,
                   double tolerance, Address worst) {
  return answered(direct_path_symmetry(factors_at(embedding, unembedding, between, vocab_size, d_model),
                                       symmetry_options(tolerance, worst)));
}

// embedding [V, d], target [V, V].
bool solve(Address embedding, Address target, Address vocab_size, Address d_model) {
  return answered(
      solve_unembedding(matrix_at(embedding, vocab_size, d_model), matrix_at(target, vocab_size, vocab_size)));
}

bool fits(Address target, Address size, Address d_model) {
  return answered(fit_bounds(matrix_at(target, size, size), d_model));
}

bool bounds_of_counts(Address counts, Address vocab_size) {
  return answered(bigram_bounds(matrix_at(counts, vocab_size, vocab_size)));
}

bool bounds_of_chain(Address transition, Address states) {
  return answered(markov_bounds(matrix_at(transition, states, states)));
}

ReversibleChains& chains_at(Address handle) { return *const_cast<ReversibleChains*>(at<ReversibleChains>(handle)); }

// -> the net flow, and the entropies of the counts. 0 on failure.
Address start_irreversibility(Address counts, Address vocab_size, Address runs, double seed) {
  const ConstMatrixView<float> table = matrix_at(counts, vocab_size, vocab_size);
  auto chains = ReversibleChains::create(table, runs, static_cast<std::uint64_t>(seed));
  if (!chains) {
    failed(chains.error());
    return 0;
  }
  if (!answered(net_flow(table))) return 0;
  answer.write(chains.value().entropies());
  return reinterpret_cast<Address>(std::make_unique<ReversibleChains>(std::move(chains).value()).release());
}

bool advance_irreversibility(Address handle, Address pairs) {
  ReversibleChains& chains = chains_at(handle);
  chains.advance(pairs);
  answer.write(chains);
  return true;
}

void drop_irreversibility(Address handle) { delete &chains_at(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_direct_path) {
  using emscripten::function;
  function("directPath", &path);
  function("symmetry", &symmetry_of);
  function("directPathSymmetry", &path_symmetry);
  function("solveUnembedding", &solve);
  function("fitBounds", &fits);
  function("bigramBounds", &bounds_of_counts);
  function("markovBounds", &bounds_of_chain);
  function("startIrreversibility", &start_irreversibility);
  function("advanceIrreversibility", &advance_irreversibility);
  function("deleteIrreversibility", &drop_irreversibility);
}

}  // namespace tied::bindings
