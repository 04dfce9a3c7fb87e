// Pairs of texts. They cross as lines: a source, a tab and a target, none of which contains a tab or the end of a line.
#include <string>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "text/pair_tasks.h"

namespace tied::bindings {
namespace {

// Pairs [from, from + count) of a task; tasks in the order of pair_tasks.h.
bool write(Address task, double seed, Address length, double from, Address count) {
  const PairTaskOptions options{static_cast<PairTask>(task), static_cast<std::uint64_t>(seed), length};
  const auto first = static_cast<std::uint64_t>(from);
  std::string lines;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const TextPair pair = task_pair(options, i);
    lines += pair.source;
    lines += '\t';
    lines += pair.target;
    lines += '\n';
  }
  answer.text(std::move(lines));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_pair_tasks) { emscripten::function("writePairs", &write); }

}  // namespace tied::bindings
