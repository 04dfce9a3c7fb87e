// Pairs of neighboring tokens. A count's handle is its address, which JavaScript holds until it calls `deleteBigrams`.
#include <optional>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "direct_path/bigram_bounds.h"
#include "text/bigrams.h"

namespace tied::bindings {
namespace {

struct BigramWork {
  BigramWork(BigramCounting counts, bool has_bounds) : counting(std::move(counts)) {
    if (has_bounds) {
      search.emplace(Joint(counting.counts().view()), BoundsSearch::Entries::kCounts, BoundsSearch::Floor::kFound);
    }
  }

  bool finished() const { return counting.is_summed_up() && (!search || search->finished()); }
  Status advance(std::size_t rows) {
    if (!counting.is_summed_up()) {
      counting.sum_up(rows);
      return {};
    }
    return search ? search->advance(rows) : Status();
  }

  BigramCounting counting;
  std::optional<BoundsSearch> search;
};

BigramWork& work_at(Address handle) { return *reinterpret_cast<BigramWork*>(handle); }

// 0 on failure.
Address start(Address vocab_size, bool has_bounds) {
  auto counting = BigramCounting::create(vocab_size);
  if (!counting) {
    failed(counting.error());
    return 0;
  }
  return reinterpret_cast<Address>(new BigramWork(std::move(counting).value(), has_bounds));
}

// The next ids of the sequence.
bool count(Address handle, Address ids, Address size) {
  return done(work_at(handle).counting.count({at<std::uint32_t>(ids), size}));
}

// Works on `rows` rows of the table, once everything is counted. -> whether it is finished
bool advance(Address handle, Address rows) {
  BigramWork& work = work_at(handle);
  if (!done(work.advance(rows))) return false;
  answer.write(work.finished());
  return true;
}

// -> the counts; then their bounds, if it has them
bool finish(Address handle) {
  const BigramWork& work = work_at(handle);
  answer.write(work.counting);
  if (work.search) answer.write(work.search->bounds());
  return true;
}

void drop(Address handle) { delete &work_at(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_bigrams) {
  using emscripten::function;
  function("startBigrams", &start);
  function("countBigrams", &count);
  function("advanceBigrams", &advance);
  function("finishBigrams", &finish);
  function("deleteBigrams", &drop);
}

}  // namespace tied::bindings
