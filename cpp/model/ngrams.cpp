#include "model/ngrams.h"

#include "linalg/reduce.h"

namespace tied {
namespace {

// Calls visit(row of the chunk, index of the table, head, row of the table) for each head of each n-gram.
template <class T, class Visit>
void for_each_ngram(const Chunk<T>& chunk, const ModelConfig& config, Visit visit) {
  const SequenceRows& sequences = chunk.sequences;
  for (std::size_t i = 0; i < sequences.count; ++i) {
    for (std::size_t k = 0; k < sequences.size(i); ++k) {
      const std::size_t row = sequences.first(i) + k;
      const std::uint32_t* const last = chunk.inputs + row;
      const std::size_t before = chunk.first_position + k;
      std::uint64_t hash = continued_ngram_hash(0, *last);
      for (std::size_t n = 2; n <= config.ngram_order; ++n) {
        if (n - 1 <= before) hash = continued_ngram_hash(hash, *(last - (n - 1)));
        for (std::size_t head = 0; head < config.ngram_parts(); ++head) {
          visit(row, n - 2, head,
                static_cast<std::size_t>(head * config.ngram_rows + ngram_row(hash, head, config.ngram_rows)));
        }
      }
    }
  }
}

}  // namespace

std::uint64_t continued_ngram_hash(std::uint64_t hash, std::uint32_t token) {
  std::uint64_t x = hash + 0x9E3779B97F4A7C15 * (std::uint64_t{token} + 1);
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9;
  x ^= x >> 27;
  x *= 0x94D049BB133111EB;
  return x ^ x >> 31;
}

std::uint64_t ngram_row(std::uint64_t hash, std::size_t head, std::uint64_t rows) {
  const std::uint64_t own = head == 0 ? hash : continued_ngram_hash(hash, static_cast<std::uint32_t>(head - 1));
  return own % rows;
}

template <class T>
void add_ngram_rows(const MatrixView<T>& out, const Chunk<T>& chunk, const ParameterStore<T>& parameters,
                    ParameterIndex first, const ModelConfig& config) {
  for_each_ngram(chunk, config, [&](std::size_t row, std::size_t table, std::size_t head, std::size_t place) {
    const ConstMatrixView<T> values = parameters.values(first + table);
    add_scaled(out.row(row) + head * values.cols, values.row(place), values.cols, T{1});
  });
}

template <class T>
void scatter_ngram_rows(const ConstMatrixView<T>& gradient, const Chunk<T>& chunk, ParameterStore<T>& parameters,
                        ParameterIndex first, const ModelConfig& config) {
  for_each_ngram(chunk, config, [&](std::size_t row, std::size_t table, std::size_t head, std::size_t place) {
    parameters.touch(first + table, place);
    const MatrixView<T> rows = parameters.gradient(first + table);
    add_scaled(rows.row(place), gradient.row(row) + head * rows.cols, rows.cols, T{1});
  });
}

#define TIED_INSTANTIATE(T)                                                                                        \
  template void add_ngram_rows(const MatrixView<T>&, const Chunk<T>&, const ParameterStore<T>&, ParameterIndex,    \
                               const ModelConfig&);                                                                \
  template void scatter_ngram_rows(const ConstMatrixView<T>&, const Chunk<T>&, ParameterStore<T>&, ParameterIndex, \
                                   const ModelConfig&)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
