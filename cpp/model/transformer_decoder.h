// A decoder of a transformer.
#pragma once

#include "model/transformer_model.h"

namespace tied {

// Caches the keys and values of earlier tokens, and uses its model's workspace for everything else: a token costs one
// row of every product. Its logits equal those of Model::logits for the same tokens to the bit, since each row of a
// product, a norm and attention is computed from the same values in the same order.
template <class T>
class TransformerDecoder final : public Decoder<T> {
 public:
  // Errors: kOutOfMemory.
  static Result<std::unique_ptr<Decoder<T>>> create(TransformerModel<T>& model);

  std::size_t capacity() const override { return model_.context_length(); }
  std::size_t size() const override { return size_; }
  void reset() override {
    size_ = 0;
    is_packed_ = false;
  }
  bool remove_first() override;
  void append(const std::uint32_t* tokens, std::size_t n, T* logits) override;

 private:
  explicit TransformerDecoder(TransformerModel<T>& model) : model_(model) {}

  void pack();

  TransformerModel<T>& model_;
  AlignedBuffer<T> cache_;
  AlignedBuffer<std::uint32_t> tokens_;  // that were appended, if the model reads n-grams
  AlignedBuffer<T> packed_;              // the model's values for products of one row; empty if there are too many
  bool is_packed_ = false;               // since the last reset
  std::size_t size_ = 0;
};

}  // namespace tied
