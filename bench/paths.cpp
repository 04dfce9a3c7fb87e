#include "paths.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "diagnostics/cycles.h"
#include "diagnostics/feed_forward_map.h"
#include "diagnostics/path_reading.h"
#include "direct_path/irreversibility.h"
#include "linalg/matmul.h"
#include "or_exit.h"

namespace tied::bench {
namespace {

// As in cpp/bindings/bind_readout.cpp.
constexpr std::size_t kRowsAtOnce = 32;
constexpr std::size_t kPathRows = 64;
constexpr std::size_t kTextTokens = 100'000;

Matrix<float> random_weights(std::size_t rows, std::size_t cols, const char* name) {
  Matrix<float> matrix = value_or_exit(Matrix<float>::create(rows, cols));
  Random random(1, stream_of(name));
  for (std::size_t i = 0; i < rows * cols; ++i) matrix.data()[i] = random.uniform() - 0.5F;
  return matrix;
}

// Lower ids occur more often; half of the time, the next id is close to the one before.
std::vector<std::uint32_t> random_text(std::size_t vocab_size) {
  std::vector<std::uint32_t> ids(kTextTokens);
  Random random(3, stream_of("text"));
  const auto size = static_cast<std::uint32_t>(vocab_size);
  for (std::size_t i = 1; i < kTextTokens; ++i) {
    const std::uint32_t other = random.below(random.below(size) + 1);
    ids[i] = random.below(2) == 0 ? other : (ids[i - 1] + other % 8) % size;
  }
  return ids;
}

BigramText bigrams_of_text(std::size_t vocab_size) {
  const std::vector<std::uint32_t> ids = random_text(vocab_size);
  return value_or_exit(BigramText::create(ids, ids, vocab_size));
}

// The first rows of a tied path.
struct Path {
  Matrix<float> table;
  Matrix<float> up;
  Matrix<float> down;
  BigramText text;
  Readout readout;
  FeedForwardMap feed_forward;
  PathReading reading;
  Matrix<float> block;   // [kRowsAtOnce, d]
  Matrix<float> hidden;  // [kRowsAtOnce, 4 d]
  Matrix<float> logits;  // [kRowsAtOnce, V]
};

std::shared_ptr<Path> path_of(std::size_t vocab_size, std::size_t width) {
  Matrix<float> table = random_weights(vocab_size, width, "table");
  Matrix<float> up = random_weights(4 * width, width, "up");
  Matrix<float> down = random_weights(width, 4 * width, "down");
  const std::vector<float> norm_weight(width, 1.0F);
  ReadoutWeights head;
  head.unembedding = table.view();
  head.norm = ReadoutNorm::kRms;
  head.norm_weight = norm_weight.data();
  FeedForwardWeights layer;
  layer.norm = {.norm = ReadoutNorm::kRms, .weight = norm_weight.data()};
  layer.up = up.view();
  layer.down = down.view();
  BigramText text = bigrams_of_text(vocab_size);
  Readout readout = value_or_exit(Readout::create(head, kRowsAtOnce));
  FeedForwardMap feed_forward = value_or_exit(FeedForwardMap::create(layer, width, kRowsAtOnce));
  PathReading reading = value_or_exit(PathReading::create(readout, text));
  const auto buffer = [](std::size_t cols) { return value_or_exit(Matrix<float>::create(kRowsAtOnce, cols)); };
  return std::make_shared<Path>(Path{std::move(table), std::move(up), std::move(down), std::move(text),
                                     std::move(readout), std::move(feed_forward), std::move(reading), buffer(width),
                                     buffer(4 * width), buffer(vocab_size)});
}

void read_rows(Path& path) {
  for (std::size_t first = 0; first < kPathRows; first += kRowsAtOnce) {
    path.feed_forward.apply(path.block.view(), path.table.view().row_block(first, kRowsAtOnce));
    exit_unless(path.reading.add(path.readout, path.text, path.block.view(), first));
  }
}

void multiply_rows(Path& path) {
  for (std::size_t first = 0; first < kPathRows; first += kRowsAtOnce) {
    const auto x = path.table.view().row_block(first, kRowsAtOnce);
    matmul_nt<float>(path.hidden.view(), x, path.up.view());
    matmul_nt<float>(path.block.view(), path.hidden.view(), path.down.view());
    matmul_nt<float>(path.logits.view(), path.block.view(), path.table.view());
  }
}

void add_path(std::vector<Case>& cases, const std::string& name, std::size_t vocab_size, std::size_t width,
              void (*call)(Path&)) {
  Case made;
  made.id = "readout/" + name + "/" + std::to_string(vocab_size) + "x" + std::to_string(width);
  made.operations = 2.0 * kPathRows * static_cast<double>(width) * static_cast<double>(vocab_size + 8 * width);
  made.items = kPathRows;
  made.items_name = "rows";
  made.keep = vocab_size < 10000;
  made.prepare = [=]() -> std::function<void()> { return [call, path = path_of(vocab_size, width)] { call(*path); }; };
  cases.push_back(std::move(made));
}

Case of_text(const std::string& name, std::size_t vocab_size, std::function<std::function<void()>()> prepare) {
  Case made;
  made.id = "bigrams/" + name + "/" + std::to_string(vocab_size);
  made.items = kTextTokens - 1;
  made.items_name = "pairs";
  made.prepare = std::move(prepare);
  return made;
}

Matrix<float> counts_of_text(std::size_t vocab_size) {
  Matrix<float> counts = value_or_exit(Matrix<float>::create(vocab_size, vocab_size));
  const std::vector<std::uint32_t> ids = random_text(vocab_size);
  for (std::size_t i = 1; i < ids.size(); ++i) counts(ids[i - 1], ids[i]) += 1;
  return counts;
}

}  // namespace

void add_paths(std::vector<Case>& cases) {
  for (const auto& [vocab_size, width] : {std::pair<std::size_t, std::size_t>{512, 64}, {50257, 768}}) {
    add_path(cases, "path", vocab_size, width, read_rows);
    add_path(cases, "products/path", vocab_size, width, multiply_rows);
  }
  for (const std::size_t vocab_size : {std::size_t{512}, std::size_t{50257}}) {
    cases.push_back(of_text("facts", vocab_size, [vocab_size]() -> std::function<void()> {
      return [ids = random_text(vocab_size), vocab_size] {
        value_or_exit(BigramText::create(ids, ids, vocab_size)).facts();
      };
    }));
  }
  constexpr std::size_t kTableSize = 512;
  cases.push_back(of_text("irreversibility", kTableSize, []() -> std::function<void()> {
    const auto counts = std::make_shared<Matrix<float>>(counts_of_text(kTableSize));
    return [counts] {
      value_or_exit(net_flow(counts->view()));
      auto chains = value_or_exit(ReversibleChains::create(counts->view(), 1, 0));
      chains.advance(kTextTokens);
    };
  }));
  cases.push_back(of_text("cycles", kTableSize, []() -> std::function<void()> {
    const auto counts = std::make_shared<Matrix<float>>(counts_of_text(kTableSize));
    return [counts] {
      auto cycles = value_or_exit(KolmogorovCycles::create(counts->view(), {.null_runs = 1}));
      cycles.advance(2 * kTableSize);
    };
  }));
}

}  // namespace tied::bench
