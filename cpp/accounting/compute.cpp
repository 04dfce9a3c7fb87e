#include "accounting/compute.h"

#include "accounting/parameters.h"

namespace tied {
namespace {

// Products of queries with keys and of weights with values, `rows` tokens of a sequence looking at `keys`.
Whole score_products(const Architecture& architecture, std::uint64_t layers, std::uint64_t rows, Whole keys) {
  return Whole(layers) * architecture.n_heads * architecture.d_head * 2 * rows * keys;
}

void count_work(ComputeCount& count, const Architecture& architecture, const Batch& batch,
                const std::vector<CountedTensor>& tensors) {
  Whole projections, feed_forward, head;
  for (const CountedTensor& tensor : tensors) {
    if (!multiplies(tensor)) continue;
    Whole& part = tensor.group == TensorGroup::kAttention     ? projections
                  : tensor.group == TensorGroup::kFeedForward ? feed_forward
                                                              : head;
    part += tensor.size() * tensor.active_copies * (tensor.on_encoder_tokens ? batch.encoder_tokens : batch.tokens);
  }
  Whole keys = batch.tokens;
  Whole scores;
  if (architecture.stack == Stack::kEncoderDecoder) {
    const std::uint64_t read = batch.encoder_tokens;
    keys += read;
    scores = score_products(architecture, architecture.n_encoder_layers, read, read);
  }
  scores += score_products(architecture, architecture.n_layers, batch.tokens, keys);

  const Whole sequences = batch.sequences;
  count.projections = macs_of(projections * sequences);
  count.scores = macs_of(scores * sequences);
  count.feed_forward = macs_of(feed_forward * sequences);
  count.head = macs_of(head * sequences);
  count.all = macs_of((projections + scores + feed_forward + head) * sequences);
}

// Every count is part of one of these.
bool fits(const ComputeCount& count) {
  const Serving& serving = count.serving;
  bool fit = count.all.total.fits() && count.bytes.total.fits() && count.untied_bytes.total.fits() &&
             serving.total.fits() && serving.read_per_token.fits() && serving.flop_per_token.fits();
  for (const HeadCost& head : count.heads) {
    fit = fit && head.at_most.total.fits() && head.parameters.fits() && head.logits_bytes.fits();
  }
  return fit;
}

}  // namespace

Result<ComputeCount> count_compute(const Architecture& architecture, const Batch& batch) {
  const auto parameters = count_parameters(architecture, batch.tying);
  if (!parameters) return parameters.error();
  if (Status status = validate(batch, architecture); !status) return status;
  const std::vector<CountedTensor>& tensors = parameters.value().tensors;
  ComputeCount count;
  count_work(count, architecture, batch, tensors);
  count.bytes = count_bytes(architecture, batch.tying, batch, parameters.value().stored);
  count.untied_bytes = count_bytes(architecture, TableTying::kUntied, batch, parameters.value().untied);
  count.serving = count_serving(architecture, batch, tensors, parameters.value().stored);
  count.heads = count_heads(architecture, batch, tensors);
  if (!fits(count)) {
    return make_error(ErrorCode::kInvalidArgument, "work and memory of the batch", "more than 2^128 - 1",
                      "sizes whose counts fit in 128 bits");
  }
  return count;
}

}  // namespace tied
