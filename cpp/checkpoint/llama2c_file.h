// Model files of llama2.c (github.com/karpathy/llama2.c, version 0): a transformer with RMSNorm, rotary positions,
// grouped queries and SwiGLU.
#pragma once

#include <cstdint>
#include <span>

#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// A valid file. `bytes` belong to the caller and must outlive it.
struct Llama2cFile {
  ModelConfig config;
  std::span<const std::uint8_t> bytes;
};

// Opens a file. Little-endian: seven i32 (dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, seq_len), then
// f32 matrices stored [out, in], each for all layers before the next:
//   token embeddings, attention norms, W_q, W_k, W_v, W_o, feed-forward norms, W_1 (gate), W_2 (down), W_3 (up),
//   final norm, two unused tables of seq_len * head_width / 2, and the output matrix if vocab_size is negative,
//   which marks an untied model.
// Allocates nothing for values. Errors: kBadFile, naming an invalid size, a length that does not match the sizes, or an
// element that is not finite.
Result<Llama2cFile> open_llama2c(std::span<const std::uint8_t> bytes);

// Copies the values into the parameters of a model created from file.config. T = float or double.
template <class T>
void read_values(ParameterStore<T>& store, const Llama2cFile& file);

}  // namespace tied
