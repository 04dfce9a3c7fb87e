// Verbs that only models.wasm has: see model/create_head.cpp.
#include <cstdint>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "training/trainer.h"

namespace tied::bindings {
namespace {

// The chosen tokens of a culled head.
bool kept_tokens(Address handle) {
  answer.ids(reinterpret_cast<const Trainer<float>*>(handle)->kept_token_ids());
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_heads) { emscripten::function("keptTokens", &kept_tokens); }

}  // namespace tied::bindings
