// A small GPT: a decoder-only, pre-norm transformer with one workspace.
#pragma once

#include "model/head.h"
#include "model/model.h"
#include "model/transformer_layers.h"

namespace tied {

// Its layers: see TransformerLayers; its logits: see Head; its parameters: see transformer_parameter_table.
//
// A. Radford and others, "Language models are unsupervised multitask learners", 2019 (layer norm, learned positions,
// GELU); H. Touvron and others, "LLaMA: Open and efficient foundation language models", arXiv 2302.13971 (RMS norm,
// rotary positions, SwiGLU).
template <class T>
class TransformerModel final : public Model<T> {
 public:
  // Errors: kOutOfMemory. `config` must be valid.
  static Result<std::unique_ptr<Model<T>>> create(const ModelConfig& config, std::uint64_t max_rows,
                                                  const HeadTokens& tokens);

  std::size_t context_length() const override { return static_cast<std::size_t>(this->config().context_length); }
  double loss(const TokenBatch& batch, Pass pass) override;
  double joint_loss(const JointBatch<T>& batch, Pass pass) override;
  void logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs, std::size_t left_out,
              bool resumes) override;
  std::size_t n_hidden_states() const override { return places_.layers.size() + 1; }
  void hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  void attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  Result<std::unique_ptr<Decoder<T>>> create_decoder() override;

  // Processes n tokens at positions from first_position on, after those whose keys and values are in `cache`, and
  // appends theirs. cache and the tokens before `tokens`: see Chunk. logits [vocab_size], of the token after them, or
  // null.
  void append(const std::uint32_t* tokens, std::size_t n, std::size_t first_position, T* cache, T* logits);

  // See TransformerLayers.
  void remove_first(T* cache, std::size_t size) { layers_.remove_first(cache, size); }

 private:
  explicit TransformerModel(const ModelConfig& config, std::uint64_t max_rows)
      : Model<T>(config), layout_(config, max_rows) {}
  Status allocate(const HeadTokens& tokens);
  // In masking.cpp, for config.is_masked().
  double masked_loss(const TokenBatch& batch, Pass pass);
  ConstMatrixView<T> forward_sequence(const std::uint32_t* inputs, std::size_t n_inputs, std::size_t first_position = 0,
                                      T* cache = nullptr);

  TransformerLayout layout_;
  TransformerParameters places_;
  AlignedBuffer<T> workspace_;
  AlignedBuffer<std::uint32_t> predicted_tokens_;
  TransformerLayers<T> layers_;
};

}  // namespace tied
