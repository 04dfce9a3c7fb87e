// Generated stories.
#include <cstdint>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "text/story_grammar.h"

namespace tied::bindings {
namespace {

bool stories(double seed, Address length) {
  auto text = write_stories(static_cast<std::uint64_t>(seed), length);
  if (!text) return failed(text.error());
  answer.text(std::move(text).value());
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_stories) { emscripten::function("writeStories", &stories); }

}  // namespace tied::bindings
