#include "checkpoint/llama2c_file.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "support.h"

namespace tied {
namespace {

using test::Bytes;
using Ids = std::vector<std::uint32_t>;
using Vector = std::vector<double>;

constexpr std::size_t kDim = 8, kHidden = 12, kLayers = 2, kHeads = 4, kKeyValueHeads = 2, kVocab = 11, kContext = 6;
constexpr std::size_t kHeadWidth = kDim / kHeads, kKeyValueDim = kKeyValueHeads * kHeadWidth;

// The model in the form of its file, with the plainest possible forward pass.
struct Plain {
  Vector embedding, attention_norm, wq, wk, wv, wo, feed_forward_norm, w1, w2, w3, norm, rotary_tables, output;

  explicit Plain(std::uint64_t seed) {
    Random random(seed, stream_of("test"));
    const auto fill = [&random](Vector& values, std::size_t size) {
      values.resize(size);
      for (double& value : values) value = static_cast<double>(static_cast<float>(0.5 * random.normal()));
    };
    fill(embedding, kVocab * kDim);
    fill(attention_norm, kLayers * kDim);
    fill(wq, kLayers * kDim * kDim);
    fill(wk, kLayers * kKeyValueDim * kDim);
    fill(wv, kLayers * kKeyValueDim * kDim);
    fill(wo, kLayers * kDim * kDim);
    fill(feed_forward_norm, kLayers * kDim);
    fill(w1, kLayers * kHidden * kDim);
    fill(w2, kLayers * kDim * kHidden);
    fill(w3, kLayers * kHidden * kDim);
    fill(norm, kDim);
    fill(rotary_tables, kContext * kHeadWidth);
    fill(output, kVocab * kDim);
  }

  Bytes file(bool tied) const {
    Bytes bytes;
    for (const std::size_t size : {kDim, kHidden, kLayers, kHeads, kKeyValueHeads}) {
      test::append_number(bytes, static_cast<std::uint32_t>(size));
    }
    const auto vocab_size = static_cast<std::uint32_t>(kVocab);
    test::append_number(bytes, tied ? vocab_size : 0 - vocab_size);
    test::append_number(bytes, kContext);
    for (const Vector* values : {&embedding, &attention_norm, &wq, &wk, &wv, &wo, &feed_forward_norm, &w1, &w2, &w3,
                                 &norm, &rotary_tables, &output}) {
      if (values == &output && tied) continue;
      for (const double value : *values) {
        test::append_number(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
      }
    }
    return bytes;
  }

  // y_i = sum_j w_ij x_j, w [n_out, x.size()] from element `offset` on.
  static Vector map(const Vector& w, std::size_t offset, const Vector& x, std::size_t n_out) {
    Vector y(n_out);
    for (std::size_t i = 0; i < n_out; ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += w[offset + i * x.size() + j] * x[j];
    }
    return y;
  }
  static Vector normed(const Vector& x, const Vector& weight, std::size_t offset) {
    double square = 0;
    for (const double value : x) square += value * value;
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = x[i] / std::sqrt(square / static_cast<double>(x.size()) + 1e-5) * weight[offset + i];
    }
    return y;
  }
  static void rotate(Vector& x, std::size_t position) {
    for (std::size_t i = 0; i < x.size(); i += 2) {
      const double exponent = static_cast<double>(i % kHeadWidth) / static_cast<double>(kHeadWidth);
      const double angle = static_cast<double>(position) * std::pow(10000.0, -exponent);
      const double first = x[i], second = x[i + 1];
      x[i] = first * std::cos(angle) - second * std::sin(angle);
      x[i + 1] = first * std::sin(angle) + second * std::cos(angle);
    }
  }

  // Logits after each token.
  std::vector<Vector> logits(const Ids& ids, bool tied) const {
    std::vector<Vector> residual;
    for (const std::uint32_t id : ids) {
      residual.emplace_back(embedding.begin() + static_cast<std::ptrdiff_t>(id * kDim),
                            embedding.begin() + static_cast<std::ptrdiff_t>((id + 1) * kDim));
    }
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      std::vector<Vector> keys, values;
      for (std::size_t t = 0; t < ids.size(); ++t) {
        const Vector x = normed(residual[t], attention_norm, layer * kDim);
        Vector query = map(wq, layer * kDim * kDim, x, kDim);
        Vector key = map(wk, layer * kKeyValueDim * kDim, x, kKeyValueDim);
        rotate(query, t);
        rotate(key, t);
        keys.push_back(key);
        values.push_back(map(wv, layer * kKeyValueDim * kDim, x, kKeyValueDim));
        Vector mixed(kDim);
        for (std::size_t head = 0; head < kHeads; ++head) {
          const std::size_t shared = head / (kHeads / kKeyValueHeads) * kHeadWidth;
          Vector weights(t + 1);
          double total = 0;
          for (std::size_t s = 0; s <= t; ++s) {
            double score = 0;
            for (std::size_t i = 0; i < kHeadWidth; ++i) score += query[head * kHeadWidth + i] * keys[s][shared + i];
            weights[s] = std::exp(score / std::sqrt(static_cast<double>(kHeadWidth)));
            total += weights[s];
          }
          for (std::size_t s = 0; s <= t; ++s) {
            for (std::size_t i = 0; i < kHeadWidth; ++i) {
              mixed[head * kHeadWidth + i] += weights[s] / total * values[s][shared + i];
            }
          }
        }
        const Vector written = map(wo, layer * kDim * kDim, mixed, kDim);
        for (std::size_t i = 0; i < kDim; ++i) residual[t][i] += written[i];
      }
      for (Vector& state : residual) {
        const Vector x = normed(state, feed_forward_norm, layer * kDim);
        Vector gate = map(w1, layer * kHidden * kDim, x, kHidden);
        const Vector up = map(w3, layer * kHidden * kDim, x, kHidden);
        for (std::size_t i = 0; i < kHidden; ++i) gate[i] *= up[i] / (1 + std::exp(-gate[i]));
        const Vector written = map(w2, layer * kDim * kHidden, gate, kDim);
        for (std::size_t i = 0; i < kDim; ++i) state[i] += written[i];
      }
    }
    std::vector<Vector> result;
    for (const Vector& state : residual) {
      result.push_back(map(tied ? embedding : output, 0, normed(state, norm, 0), kVocab));
    }
    return result;
  }
};

std::string refusal(const Bytes& bytes) {
  const auto refused = open_llama2c(bytes);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kBadFile);
  CHECK(refused.error().argument == "file");
  return refused.error().value + "; " + refused.error().expected;
}

Bytes with_number(Bytes bytes, std::size_t index, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) bytes[4 * index + i] = static_cast<std::uint8_t>(number >> (8 * i) & 0xFF);
  return bytes;
}

TEST_CASE("a llama2.c model computes its formulas, tied and untied") {
  for (const bool tied : {true, false}) {
    const Plain plain(tied ? 1 : 2);
    const Bytes bytes = plain.file(tied);
    const auto file = open_llama2c(bytes);
    REQUIRE(file.ok());
    CHECK(file.value().config.tying == (tied ? Tying::kTied : Tying::kUntied));
    const Ids ids{3, 10, 0, 3, 7, 1};
    const std::vector<Vector> expected = plain.logits(ids, tied);
    const auto model = test::model_of<double>(file.value());
    const Matrix<double> logits = test::logits_of(*model, ids);
    const auto float_model = test::model_of<float>(file.value());
    const Matrix<float> float_logits = test::logits_of(*float_model, ids);
    for (std::size_t t = 0; t < ids.size(); ++t) {
      for (std::size_t i = 0; i < kVocab; ++i) {
        // The same formula with sums in another order, on values of size 10 at most.
        CHECK(std::fabs(logits(t, i) - expected[t][i]) <= 1e-12);
        CHECK(std::fabs(static_cast<double>(float_logits(t, i)) - expected[t][i]) <= 1e-4);
      }
    }
  }
}

TEST_CASE("every element of every parameter is read") {
  for (const bool tied : {true, false}) {
    const Bytes bytes = Plain(3).file(tied);
    const auto file = open_llama2c(bytes);
    REQUIRE(file.ok());
    ParameterStore<float> store;
    REQUIRE(store.allocate(parameter_table(file.value().config)).ok());
    store.all_values().fill(std::numeric_limits<float>::quiet_NaN());
    read_values(store, file.value());
    for (const Parameter& parameter : store.table().list()) {
      CAPTURE(parameter.name);
      const auto values = store.values(parameter);
      for (std::size_t i = 0; i < values.rows * values.cols; ++i) REQUIRE(std::isfinite(values.data[i]));
    }
  }
}

TEST_CASE("a file truncated anywhere, or with extra bytes, is refused") {
  for (const bool tied : {true, false}) {
    const Bytes whole = Plain(4).file(tied);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      refusal(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    }
    Bytes longer = whole;
    longer.push_back(0);
    refusal(longer);
  }
  CHECK(refusal({}) == "0 bytes long; a llama2.c model, which begins with seven sizes of 4 bytes");
  // As an untied file, the same bytes lack an output matrix.
  const Bytes tied = Plain(4).file(true);
  CHECK(refusal(with_number(tied, 5, 0xFFFFFFF5u)) ==
        text_of(tied.size()) + " bytes long; " + text_of(tied.size() + 4 * kVocab * kDim) + " bytes, as its sizes say");
}

TEST_CASE("sizes of invalid models are refused by name") {
  const Bytes whole = Plain(5).file(true);
  constexpr const char* kNames[] = {"dim", "hidden_dim", "n_layers", "n_heads", "n_kv_heads", "vocab_size", "seq_len"};
  for (std::size_t i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(refusal(with_number(whole, i, 0)) == std::string(kNames[i]) + " 0; 1 or more");
    if (i == 5) continue;
    CHECK(refusal(with_number(whole, i, 0xFFFFFFFFu)) == std::string(kNames[i]) + " -1; 1 or more");
    CHECK(refusal(with_number(whole, i, 0x80000000u)) == std::string(kNames[i]) + " -2147483648; 1 or more");
  }
  // The bits of a NaN, and the sizes with the largest products.
  for (const std::uint32_t huge : {0x7FC00000u, 0x7FFFFFFFu, 0x40000000u, 0x00100000u, 0x80000000u, 0x80000001u}) {
    for (std::size_t i = 0; i < 7; ++i) refusal(with_number(whole, i, huge));
    Bytes all = whole;
    for (std::size_t i = 0; i < 7; ++i) all = with_number(all, i, huge);
    refusal(all);
  }
  CHECK(refusal(with_number(whole, 3, 3)) == "n_heads 3; a divisor of d_model, 8");
  CHECK(refusal(with_number(whole, 4, 3)) == "n_kv_heads 3; a divisor of n_heads, 4");
  CHECK(refusal(with_number(with_number(whole, 3, 8), 4, 8)).starts_with("n_heads 8; heads of an even width"));
  CHECK(refusal(with_number(whole, 5, 1)) == "vocab_size 1; 2 to 4294967295");
}

TEST_CASE("elements that are not finite are refused with their position") {
  const Bytes whole = Plain(6).file(true);
  const auto bad = [&](std::size_t number, float value) {
    return refusal(with_number(whole, 7 + number, std::bit_cast<std::uint32_t>(value)));
  };
  CHECK(bad(0, std::numeric_limits<float>::quiet_NaN()) == "NaN at byte 28; finite numbers");
  CHECK(bad(100, -std::numeric_limits<float>::infinity()) == "-Infinity at byte 428; finite numbers");
  const std::size_t last = whole.size() / 4 - 8;
  CHECK(bad(last, std::numeric_limits<float>::infinity()).starts_with("Infinity at byte"));
}

}  // namespace
}  // namespace tied
