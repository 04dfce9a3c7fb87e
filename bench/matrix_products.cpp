#include "matrix_products.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "linalg/matmul.h"

namespace tied::bench {
namespace {

enum class Form { kNn, kNt, kTn };

// out [m, n] (+)= op(a) [m, k] op(b) [k, n], `count` times; row strides, 0 = contiguous.
struct Product {
  Form form = Form::kNn;
  std::size_t m = 0;
  std::size_t k = 0;
  std::size_t n = 0;
  std::size_t count = 1;
  std::size_t a_stride = 0;
  std::size_t b_stride = 0;
  std::size_t out_stride = 0;

  double operations() const { return 2.0 * static_cast<double>(m * k * n * count); }
  std::size_t a_rows() const { return form == Form::kTn ? k : m; }
  std::size_t a_cols() const { return form == Form::kTn ? m : k; }
  std::size_t b_rows() const { return form == Form::kNt ? n : k; }
  std::size_t b_cols() const { return form == Form::kNt ? k : n; }
};

std::size_t numbers(std::size_t rows, std::size_t cols, std::size_t stride) { return rows * std::max(cols, stride); }

// Memory for the factors and results of any of several products.
class Operands {
 public:
  explicit Operands(const std::vector<Product>& products) {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t out = 0;
    for (const Product& product : products) {
      a = std::max(a, numbers(product.a_rows(), product.a_cols(), product.a_stride));
      b = std::max(b, numbers(product.b_rows(), product.b_cols(), product.b_stride));
      out = std::max(out, numbers(product.m, product.n, product.out_stride));
    }
    a_ = random_numbers(a, 1);
    b_ = random_numbers(b, 2);
    out_ = random_numbers(out, 3);
  }

  void multiply(const Product& p) {
    const auto view = [](float* data, std::size_t rows, std::size_t cols, std::size_t stride) {
      return MatrixView<float>(data, rows, cols, std::max(cols, stride));
    };
    const MatrixView<float> a = view(a_.data(), p.a_rows(), p.a_cols(), p.a_stride);
    const MatrixView<float> b = view(b_.data(), p.b_rows(), p.b_cols(), p.b_stride);
    const MatrixView<float> out = view(out_.data(), p.m, p.n, p.out_stride);
    for (std::size_t i = 0; i < p.count; ++i) {
      if (p.form == Form::kNn) matmul_nn(out, a, b);
      if (p.form == Form::kNt) matmul_nt(out, a, b);
      if (p.form == Form::kTn) matmul_tn(out, a, b, Accumulate::kAdd);
    }
  }

 private:
  static std::vector<float> random_numbers(std::size_t count, std::uint64_t seed) {
    std::vector<float> values(count);
    Random random(seed, stream_of("bench"));
    for (float& value : values) value = random.uniform() - 0.5F;
    return values;
  }

  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> out_;
};

double operations_of(const std::vector<Product>& products) {
  double operations = 0;
  for (const Product& product : products) operations += product.operations();
  return operations;
}

Case case_of(std::string id, std::vector<Product> products) {
  Case result;
  result.id = std::move(id);
  result.operations = operations_of(products);
  result.prepare = [products = std::move(products)]() -> std::function<void()> {
    const auto operands = std::make_shared<Operands>(products);
    return [operands, products] {
      for (const Product& product : products) operands->multiply(product);
    };
  };
  return result;
}

Case single_product(const Product& p, const char* note = "") {
  const char* const forms[] = {"nn", "nt", "tn"};
  std::string id = "product/" + std::to_string(p.m) + "x" + std::to_string(p.k) + "x" + std::to_string(p.n) + "/" +
                   forms[static_cast<int>(p.form)];
  if (*note != '\0') id += std::string("/") + note;
  return case_of(std::move(id), {p});
}

// Forward, gradient of the input, gradient of the weights.
void add_linear(std::vector<Product>& products, std::size_t rows, std::size_t in, std::size_t out, std::size_t count) {
  products.push_back({Form::kNt, rows, in, out, count});
  products.push_back({Form::kNn, rows, out, in, count});
  products.push_back({Form::kTn, out, rows, in, count});
}

// The products of `count` attention heads of that width; the strides are those of the rows of queries, keys and values.
void add_attention(std::vector<Product>& products, std::size_t length, std::size_t width, std::size_t d,
                   std::size_t query_stride, std::size_t key_stride, std::size_t count) {
  products.push_back({Form::kNt, length, width, length, count, query_stride, key_stride});     // scores
  products.push_back({Form::kNn, length, length, width, count, 0, key_stride, d});             // weighted values
  products.push_back({Form::kNt, length, width, length, count, d, key_stride});                // into probabilities
  products.push_back({Form::kTn, length, length, width, count, 0, d, key_stride});             // into values
  products.push_back({Form::kNn, length, length, width, count, 0, key_stride, query_stride});  // into queries
  products.push_back({Form::kTn, length, length, width, count, 0, query_stride, key_stride});  // into keys
}

std::vector<Product> products_of_step(const TransformerShape& shape) {
  const auto tokens = static_cast<std::size_t>(shape.tokens());
  const auto d = static_cast<std::size_t>(shape.d_model);
  const auto layers = static_cast<std::size_t>(shape.n_layers);
  std::vector<Product> products;
  add_linear(products, tokens, d, 3 * d, layers);
  add_linear(products, tokens, d, d, layers);
  add_linear(products, tokens, d, 4 * d, layers);
  add_linear(products, tokens, 4 * d, d, layers);
  add_linear(products, tokens, d, static_cast<std::size_t>(shape.vocab_size), 1);
  add_attention(products, static_cast<std::size_t>(shape.context_length),
                static_cast<std::size_t>(shape.d_model / shape.n_heads), d, 3 * d, 3 * d,
                static_cast<std::size_t>(shape.n_layers * shape.batch_size * shape.n_heads));
  return products;
}

std::vector<Product> products_of_pairs(const PairShape& shape) {
  const auto rows = static_cast<std::size_t>(shape.rows());
  const auto d = static_cast<std::size_t>(shape.d_model);
  const auto layers = static_cast<std::size_t>(shape.n_layers);
  const auto length = static_cast<std::size_t>(shape.length);
  const auto width = static_cast<std::size_t>(shape.d_model / shape.n_heads);
  const auto heads = static_cast<std::size_t>(shape.n_layers * shape.batch_size * shape.n_heads);
  std::vector<Product> products;
  add_linear(products, rows, d, 3 * d, 2 * layers);
  add_linear(products, rows, d, d, 2 * layers);
  add_linear(products, rows, d, 4 * d, 2 * layers);
  add_linear(products, rows, 4 * d, d, 2 * layers);
  // Cross-attention: queries and output of the decoder's rows, keys and values of the encoder's.
  add_linear(products, rows, d, d, 2 * layers);
  add_linear(products, rows, d, 2 * d, layers);
  add_linear(products, rows, d, static_cast<std::size_t>(shape.vocab_size), 1);
  add_attention(products, length, width, d, 3 * d, 3 * d, 2 * heads);
  add_attention(products, length, width, d, d, 2 * d, heads);
  return products;
}

}  // namespace

double operations_of_step(const TransformerShape& shape) { return operations_of(products_of_step(shape)); }

double operations_of_pairs(const PairShape& shape) { return operations_of(products_of_pairs(shape)); }

void add_matrix_products(std::vector<Case>& cases) {
  const auto add = [&](const Product& product, const char* note = "") {
    cases.push_back(single_product(product, note));
  };
  add({Form::kNn, 64, 64, 64});
  add({Form::kNn, 128, 128, 128});
  for (const Form form : {Form::kNn, Form::kNt, Form::kTn}) add({form, 256, 256, 256});
  add({Form::kNn, 512, 512, 512});
  add({Form::kNn, 1024, 1024, 1024});
  add({Form::kNt, 512, 128, 8192}, "logits");
  add({Form::kNn, 512, 8192, 128}, "into-hidden");
  add({Form::kTn, 8192, 512, 128}, "into-embedding");
  add({Form::kNt, 1024, 64, 192}, "queries-keys-values");
  add({Form::kNt, 1024, 64, 256}, "up");
  add({Form::kNt, 1024, 256, 64}, "down");
  add({Form::kNn, 1024, 64, 256}, "back-through-down");
  add({Form::kTn, 256, 1024, 64}, "into-up");
  add({Form::kTn, 64, 1024, 256}, "into-down");
  add({Form::kNt, 64, 16, 64, 1, 192, 192}, "scores-of-a-head");
  add({Form::kNn, 64, 64, 16, 1, 0, 192, 64}, "values-of-a-head");
  add({Form::kTn, 64, 64, 16, 1, 0, 64, 192}, "into-values-of-a-head");
  add({Form::kNt, 1, 64, 256}, "one-row");
  add({Form::kNt, 1, 256, 64}, "one-row");
  add({Form::kNt, 1, 64, 8192}, "one-row-of-logits");

  const auto add_step = [&](const char* id, std::vector<Product> products, std::uint64_t items, const char* name) {
    Case step = case_of(id, std::move(products));
    step.items = static_cast<double>(items);
    step.items_name = name;
    cases.push_back(std::move(step));
  };
  const auto add_transformer = [&](const char* id, const TransformerShape& shape) {
    add_step(id, products_of_step(shape), shape.tokens(), "tokens");
  };
  add_transformer("products/A", kTransformerA);
  add_transformer("products/B", kTransformerB);
  add_transformer("products/laboratory", kLab);
  add_step("products/pairs", products_of_pairs({}), PairShape().batch_size, "pairs");
}

}  // namespace tied::bench
