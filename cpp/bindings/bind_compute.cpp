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

// In the order in which the fields are declared; see web/core/count-compute.ts.
bool compute(Address architecture, Address batch) {
  const auto counted = count_compute(architecture_at(architecture), batch_at(batch));
  if (!counted) return failed(counted.error());
  const ComputeCount& all = counted.value();
  std::vector<Whole> counts;
  const auto add = [&counts](std::initializer_list<Whole> some) { counts.insert(counts.end(), some); };
  for (const Macs* macs : {&all.projections, &all.scores, &all.feed_forward, &all.head, &all.all}) {
    add({macs->forward, macs->backward, macs->total});
  }
  for (const Bytes* bytes : {&all.bytes, &all.untied_bytes}) {
    add({bytes->weights, bytes->gradients, bytes->optimizer, bytes->activations, bytes->logits, bytes->total});
  }
  const Serving& serving = all.serving;
  add({serving.weights, serving.cache_per_token, serving.cache, serving.logits, serving.total, serving.read_per_token,
       serving.flop_per_token});
  for (const HeadCost& head : all.heads) {
    for (const Macs* macs : {&head.macs, &head.at_most}) add({macs->forward, macs->backward, macs->total});
    add({head.parameters, head.logits, head.logits_bytes});
  }
  answer_counts(counts);
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_compute) { emscripten::function("countCompute", &compute); }

}  // namespace tied::bindings
