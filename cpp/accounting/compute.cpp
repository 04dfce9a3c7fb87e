#include "accounting/compute.h"

#include <vector>

#include "accounting/parameters.h"

namespace tied {
namespace {

void count_work(ComputeCount& count, const Architecture& architecture, const Batch& batch,
                const std::vector<CountedTensor>& tensors) {
  for (const CountedTensor& tensor : tensors) {
    if (!multiplies(tensor)) continue;
    Macs& part = tensor.group == TensorGroup::kAttention     ? count.projections
                 : tensor.group == TensorGroup::kFeedForward ? count.feed_forward
                 : tensor.is_factor && !tensor.writes        ? count.lookup
                                                             : count.head;
    const std::uint64_t tokens = tensor.on_encoder_tokens ? batch.encoder_tokens : batch.tokens;
    part.forward += tensor.active_copies * tensor.size() * tokens * batch.sequences;
  }
  // Queries with keys and weights with values: `rows` tokens of a sequence attend to `keys` tokens.
  const auto score = [&](std::uint64_t layers, std::uint64_t rows, std::uint64_t keys) {
    count.scores.forward +=
        Whole(2) * layers * architecture.n_heads * architecture.d_head * rows * keys * batch.sequences;
  };
  score(architecture.n_layers, batch.tokens, batch.tokens);
  if (architecture.stack == Stack::kEncoderDecoder) {
    score(architecture.n_layers, batch.tokens, batch.encoder_tokens);
    score(architecture.n_encoder_layers, batch.encoder_tokens, batch.encoder_tokens);
  }
}

}  // namespace

Result<ComputeCount> count_compute(const Architecture& architecture, const Batch& batch) {
  TIED_ASSERT(validate(batch, architecture).ok());
  const auto parameters = count_parameters(architecture, batch.tying);
  if (!parameters) return parameters.error();
  const std::vector<CountedTensor>& tensors = parameters.value().tensors;
  ComputeCount count;
  count_work(count, architecture, batch, tensors);
  count.bytes = count_bytes(architecture, batch.tying, batch, parameters.value().stored);
  count.untied_bytes = count_bytes(architecture, TableTying::kUntied, batch, parameters.value().untied);
  count.serving = count_serving(architecture, batch, tensors, parameters.value().stored);
  count.heads = count_heads(architecture, batch, tensors);
  for (const Whole whole : counts_of(count)) {
    if (whole.fits()) continue;
    return make_error(ErrorCode::kInvalidArgument, "work or memory of the batch", "more than 2^64 - 2",
                      "a smaller batch or model");
  }
  return count;
}

}  // namespace tied
