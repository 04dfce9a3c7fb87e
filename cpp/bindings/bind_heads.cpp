// What only models.wasm has: see model/create_head.cpp.
#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "training/trainer.h"

namespace tied::bindings {
namespace {

// The ids that a culled head was given.
bool kept_tokens(Address handle) {
  answer.ids(reinterpret_cast<const Trainer<float>*>(handle)->kept_token_ids());
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_heads) { emscripten::function("keptTokens", &kept_tokens); }

}  // namespace tied::bindings
