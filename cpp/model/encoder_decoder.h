// The functions through which the rest of the core uses encoder-decoders. A program can define them itself, as
// core.wasm does (bindings/core_models.cpp): the linker takes functions from the library only if they are missing,
// so the program then contains no code for encoder-decoders.
#pragma once

#include <cstdint>
#include <memory>

#include "base/error.h"
#include "model/config.h"

namespace tied {

template <class T>
class Model;

// The checks for encoder-decoders alone. Errors: kInvalidArgument naming the first invalid field; kUnsupported in a
// program that is linked without them.
Status check_encoder_decoder(const ModelConfig& config);

// Errors: kOutOfMemory. `config` must be valid.
template <class T>
Result<std::unique_ptr<Model<T>>> create_encoder_decoder(const ModelConfig& config, std::uint64_t max_rows);

// Workspace in elements: see workspace_extent.
std::uint64_t encoder_decoder_workspace_extent(const ModelConfig& config, std::uint64_t max_rows);

}  // namespace tied
