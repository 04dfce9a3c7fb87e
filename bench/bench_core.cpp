// Seeded benchmarks of the core, each as a share of what this machine reaches in registers in the same run: shares can
// be compared between machines, seconds cannot.
#include "benchmark.h"
#include "matrix_products.h"
#include "training_steps.h"

namespace {

using tied::Tying;
using namespace tied::bench;

// The step, and beside it its matrix products alone.
void add_transformer(std::vector<Benchmark>& benchmarks, const std::string& name, const TransformerShape& shape) {
  benchmarks.push_back(products_of_step(name + ", products alone", shape));
  const std::size_t products = benchmarks.size();
  const double operations = benchmarks.back().operations;
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    Benchmark step = transformer_step(name + ", " + std::string(tied::tying_name(tying)), tying, shape);
    step.operations = operations;
    step.products = products;
    benchmarks.push_back(std::move(step));
  }
}

}  // namespace

int main() {
  std::vector<Benchmark> benchmarks = single_products();
  benchmarks.push_back(direct_path_step(Tying::kTied, 65, 16, 1024));
  benchmarks.push_back(direct_path_step(Tying::kTied, 2000, 64, 1024));
  benchmarks.push_back(direct_path_step(Tying::kUntied, 2000, 64, 1024));
  const TransformerShape a{.vocab_size = 65, .d_model = 64, .batch_size = 16};
  const TransformerShape b{.vocab_size = 4096, .d_model = 128, .batch_size = 8};
  const TransformerShape laboratory{.vocab_size = 512, .d_model = 64, .batch_size = 16};
  add_transformer(benchmarks, "A: transformer, V 65, d 64, T 64, B 16", a);
  add_transformer(benchmarks, "B: transformer, V 4096, d 128, T 64, B 8", b);
  add_transformer(benchmarks, "laboratory: transformer, V 512, d 64, T 64, B 16", laboratory);
  benchmarks.push_back(decoding_step("laboratory: decoding 64 tokens", laboratory));
  measure_and_report(benchmarks);
}
