// A head whose softmax is over some of the tokens only.
#pragma once

#include "model/subset_head.h"

namespace tied {

// z as in Head, of the kept tokens. Targets that are not kept have no probability and do not count in the loss.
template <class T>
class CulledHead final : public SubsetHead<T> {
 public:
  Status bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
              std::uint64_t max_rows, const HeadTokens& tokens) override;
  std::size_t count_sayable(const std::uint32_t* targets, std::size_t n) const override;
  void logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) override;
  double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
              const MatrixView<T>& dh) override;

 private:
  AlignedBuffer<std::uint32_t> kept_;     // ascending ids
  AlignedBuffer<std::uint32_t> slots_;    // [V]: the place of a token in kept_, or kNoSlot
  AlignedBuffer<std::uint32_t> targets_;  // [tile_rows]: slots of the sayable targets
  T* rows_ = nullptr;                     // [kept, d]
  T* rows_gradient_ = nullptr;            // the same
  T* z_ = nullptr;                        // [tile_rows, kept]
  T* sayable_ = nullptr;                  // [tile_rows, d]: rows of read_out with a sayable target
  T* sayable_gradient_ = nullptr;         // the same
};

std::uint64_t culled_head_extent(const ModelConfig& config, std::uint64_t tile_rows);
std::uint64_t culled_head_bytes(const ModelConfig& config, std::uint64_t tile_rows);

}  // namespace tied
