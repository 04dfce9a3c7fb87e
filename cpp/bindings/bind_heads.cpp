// Verbs that only models.wasm has: see model/create_head.cpp.
#include <cstdint>
#include <utility>
#include <vector>

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

// The steps at which the tying changed, for a model whose tying changes more than once.
bool tying_changes(Address handle) {
  std::vector<double> steps;
  for (const std::uint64_t step : reinterpret_cast<const Trainer<float>*>(handle)->tying_progress().changes) {
    if (step != 0) steps.push_back(static_cast<double>(step));
  }
  answer.numbers(std::move(steps));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_heads) {
  emscripten::function("keptTokens", &kept_tokens);
  emscripten::function("tyingChanges", &tying_changes);
}

}  // namespace tied::bindings
