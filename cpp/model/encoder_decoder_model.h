// An encoder-decoder: two stacks of the layers of TransformerModel.
#pragma once

#include "model/head.h"
#include "model/model.h"
#include "model/pair_model.h"
#include "model/transformer_layers.h"

namespace tied {

// With E_s, E_t and U the tables of the encoder's input, the decoder's input and its output, any of which may be the
// same table:
//   m = encoder(E_s[source]), each token attending to all tokens of its source
//   h = decoder(E_t[inputs], m), each token attending to those up to its own, and to all of m
//   z = s (h U^T) + b
// Sequences of different lengths are stored one after the other. So there is no padding, and the results of a pair do
// not depend on the other pairs of its batch.
//
// A. Vaswani and others, "Attention is all you need", arXiv 1706.03762, section 3.4 (three tables as one); C. Raffel
// and others, "Exploring the limits of transfer learning with a unified text-to-text transformer", arXiv 1910.10683
// (norms before each branch).
template <class T>
class EncoderDecoderModel final : public Model<T>, public PairModel<T> {
 public:
  // Errors: kOutOfMemory. `config` must be valid.
  static Result<std::unique_ptr<Model<T>>> create(const ModelConfig& config, std::uint64_t max_rows);

  std::size_t context_length() const override { return static_cast<std::size_t>(this->config().context_length); }
  PairModel<T>* pairs() override { return this; }

  double loss(const PairBatch& batch, Pass pass) override;
  void logits(MatrixView<T> out, const PairTokens& pair) override;
  void attention(const PairAttention<T>& out, const PairTokens& pair) override;
  std::uint64_t memory_extent() const override;
  void read(T* memory, std::span<const std::uint32_t> source) override;
  std::uint64_t cache_extent() const override;
  void append(T* logits, std::uint32_t token, std::size_t position, T* cache, const T* memory,
              std::size_t source_size) override;

  // Verbs of models that read one text; never called for this one.
  double loss(const TokenBatch& batch, Pass pass) override;
  double joint_loss(const JointBatch<T>& batch, Pass pass) override;
  void logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs, std::size_t left_out,
              bool resumes) override;
  void hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  void attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  Result<std::unique_ptr<Decoder<T>>> create_decoder() override;

 private:
  EncoderDecoderModel(const ModelConfig& config, std::uint64_t max_rows);
  Status allocate();
  ConstMatrixView<T> encode(const std::uint32_t* tokens, const SequenceRows& sequences, const Chunk<T>& options);
  ConstMatrixView<T> forward(const PairTokens& pair);
  SequenceRows source_rows(const PairBatch& batch, std::size_t first, std::size_t size) const;
  SequenceRows target_rows(const PairBatch& batch, std::size_t first, std::size_t size) const;
  std::size_t memory_cols() const;

  ModelConfig encoder_config_;
  TransformerLayout encoder_layout_;
  TransformerLayout layout_;
  TransformerParameters encoder_places_;
  TransformerParameters places_;
  AlignedBuffer<T> workspace_;
  // The encoder's output and its gradient [encoder rows, d], in the workspace.
  T* states_ = nullptr;
  T* states_gradient_ = nullptr;
  Memory<T> memory_;
  TransformerLayers<T> encoder_;
  TransformerLayers<T> decoder_;
};

}  // namespace tied
