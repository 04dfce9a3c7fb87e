// Input tables that only read: at each position, the rows of the n-grams that end there.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/chunk.h"
#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// The n-gram of a position consists of its token and the n - 1 tokens before it in its sequence; at the start of a
// sequence, of as many as there are. Its row in a table of M rows is its hash modulo M: n-grams with the same row share
// it. The hash takes the tokens from the last to the first, so the hash of a longer n-gram continues that of a shorter
// one:
//   h <- mix(h + 0x9E3779B97F4A7C15 (t + 1) mod 2^64),  h = 0 before the first token t that it takes,
//   mix(x): x ^= x >> 30; x *= 0xBF58476D1CE4E5B9; x ^= x >> 27; x *= 0x94D049BB133111EB; x ^= x >> 31
// which is the mix of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014).
//
// With K heads, a table is K parts of M rows of width d / K, and the row that it adds is one from each, side by side:
// as many numbers as with one head, but two n-grams share all of them only if they share their row in every part. In
// the first part it is the hash above modulo M; in part k = 1, 2, ... that hash is first continued by the number k - 1.
std::uint64_t continued_ngram_hash(std::uint64_t hash, std::uint32_t token);

// The row of an n-gram with this hash in the part of a head, of `rows` rows.
std::uint64_t ngram_row(std::uint64_t hash, std::size_t head, std::uint64_t rows);

// The functions below are for models with config.has_ngrams(), whose tables for n = 2, 3, ... are the parameters from
// `first` on. In a chunk with a cache, the tokens of the positions before it are in front of its inputs.

// Adds the rows of each token's n-grams to out [rows, d].
template <class T>
void add_ngram_rows(const MatrixView<T>& out, const Chunk<T>& chunk, const ParameterStore<T>& parameters,
                    ParameterIndex first, const ModelConfig& config);

// Adds (+=) the gradient of these rows [rows, d] to those of the tables, in row order.
template <class T>
void scatter_ngram_rows(const ConstMatrixView<T>& gradient, const Chunk<T>& chunk, ParameterStore<T>& parameters,
                        ParameterIndex first, const ModelConfig& config);

}  // namespace tied
