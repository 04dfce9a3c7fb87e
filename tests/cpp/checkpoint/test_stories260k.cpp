// A published model, if it is present next to the project.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "model/generation.h"
#include "support.h"
#include "text/tokenizer.h"

namespace tied {
namespace {

using test::Bytes;
using test::data_file;
using Ids = std::vector<std::uint32_t>;

// All numbers of the array that follows "name", at any depth.
std::vector<double> numbers_of(const std::string& json, const char* name) {
  std::vector<double> numbers;
  const std::size_t begin = json.find(std::string("\"") + name + "\"");
  REQUIRE(begin != std::string::npos);
  const char* at = std::strchr(json.c_str() + begin, '[');
  int depth = 0;
  do {
    if (*at == '[') ++depth;
    if (*at == ']') --depth;
    if (std::strchr("-0123456789", *at) != nullptr) {
      char* end = nullptr;
      numbers.push_back(std::strtod(at, &end));
      at = end;
    } else {
      ++at;
    }
  } while (depth > 0);
  return numbers;
}

struct Stories {
  Bytes bytes = data_file("models/stories260k.bin");
  Bytes tokenizer = data_file("tokenizers/llama2c-tok512.bin");
  std::string reference = test::text_of_bytes(data_file("models/stories260k-logits.json"));

  bool are_there() const { return !bytes.empty() && !tokenizer.empty() && !reference.empty(); }
  Llama2cFile file() const {
    auto file = open_llama2c(bytes);
    REQUIRE_MESSAGE(file.ok(), (file.ok() ? std::string() : file.error().message()));
    return std::move(file).value();
  }
};

template <class T>
void check_logits(const Stories& stories, double tolerance, double residual_tolerance) {
  const auto model = test::model_of<T>(stories.file());
  Ids ids;
  for (const double id : numbers_of(stories.reference, "ids")) ids.push_back(static_cast<std::uint32_t>(id));
  REQUIRE(ids == Ids{1, 403, 407, 261, 378});

  const std::vector<double> expected = numbers_of(stories.reference, "logits");
  const Matrix<T> logits = test::logits_of(*model, ids);
  REQUIRE(expected.size() == ids.size() * 512);
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::fabs(static_cast<double>(logits.data()[i]) - expected[i]));
  }
  CHECK(worst <= tolerance);

  const std::vector<double> norms = numbers_of(stories.reference, "residual_norms");
  std::vector<Matrix<T>> states;
  std::vector<MatrixView<T>> views;
  REQUIRE(model->n_hidden_states() == 6);
  REQUIRE(norms.size() == 6 * ids.size());
  for (std::size_t i = 0; i < 6; ++i) {
    auto state = Matrix<T>::create(ids.size(), 64);
    REQUIRE(state.ok());
    states.push_back(std::move(state).value());
    views.push_back(states.back().view());
  }
  model->hidden_states(views, ids.data(), ids.size());
  double worst_norm = 0;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < 64; ++j) {
      const auto x = static_cast<double>(states[i / ids.size()](i % ids.size(), j));
      square += x * x;
    }
    worst_norm = std::max(worst_norm, std::fabs(std::sqrt(square) - norms[i]));
  }
  CHECK(worst_norm <= residual_tolerance);
}

TEST_CASE("stories260k has its published sizes") {
  const Stories stories;
  if (!stories.are_there()) return;
  const ModelConfig config = stories.file().config;
  CHECK(config.d_model == 64);
  CHECK(config.d_feed_forward == 172);
  CHECK(config.n_layers == 5);
  CHECK(config.n_heads == 8);
  CHECK(config.n_kv_heads == 4);
  CHECK(config.vocab_size == 512);
  CHECK(config.context_length == 512);
  CHECK(config.tying == Tying::kTied);
  // 1,056,540 bytes minus the seven sizes and the two rotary tables of 512 x 4.
  CHECK(parameter_table(config).parameter_count() == (1056540 - 28) / 4 - 2 * 512 * 4);
}

TEST_CASE("logits and residual norms of stories260k are those of an independent program") {
  const Stories stories;
  if (!stories.are_there()) return;
  // The reference is rounded to six decimals: half a unit of the last digit is the whole difference (measured 5.0e-7
  // and 4.9e-7).
  check_logits<double>(stories, 6e-7, 6e-7);
  // Sums of up to 172 products in five layers, logits up to 20 (measured 9.3e-6 and 2.0e-6).
  check_logits<float>(stories, 5e-5, 2e-5);
}

TEST_CASE_TEMPLATE("stories260k tells the same story as in its own program", T, float, double) {
  const Stories stories;
  if (!stories.are_there()) return;
  const auto tokenizer = load_llama2c_tokenizer(test::text_of_bytes(stories.tokenizer));
  REQUIRE(tokenizer.ok());
  const auto model = test::model_of<T>(stories.file());
  Ids ids{*tokenizer.value().start_token()};
  const auto prompt = tokenizer.value().encode("Once upon a time");
  REQUIRE(prompt.ok());
  ids.insert(ids.end(), prompt.value().begin(), prompt.value().end());
  auto generation = Generation<T>::create(*model, ids, {.temperature = 0});
  REQUIRE_MESSAGE(generation.ok(), (generation.ok() ? std::string() : generation.error().message()));
  Ids more(60);
  REQUIRE(generation.value()->advance(more).ok());
  ids.insert(ids.end(), more.begin(), more.end());
  const std::string text = tokenizer.value().decode(ids).value();
  CHECK(
      text.starts_with("Once upon a time, there was a little girl named Lily. She loved to play outside in the park. "
                       "One day, she saw a big, red ball. She wanted to play with it, but it was too high."));
}

}  // namespace
}  // namespace tied
