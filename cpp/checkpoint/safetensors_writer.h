// Models as safetensors files, for other programs.
#pragma once

#include <cstdint>

#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// The file of a model's parameters as they are now: 8 bytes length of the header (u64, little-endian), header (JSON,
// padded with spaces to a multiple of 8 bytes), then the tensors (F32, row-major, little-endian), one after the other.
//
// A model of GPT-2's architecture (is_gpt2) has the names and layout of Hugging Face's GPT2LMHeadModel, whose weights
// inside layers are stored [in, out]; any other has the names of its parameter table, weights [out, in].
//
// A matrix that two names share is stored once; the other name is an entry of __metadata__ with the stored one as its
// value ("lm_head.weight": "transformer.wte.weight", or "unembedding": "embedding"). "config" there is the
// configuration of the model, a JSON text with the names of ModelConfig in web/core/types.ts, tying as it is now;
// "format" is "pt".
//
// Source of the format: github.com/huggingface/safetensors. `config` is valid, and `store` has its table.
// Errors: kOutOfMemory.
Result<AlignedBuffer<std::uint8_t>> write_safetensors(const ModelConfig& config, const ParameterStore<float>& store);

// Whether GPT-2 is of this form, whatever its sizes: LayerNorm with biases everywhere, learned positions, GELU, a final
// norm, as many key and value heads as query heads, no scale, no output bias, and one matrix or two at both ends.
bool is_gpt2(const ModelConfig& config);

}  // namespace tied
