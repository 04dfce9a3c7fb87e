// What the rest of the core needs to know of encoder-decoders. A program that defines these functions itself, as
// core.wasm does (bindings/only_text_models.cpp), is linked without what follows from them: the linker takes theirs
// from the library only where they are missing.
#pragma once

#include <cstdint>
#include <memory>

#include "base/error.h"
#include "model/config.h"

namespace tied {

template <class T>
class Model;

// What only encoder-decoders are checked for. Errors: kInvalidArgument naming the first invalid field; kUnsupported in
// a program that is linked without them.
Status check_encoder_decoder(const ModelConfig& config);

// Errors: kOutOfMemory. `config` must be valid.
template <class T>
Result<std::unique_ptr<Model<T>>> create_encoder_decoder(const ModelConfig& config, std::uint64_t max_rows);

// Workspace in elements: see workspace_extent.
std::uint64_t encoder_decoder_workspace_extent(const ModelConfig& config, std::uint64_t max_rows);

}  // namespace tied
