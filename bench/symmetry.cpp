#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "decompositions.h"
#include "direct_path/symmetry.h"
#include "linalg/matmul.h"
#include "or_exit.h"

namespace tied::bench {
namespace {

struct Tables {
  Matrix<float> embedding;
  Matrix<float> unembedding;
};

// Rows of the tables that are multiplied at a time.
constexpr std::size_t kRows = 256;

std::shared_ptr<Tables> random_tables(std::size_t vocab_size, std::size_t d_model) {
  const auto random_table = [&](const char* name) {
    Matrix<float> table = value_or_exit(Matrix<float>::create(vocab_size, d_model));
    Random random(1, stream_of(name));
    for (std::size_t i = 0; i < vocab_size * d_model; ++i) table.data()[i] = random.uniform() - 0.5F;
    return table;
  };
  return std::make_shared<Tables>(random_table("embedding"), random_table("unembedding"));
}

std::string size_of(std::size_t vocab_size, std::size_t d_model) {
  return std::to_string(vocab_size) + "x" + std::to_string(d_model);
}

// Three products as large as that of a table with a [d, d] matrix.
double operations_of(std::size_t vocab_size, std::size_t d_model) {
  return 6.0 * static_cast<double>(vocab_size) * static_cast<double>(d_model * d_model);
}

Case norms(std::size_t vocab_size, std::size_t d_model) {
  Case result;
  result.id = "symmetry/factors/" + size_of(vocab_size, d_model);
  result.operations = operations_of(vocab_size, d_model);
  result.keep = false;
  result.prepare = [vocab_size, d_model]() -> std::function<void()> {
    const auto tables = random_tables(vocab_size, d_model);
    return [tables] {
      const DirectPathFactors factors{tables->embedding.view(), tables->unembedding.view(), std::nullopt};
      value_or_exit(direct_path_symmetry(factors, {.most_products = 0}));
    };
  };
  result.facts = [vocab_size, d_model] {
    const double tables = 2.0 * sizeof(float) * static_cast<double>(vocab_size * d_model);
    const double beside = static_cast<double>(direct_path_symmetry_bytes(d_model, false));
    return std::vector<Fact>{{"bytes of tables", (tables + beside) / tables}};
  };
  return result;
}

// In double, as the norms are computed, or in float.
template <class T>
Case products(const char* kind, std::size_t vocab_size, std::size_t d_model) {
  Case result;
  result.id = std::string("symmetry/") + kind + "/" + size_of(vocab_size, d_model);
  result.operations = operations_of(vocab_size, d_model);
  result.keep = false;
  result.prepare = [vocab_size, d_model]() -> std::function<void()> {
    // The same block repeatedly, so that only products are measured.
    const auto block = std::make_shared<Matrix<T>>(value_or_exit(Matrix<T>::create(kRows, d_model)));
    Random random(1, stream_of("block"));
    for (std::size_t i = 0; i < kRows * d_model; ++i) block->data()[i] = static_cast<T>(random.uniform()) - T(0.5);
    const auto out = std::make_shared<Matrix<T>>(value_or_exit(Matrix<T>::create(d_model, d_model)));
    return [block, out, vocab_size] {
      for (std::size_t i = 0; i < vocab_size; i += kRows) {
        const ConstMatrixView<T> rows = block->view().row_block(0, std::min(kRows, vocab_size - i));
        for (int product = 0; product < 3; ++product) matmul_tn<T>(out->view(), rows, rows, Accumulate::kAdd);
      }
    };
  };
  return result;
}

Case pairs(std::size_t vocab_size, std::size_t d_model) {
  Case result;
  result.id = "symmetry/pairs/" + size_of(vocab_size, d_model);
  result.keep = false;
  result.prepare = [vocab_size, d_model]() -> std::function<void()> {
    const auto tables = random_tables(vocab_size, d_model);
    return [tables] {
      const DirectPathFactors factors{tables->embedding.view(), tables->unembedding.view(), std::nullopt};
      value_or_exit(direct_path_symmetry(factors, {.worst = 10}));
    };
  };
  return result;
}

}  // namespace

void add_symmetry(std::vector<Case>& cases) {
  constexpr std::size_t kVocabSize = 50257;
  constexpr std::size_t kDModel = 768;
  cases.push_back(norms(kVocabSize, kDModel));
  cases.push_back(products<double>("products", kVocabSize, kDModel));
  cases.push_back(products<float>("products-in-float", kVocabSize, kDModel));
  cases.push_back(pairs(4096, 128));
}

}  // namespace tied::bench
