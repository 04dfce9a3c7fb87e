#include "training/evaluation.h"

#include <algorithm>

#include "base/allocate.h"
#include "base/elementary.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

Evaluation evaluation(double loss, std::uint64_t tokens, std::uint64_t lost = 0) {
  return {loss, exponential(loss), tokens, lost};
}

// Mean loss over all pairs of a stream that the head can predict, `counted` > 0, for a model whose next token depends
// on the current one alone. Pairs are grouped by current token (by counting), and each token's row of log-probabilities
// is computed once. Errors: kOutOfMemory.
template <class T>
Result<double> loss_by_current_token(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_pairs,
                                     std::size_t counted) {
  constexpr std::size_t kRowsAtOnce = 64;
  const std::size_t vocab_size = static_cast<std::size_t>(model.config().vocab_size);
  AlignedBuffer<std::uint32_t> end;
  if (Status status = allocate(end, vocab_size + 1); !status) return status;
  AlignedBuffer<std::uint32_t> followers;
  if (Status status = allocate(followers, n_pairs); !status) return status;
  auto block = Matrix<T>::create(std::min(kRowsAtOnce, vocab_size), vocab_size);
  if (!block) return block.failure();

  // The followers of token t end where those of t + 1 start.
  for (std::size_t i = 0; i < n_pairs; ++i) ++end[token_ids[i] + 1];
  for (std::size_t t = 0; t < vocab_size; ++t) end[t + 1] += end[t];
  for (std::size_t i = n_pairs; i-- > 0;) followers[--end[token_ids[i] + 1]] = token_ids[i + 1];
  // Each end[t + 1] is now the start of t's followers; those of the last token end with the stream.
  const auto first_of = [&](std::size_t t) { return t < vocab_size ? end[t + 1] : n_pairs; };

  double loss = 0;
  std::uint32_t tokens[kRowsAtOnce];
  for (std::size_t next = 0; next < vocab_size;) {
    std::size_t n_tokens = 0;
    for (; next < vocab_size && n_tokens < kRowsAtOnce; ++next) {
      if (first_of(next) != first_of(next + 1)) tokens[n_tokens++] = static_cast<std::uint32_t>(next);
    }
    const MatrixView<T> rows = block.value().view().row_block(0, n_tokens);
    model.logits(rows, tokens, n_tokens);
    log_softmax_rows(rows, rows);
    for (std::size_t i = 0; i < n_tokens; ++i) {
      for (std::size_t k = first_of(tokens[i]); k < first_of(tokens[i] + std::size_t{1}); ++k) {
        if (counted != n_pairs && model.count_sayable(&followers[k], 1) == 0) continue;
        loss -= static_cast<double>(rows(i, followers[k]));
      }
    }
  }
  return loss / static_cast<double>(counted);
}

}  // namespace

template <class T>
Evaluation evaluate_stream(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids) {
  const std::size_t n_pairs = n_token_ids - 1;
  const std::size_t counted = model.count_sayable(token_ids + 1, n_pairs);
  const std::size_t lost = n_pairs - counted;
  if (counted == 0) return evaluation(0, 0, lost);
  if (model.reads_joint()) {
    const auto loss = loss_by_current_token(model, token_ids, n_pairs, counted);
    if (loss) return evaluation(loss.value(), counted, lost);
  }
  const std::size_t context_length = model.context_length();
  const std::size_t rest = n_pairs % context_length;
  const std::size_t whole = n_pairs - rest;
  double loss = 0;
  const auto add = [&](std::size_t first, std::size_t size, std::size_t sequence_length) {
    if (size == 0) return;
    const double weight =
        static_cast<double>(model.count_sayable(token_ids + first + 1, size)) / static_cast<double>(counted);
    loss += model.loss({token_ids + first, token_ids + first + 1, size, sequence_length, weight}, Pass::kForward);
  };
  add(0, whole, context_length);
  add(whole, rest, rest);
  return evaluation(loss, counted, lost);
}

template <class T>
Evaluation evaluate_table(Model<T>& model, const JointTable<T>& table) {
  return evaluation(model.joint_loss(table.batch(), Pass::kForward), table.n_pairs);
}

template Evaluation evaluate_stream(Model<float>&, const std::uint32_t*, std::size_t);
template Evaluation evaluate_stream(Model<double>&, const std::uint32_t*, std::size_t);
template Evaluation evaluate_table(Model<float>&, const JointTable<float>&);
template Evaluation evaluate_table(Model<double>&, const JointTable<double>&);

}  // namespace tied
