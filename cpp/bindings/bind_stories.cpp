// Generated stories. A text's handle is its address, which JavaScript holds until it calls `deleteStories`.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "text/story_grammar.h"

namespace tied::bindings {
namespace {

StoryWriting& writing_at(Address handle) { return *reinterpret_cast<StoryWriting*>(handle); }

// 0 on failure.
Address start(double seed, Address length) {
  auto writing = std::make_unique<StoryWriting>(static_cast<std::uint64_t>(seed), length);
  return done(writing->start()) ? reinterpret_cast<Address>(writing.release()) : 0;
}

// The fraction that has been written, and the next piece of the text.
bool advance(Address handle, Address characters) {
  StoryWriting& writing = writing_at(handle);
  std::string text;
  if (!done(writing.advance(text, characters))) return false;
  answer.write(writing.share());
  answer.text(std::move(text));
  return true;
}

void drop(Address handle) { delete &writing_at(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_stories) {
  using emscripten::function;
  function("startStories", &start);
  function("advanceStories", &advance);
  function("deleteStories", &drop);
}

}  // namespace tied::bindings
