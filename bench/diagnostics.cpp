#include "diagnostics.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "diagnostics/alignment.h"
#include "diagnostics/hidden_states.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/neighbors.h"
#include "diagnostics/norm_frequency.h"
#include "diagnostics/similarity.h"
#include "diagnostics/spectral_distance.h"
#include "diagnostics/spectrum.h"
#include "linalg/blocks.h"
#include "linalg/matmul.h"
#include "memory.h"
#include "or_exit.h"

namespace tied::bench {
namespace {

constexpr std::size_t kVocabSize = 50257;
constexpr std::size_t kDModel = 768;
// Rows that are multiplied at a time, as in cpp/diagnostics.
constexpr std::size_t kRows = 256;
// Rows whose neighbors are found.
constexpr std::size_t kSample = 256;
// Rows whose neighbor graphs are compared.
constexpr std::size_t kGraphRows = 1024;
// Hidden states that are decomposed.
constexpr std::size_t kHiddenRows = 64;
constexpr std::size_t kAllBlocks = 1'000'000;
// Floating-point operations of a product of a table with a [d, d] matrix.
constexpr double kProduct = 2.0 * kVocabSize * kDModel * kDModel;

struct Tables {
  Matrix<float> a;
  Matrix<float> b;
};

std::shared_ptr<Tables> random_tables(std::size_t rows, std::size_t width) {
  const auto random_table = [&](const char* name) {
    Matrix<float> table = value_or_exit(Matrix<float>::create(rows, width));
    Random random(1, stream_of(name));
    for (std::size_t i = 0; i < rows * width; ++i) table.data()[i] = random.uniform() - 0.5F;
    return table;
  };
  return std::make_shared<Tables>(random_table("a"), random_table("b"));
}

Case of_tables(const std::string& name, double operations, std::function<void(const Tables&)> call,
               std::size_t rows = kVocabSize, std::size_t width = kDModel) {
  Case result;
  result.id = "diagnose/" + name + "/" + std::to_string(rows) + "x" + std::to_string(width);
  result.operations = operations;
  result.keep = false;
  result.prepare = [call = std::move(call), rows, width]() -> std::function<void()> {
    return [call, tables = random_tables(rows, width)] { call(*tables); };
  };
  return result;
}

void compare_graphs(const Tables& tables, const SpectralOptions& options) {
  auto distance = value_or_exit(SpectralDistance::create(tables.a.view(), tables.b.view(), options));
  exit_unless(distance.advance(kAllBlocks));
}

// The first rows of one table as states, with rows of the other as targets.
void decompose_states(const Tables& tables) {
  std::vector<std::uint32_t> targets(kHiddenRows);
  for (std::uint32_t i = 0; i < kHiddenRows; ++i) targets[i] = 7 * i;
  auto states = value_or_exit(
      HiddenStates::create(tables.a.view().row_block(0, kHiddenRows), tables.b.view(), targets, tables.a.view()));
  states.advance(kAllBlocks);
}

void align(const Tables& tables, const AlignmentOptions& options) {
  auto alignment = value_or_exit(Alignment::create(tables.a.view(), tables.b.view(), options));
  exit_unless(alignment.advance(kAllBlocks));
}

void measure_spectrum(const Tables& tables) {
  auto spectrum = value_or_exit(Spectrum::create(tables.a.view(), MeanRow::kSubtracted));
  exit_unless(spectrum.advance(kAllBlocks));
}

void measure_isotropy(const Tables& tables) {
  auto isotropy = value_or_exit(Isotropy::create(tables.a.view()));
  exit_unless(isotropy.advance(kAllBlocks));
}

// How much memory a diagnostic takes besides its tables.
Case memory_of(const std::string& name, std::function<void(const Tables&)> call) {
  Case result = of_tables(name, 0, std::move(call));
  result.id = "memory/" + name + "/" + std::to_string(kVocabSize) + "x" + std::to_string(kDModel);
  result.fresh = true;
  result.facts = [] {
    const double tables = 2.0 * sizeof(float) * kVocabSize * kDModel;
    return std::vector<Fact>{{"megabytes beside the tables", (most_bytes_held() - tables) * 1e-6}};
  };
  return result;
}

// What an alignment has to multiply, in float: X^T Y and X W; for a linear map also X^T X.
void multiply(const Tables& tables, bool has_gram) {
  Matrix<float> product = value_or_exit(Matrix<float>::create(kDModel, kDModel));
  Matrix<float> mapped = value_or_exit(Matrix<float>::create(kRows, kDModel));
  for (std::size_t i = 0; i < kVocabSize; i += kRows) {
    const std::size_t count = std::min(kRows, kVocabSize - i);
    const auto x = tables.a.view().row_block(i, count);
    const auto y = tables.b.view().row_block(i, count);
    if (has_gram) matmul_tn<float>(product.view(), x, x);
    matmul_tn<float>(product.view(), x, y);
    matmul_nn<float>(mapped.view().row_block(0, count), x, product.view());
  }
}

// What a spectrum has to multiply: X^T X, in double; for isotropy also X with the eigenvectors of three matrices,
// in float.
void multiply_with_itself(const Tables& tables, std::size_t directions) {
  Matrix<double> gram = value_or_exit(Matrix<double>::create(kDModel, kDModel));
  Matrix<double> wide = value_or_exit(Matrix<double>::create(kRows, kDModel));
  Matrix<float> mapped = value_or_exit(Matrix<float>::create(kRows, kDModel));
  for (std::size_t i = 0; i < kVocabSize; i += kRows) {
    const std::size_t count = std::min(kRows, kVocabSize - i);
    const auto x = tables.a.view().row_block(i, count);
    convert(wide.view().row_block(0, count), x);
    gram_lower(gram.view(), wide.view().row_block(0, count), Accumulate::kAdd);
    for (std::size_t k = 0; k < directions; ++k) {
      matmul_nn<float>(mapped.view().row_block(0, count), x, tables.b.view().row_block(k * kDModel, kDModel));
    }
  }
}

}  // namespace

void add_diagnostics(std::vector<Case>& cases) {
  const auto add = [&](const std::string& name, double operations, std::function<void(const Tables&)> call) {
    cases.push_back(of_tables(name, operations, std::move(call)));
  };
  // One fit to all rows, without chance or held-out rows, which are further fits of the same kind.
  const auto align_by = [](AlignmentMethod method) {
    return [method](const Tables& t) { align(t, {.method = method, .null_runs = 0}); };
  };
  add("align/identity", 0, align_by(AlignmentMethod::kIdentity));
  add("align/orthogonal", 2 * kProduct, align_by(AlignmentMethod::kOrthogonal));
  add("align/linear", 3 * kProduct, align_by(AlignmentMethod::kLinear));
  add("align/ridge", 3 * kProduct, align_by(AlignmentMethod::kRidge));
  add("products/orthogonal", 2 * kProduct, [](const Tables& t) { multiply(t, false); });
  add("products/linear", 3 * kProduct, [](const Tables& t) { multiply(t, true); });
  add("spectrum", kProduct, measure_spectrum);
  add("isotropy", 4 * kProduct, measure_isotropy);
  add("products/spectrum", kProduct, [](const Tables& t) { multiply_with_itself(t, 0); });
  add("products/isotropy", 4 * kProduct, [](const Tables& t) { multiply_with_itself(t, 3); });
  add("cka", 3 * kProduct, [](const Tables& t) {
    auto similarity = value_or_exit(Similarity::create(t.a.view(), t.b.view(), 10));
    exit_unless(similarity.advance(kAllBlocks));
  });
  // The cosines of the sample's rows with all rows of both tables.
  add("neighbors", 2 * 2.0 * kSample * kVocabSize * kDModel, [](const Tables& t) {
    auto overlap = value_or_exit(NeighborOverlap::create(t.a.view(), t.b.view(), {.k = 10, .sample = kSample}));
    overlap.advance(kAllBlocks);
  });
  add("norm-frequency", 2.0 * kVocabSize * kDModel, [](const Tables& t) {
    std::vector<std::uint32_t> counts(kVocabSize);
    Random random(2, stream_of("counts"));
    for (std::uint32_t& count : counts) count = random.below(10000);
    value_or_exit(norm_frequency(t.a.view(), counts));
  });
  // The cosines of the states, and of as many random directions, with all rows, both as they are and centered.
  add("hidden-states", 2 * 2 * 2.0 * kHiddenRows * kVocabSize * kDModel, decompose_states);
  // Most of the work is products of sparse matrices with vectors; there is no rate to report.
  add("spectral-distance", 0, [](const Tables& t) { compare_graphs(t, {.sample = kGraphRows, .null_runs = 0}); });
  cases.push_back(of_tables("spectral-distance", 0, [](const Tables& t) { compare_graphs(t, {}); }, 512, 64));

  // With a fifth of the rows held out and one random order, as a caller gets by default.
  const auto align_by_default = [](AlignmentMethod method) {
    return [method](const Tables& t) { align(t, {.method = method, .hold_out = 0.2, .null_runs = 1}); };
  };
  cases.push_back(memory_of("align/orthogonal", align_by_default(AlignmentMethod::kOrthogonal)));
  cases.push_back(memory_of("align/linear", align_by_default(AlignmentMethod::kLinear)));
  cases.push_back(memory_of("spectrum", measure_spectrum));
  cases.push_back(memory_of("isotropy", measure_isotropy));
}

}  // namespace tied::bench
