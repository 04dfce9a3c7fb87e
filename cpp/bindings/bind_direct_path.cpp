// The direct path, its symmetry, best fits and floors.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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
  return answer_matrix(direct_path(factors_at(embedding, unembedding, between, vocab_size, d_model)));
}

// [symmetric, whether pairs were compared, maxDifference, asymmetry, norm, symmetricNorm, skewNorm], then
// [row, col, forward, backward] of each of the worst pairs.
bool answer_symmetry(const Result<Symmetry>& result) {
  if (!result) return failed(result.error());
  const Symmetry& found = result.value();
  std::vector<double> numbers = {found.symmetric ? 1.0 : 0.0,
                                 found.max_difference ? 1.0 : 0.0,
                                 found.max_difference.value_or(0),
                                 found.asymmetry,
                                 found.norm,
                                 found.symmetric_norm,
                                 found.skew_norm};
  for (const SymmetryPair& pair : found.worst) {
    for (const double value :
         {static_cast<double>(pair.row), static_cast<double>(pair.col), pair.forward, pair.backward}) {
      numbers.push_back(value);
    }
  }
  answer.numbers(std::move(numbers));
  return true;
}

SymmetryOptions symmetry_options(double tolerance, Address worst) {
  SymmetryOptions options;
  options.tolerance = tolerance;
  options.worst = worst;
  return options;
}

bool symmetry_of(Address square, Address size, double tolerance, Address worst) {
  return answer_symmetry(symmetry(matrix_at(square, size, size), symmetry_options(tolerance, worst)));
}

bool path_symmetry(Address embedding, Address unembedding, Address between, Address vocab_size, Address d_model,
                   double tolerance, Address worst) {
  return answer_symmetry(direct_path_symmetry(factors_at(embedding, unembedding, between, vocab_size, d_model),
                                              symmetry_options(tolerance, worst)));
}

// embedding [V, d], target [V, V].
bool solve(Address embedding, Address target, Address vocab_size, Address d_model) {
  return answer_matrix(
      solve_unembedding(matrix_at(embedding, vocab_size, d_model), matrix_at(target, vocab_size, vocab_size)));
}

// [untied, tied, symmetric, skew]
bool fits(Address target, Address size, Address d_model) {
  const auto bounds = fit_bounds(matrix_at(target, size, size), d_model);
  if (!bounds) return failed(bounds.error());
  answer.numbers({bounds.value().untied, bounds.value().tied, bounds.value().symmetric, bounds.value().skew});
  return true;
}

void answer_bounds(const BigramBounds& bounds) {
  answer.numbers({bounds.unigram, bounds.bigram, bounds.symmetric_logits, bounds.symmetric_logits_gap});
}

// [unigram, bigram, symmetricLogits, symmetricLogitsGap]
bool bounds_of_counts(Address counts, Address vocab_size) {
  const auto bounds = bigram_bounds(matrix_at(counts, vocab_size, vocab_size));
  if (!bounds) return failed(bounds.error());
  answer_bounds(bounds.value());
  return true;
}

// The same for a chain, followed by its stationary distribution.
bool bounds_of_chain(Address transition, Address states) {
  const auto bounds = markov_bounds(matrix_at(transition, states, states));
  if (!bounds) return failed(bounds.error());
  answer_bounds(bounds.value().bounds);
  auto stationary = Matrix<float>::create(1, states);
  if (!stationary) return failed(stationary.error());
  for (std::size_t i = 0; i < states; ++i) {
    stationary.value().data()[i] = static_cast<float>(bounds.value().stationary[i]);
  }
  answer.matrix(std::move(stationary).value());
  return true;
}

ReversibleChains& chains_at(Address handle) { return *const_cast<ReversibleChains*>(at<ReversibleChains>(handle)); }

// The net flow; JS and mutual information of the counts. 0 on failure.
Address start_irreversibility(Address counts, Address vocab_size, Address runs, double seed) {
  const ConstMatrixView<float> table = matrix_at(counts, vocab_size, vocab_size);
  auto chains = ReversibleChains::create(table, runs, static_cast<std::uint64_t>(seed));
  if (!chains) {
    failed(chains.error());
    return 0;
  }
  if (!answer_matrix(net_flow(table))) return 0;
  const BigramEntropies& entropies = chains.value().entropies();
  answer.numbers({entropies.jensen_shannon, std::max(entropies.unigram - entropies.bigram, 0.0)});
  return reinterpret_cast<Address>(std::make_unique<ReversibleChains>(std::move(chains).value()).release());
}

// The fraction of the null that has been drawn, and JS of its complete samples.
bool advance_irreversibility(Address handle, Address pairs) {
  ReversibleChains& chains = chains_at(handle);
  chains.advance(pairs);
  std::vector<double> numbers = {chains.share()};
  for (const double divergence : chains.divergences()) numbers.push_back(divergence);
  answer.numbers(std::move(numbers));
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
