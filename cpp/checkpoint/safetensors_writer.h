// Models as safetensors files, for other programs.
#pragma once

#include <string>

#include "base/file_parts.h"
#include "checkpoint/tensors.h"
#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// The file of a model's current parameters: 8 bytes length of the header (u64, little-endian), header (JSON, padded
// with spaces to a multiple of 8 bytes), then the tensors (F32, row-major, little-endian) without gaps.
//
// A model of GPT-2's architecture (is_gpt2) has the names and layout of Hugging Face's GPT2LMHeadModel, whose weights
// inside layers are stored [in, out]. Any other has the names of its parameter table and weights [out, in].
//
// A matrix with two names is stored once; the other name is a key of __metadata__ with the stored name as its value
// ("lm_head.weight": "transformer.wte.weight", or "unembedding": "embedding"). The key "config" has the model's
// configuration as JSON, with the names of ModelConfig in web/core/types.ts and the current tying; "format" is "pt".
//
// Specification: github.com/huggingface/safetensors. `config` must be valid, and `store` must have its table.
class SafetensorsFile final : public FileParts {
 public:
  SafetensorsFile(const ModelConfig& config, const ParameterStore<float>& store);

 protected:
  void write(ByteWriter& out) override;

 private:
  const ParameterStore<float>& store_;
  TensorDirectory directory_;
  std::string header_;
};

// Whether the architecture is GPT-2's, with any sizes: LayerNorm with biases everywhere, learned positions, GELU, a
// final norm, as many key and value heads as query heads, no scale, no output bias, tied or untied.
bool is_gpt2(const ModelConfig& config);

}  // namespace tied
