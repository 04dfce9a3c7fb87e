#include "training/evaluation.h"

#include "base/elementary.h"

namespace tied {
namespace {

Evaluation evaluation(double loss, std::uint64_t tokens) { return {loss, exponential(loss), tokens}; }

}  // namespace

template <class T>
Evaluation evaluate_stream(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids) {
  const std::size_t context_length = model.context_length();
  const std::size_t n_pairs = (n_token_ids - 1) / context_length * context_length;
  const std::size_t vocab_size = static_cast<std::size_t>(model.config().vocab_size);
  if (model.reads_joint() && vocab_size <= n_pairs / vocab_size) {
    auto rows = AlignedBuffer<std::uint32_t>::create(vocab_size);
    auto counts = Matrix<T>::create(vocab_size, vocab_size);
    // Counts are exact in T as long as none passes 2^24.
    constexpr std::size_t kMostCounts = std::size_t{1} << 24;
    if (rows && counts && n_pairs <= kMostCounts) {
      for (std::size_t i = 0; i < vocab_size; ++i) rows.value()[i] = static_cast<std::uint32_t>(i);
      for (std::size_t i = 0; i < n_pairs; ++i) counts.value()(token_ids[i], token_ids[i + 1]) += T{1};
      const JointBatch<T> batch{rows.value().data(), counts.value().view()};
      const double total = model.joint_loss(batch, Pass::kForward);
      return evaluation(total / static_cast<double>(n_pairs), n_pairs);
    }
  }
  return evaluation(model.loss({token_ids, token_ids + 1, n_pairs}, Pass::kForward), n_pairs);
}

template <class T>
Evaluation evaluate_table(Model<T>& model, const JointTable<T>& table) {
  return evaluation(model.joint_loss(table.batch(), Pass::kForward), table.rows.size());
}

template Evaluation evaluate_stream(Model<float>&, const std::uint32_t*, std::size_t);
template Evaluation evaluate_stream(Model<double>&, const std::uint32_t*, std::size_t);
template Evaluation evaluate_table(Model<float>&, const JointTable<float>&);
template Evaluation evaluate_table(Model<double>&, const JointTable<double>&);

}  // namespace tied
