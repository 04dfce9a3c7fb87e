// Work and memory of a batch.
#include <cstdint>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "accounting/compute.h"
#include "bindings/architecture_numbers.h"

namespace tied::bindings {
namespace {

// Before the cutoffs: sequences, tokens, encoder_tokens, tying, precision, optimizer_numbers, samples, divisor,
// culled_vocab_size, clusters, number of cutoffs. web/core/count-compute.ts has the same order.
Batch batch_at(Address address) {
  const double* from = at<double>(address);
  const auto next = [&from] { return static_cast<std::uint64_t>(*from++); };
  Batch batch;
  HeadOptions& heads = batch.heads;
  batch.sequences = next();
  batch.tokens = next();
  batch.encoder_tokens = next();
  batch.tying = static_cast<TableTying>(next());
  batch.precision = static_cast<Precision>(next());
  for (std::uint64_t* field :
       {&batch.optimizer_numbers, &heads.samples, &heads.divisor, &heads.culled_vocab_size, &heads.clusters}) {
    *field = next();
  }
  heads.cutoffs.resize(static_cast<std::size_t>(next()));
  for (std::uint64_t& cutoff : heads.cutoffs) cutoff = next();
  return batch;
}

// -> counts_of, in that order
bool compute(Address architecture, Address batch) {
  const auto counted = count_compute(architecture_at(architecture), batch_at(batch));
  if (!counted) return failed(counted.error());
  std::vector<std::uint32_t> words;
  for (const Whole* count : counts_of(counted.value())) append_words(words, *count);
  answer.ids(std::move(words));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_compute) { emscripten::function("countCompute", &compute); }

}  // namespace tied::bindings
