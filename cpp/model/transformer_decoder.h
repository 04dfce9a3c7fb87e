// A transformer that reads token after token.
#pragma once

#include "model/transformer_model.h"

namespace tied {

// Keeps the keys and values of the tokens before, and works in its model's memory otherwise: a token costs one row of
// every product. Its logits are those of Model::logits for the same tokens, to the bit: each row of a product, of a
// norm and of attention is computed from the same numbers in the same order.
template <class T>
class TransformerDecoder final : public Decoder<T> {
 public:
  // Errors: kOutOfMemory.
  static Result<std::unique_ptr<Decoder<T>>> create(TransformerModel<T>& model);

  std::size_t capacity() const override { return model_.context_length(); }
  std::size_t size() const override { return size_; }
  void reset() override { size_ = 0; }
  void append(const std::uint32_t* tokens, std::size_t n, T* logits) override;

 private:
  explicit TransformerDecoder(TransformerModel<T>& model) : model_(model) {}

  TransformerModel<T>& model_;
  AlignedBuffer<T> cache_;
  std::size_t size_ = 0;
};

}  // namespace tied
