#include "model/generation.h"

#include <limits>

#include "linalg/reduce.h"
#include "support.h"

namespace tied {
namespace {

using test::random_ids;
using test::random_model;
using test::randomize;
using Ids = std::vector<std::uint32_t>;

ModelConfig direct_path_config() {
  return {.kind = ModelKind::kDirectPath, .vocab_size = 11, .d_model = 4, .tying = Tying::kUntied};
}

template <class T>
std::unique_ptr<Generation<T>> started(Model<T>& model, const Ids& prompt, const SamplingOptions& options) {
  auto generation = Generation<T>::create(model, prompt, options);
  REQUIRE(generation.ok());
  return std::move(generation).value();
}

template <class T>
Ids generated(Generation<T>& generation, std::size_t count) {
  Ids ids(count);
  REQUIRE(generation.advance(ids).ok());
  return ids;
}

// Draws each token from the logits of the whole window, computed at once.
template <class T>
Ids generated_slowly(Model<T>& model, Ids sequence, const SamplingOptions& options, std::size_t count) {
  const auto vocab_size = static_cast<std::size_t>(model.config().vocab_size);
  Sampler sampler;
  REQUIRE(sampler.prepare(vocab_size, options).ok());
  const std::size_t prompt_size = sequence.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t window = std::min(sequence.size(), model.context_length());
    auto logits = Matrix<T>::create(window, vocab_size);
    REQUIRE(logits.ok());
    model.logits(logits.value().view(), sequence.data() + sequence.size() - window, window);
    sequence.push_back(0);
    REQUIRE(sampler.draw(sequence.back(), logits.value().view().row(window - 1), i).ok());
  }
  sequence.erase(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(prompt_size));
  return sequence;
}

TEST_CASE_TEMPLATE("a direct path continues according to its logits", T, float, double) {
  const auto model = random_model<T>(direct_path_config());
  for (const double temperature : {0.0, 1.0}) {
    for (const Ids& prompt : {Ids{3}, Ids{1, 2, 3}}) {
      const SamplingOptions options{.temperature = temperature, .top_k = 5, .seed = 2};
      const auto generation = started(*model, prompt, options);
      CHECK(generated(*generation, 30) == generated_slowly(*model, prompt, options, 30));
      CHECK(generation->count() == 30);
    }
  }
}

// Without ties in the logits of a random model, both methods give the same tokens, though not the same bits.
TEST_CASE_TEMPLATE("a transformer continues according to its logits over the window, far beyond its context", T, float,
                   double) {
  for (const Positions positions : {Positions::kLearned, Positions::kNone, Positions::kRotary}) {
    for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
      const ModelConfig config{.kind = ModelKind::kTransformer,
                               .vocab_size = 17,
                               .d_model = 8,
                               .tying = tying,
                               .n_layers = 2,
                               .n_heads = 2,
                               .n_kv_heads = 1,
                               .context_length = 7,
                               .positions = positions};
      const auto model = random_model<T>(config, 3);
      for (const Ids& prompt : {Ids{4}, random_ids(6, 17, 1), random_ids(7, 17, 2), random_ids(20, 17, 3)}) {
        for (const SamplingOptions& options :
             {SamplingOptions{.temperature = 0}, SamplingOptions{.temperature = 1.3, .top_k = 9, .seed = 8}}) {
          const auto generation = started(*model, prompt, options);
          CHECK(generated(*generation, 40) == generated_slowly(*model, prompt, options, 40));
        }
      }
    }
  }
}

TEST_CASE("kept beyond the context, keys and values of one layer give the tokens of the window") {
  for (const Positions positions : {Positions::kNone, Positions::kRotary}) {
    for (const std::uint64_t context_length : {1, 2, 7}) {
      const ModelConfig config{.kind = ModelKind::kTransformer,
                               .vocab_size = 17,
                               .d_model = 8,
                               .tying = Tying::kTied,
                               .n_layers = 1,
                               .n_heads = 2,
                               .n_kv_heads = 1,
                               .context_length = context_length,
                               .positions = positions};
      const auto model = random_model<double>(config, 3);
      for (const Ids& prompt : {Ids{4}, random_ids(20, 17, 3)}) {
        const SamplingOptions options{.temperature = 1.3, .seed = 8};
        auto generation = Generation<double>::create(*model, prompt, options, BeyondContext::kKeep);
        REQUIRE(generation.ok());
        CHECK(generated(*generation.value(), 60) == generated_slowly(*model, prompt, options, 60));
      }
    }
  }
}

TEST_CASE("kept beyond the context, several layers know of tokens before the window, until it is read again") {
  constexpr std::size_t kContext = 5;
  const ModelConfig config{.kind = ModelKind::kTransformer,
                           .vocab_size = 17,
                           .d_model = 8,
                           .tying = Tying::kTied,
                           .n_layers = 2,
                           .n_heads = 2,
                           .context_length = kContext,
                           .positions = Positions::kRotary};
  const auto model = random_model<double>(config, 3);
  const auto logits_after = [&](const Ids& text, bool again) {
    const auto decoder = model->create_decoder();
    REQUIRE(decoder.ok());
    std::vector<double> logits(17);
    for (const std::uint32_t token : text) {
      if (decoder.value()->size() == kContext) CHECK(decoder.value()->remove_first());
      decoder.value()->append(&token, 1, logits.data());
    }
    if (!again) return logits;
    decoder.value()->reset();
    decoder.value()->append(text.data() + text.size() - kContext, kContext, logits.data());
    return logits;
  };
  const auto difference = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
    return largest;
  };
  Ids text = random_ids(40, 17, 5);
  const auto kept = logits_after(text, false);
  const auto read = logits_after(text, true);
  CHECK(difference(kept, read) > 1e-3);
  // Two layers reach back twice: to the token before the last kContext - 1 of the first of the window, and no further.
  text[40 - 2 * kContext + 1] ^= 1;
  CHECK(difference(logits_after(text, false), kept) > 1e-6);
  text[40 - 2 * kContext + 1] ^= 1;
  text[40 - 2 * kContext] ^= 1;
  CHECK(difference(logits_after(text, false), kept) < 1e-12);
  CHECK(difference(logits_after(text, true), read) == 0);
}

TEST_CASE("after refresh a transformer uses its new parameters, before and after the context is full") {
  const ModelConfig config{.kind = ModelKind::kTransformer,
                           .vocab_size = 17,
                           .d_model = 8,
                           .tying = Tying::kTied,
                           .n_layers = 2,
                           .n_heads = 2,
                           .context_length = 9};
  for (const std::size_t count : {3, 6, 7, 8, 20}) {
    const auto model = random_model<double>(config, 5);
    const auto generation = started(*model, {1, 2}, {.temperature = 0});
    Ids sequence{1, 2};
    for (const std::uint32_t id : generated(*generation, count)) sequence.push_back(id);
    randomize(*model, 6, 0.6);
    generation->refresh();
    CHECK(generated(*generation, 15) == generated_slowly(*model, sequence, {.temperature = 0}, 15));
  }
}

TEST_CASE("tokens do not depend on their division among calls") {
  const auto model = random_model<float>(direct_path_config());
  const auto at_once = generated(*started(*model, {4}, {.seed = 9}), 24);
  const auto generation = started(*model, {4}, {.seed = 9});
  Ids in_parts;
  for (const std::size_t count : {1, 0, 5, 2, 16}) {
    for (const std::uint32_t id : generated(*generation, count)) in_parts.push_back(id);
  }
  CHECK(in_parts == at_once);
  CHECK(generated(*started(*model, {4}, {.seed = 10}), 24) != at_once);
}

TEST_CASE("after refresh the new parameters are used") {
  const auto model = random_model<double>(direct_path_config());
  const auto generation = started(*model, {4}, {.temperature = 0});
  const Ids before = generated(*generation, 3);
  randomize(*model, 77, 0.6);
  generation->refresh();
  CHECK(generated(*generation, 8) == generated_slowly(*model, {before.back()}, {.temperature = 0}, 8));
}

TEST_CASE("logits that are not finite stop a generation, which continues once they are finite again") {
  const auto model = random_model<double>(direct_path_config());
  const auto generation = started(*model, {4}, {});
  generated(*generation, 2);
  const Parameter* embedding = model->parameters().table().find("embedding");
  auto saved = model->parameters().all_values().clone();
  REQUIRE(saved.ok());
  for (std::size_t i = 0; i < 11; ++i)
    model->parameters().values (*embedding)(i, 0) = std::numeric_limits<double>::quiet_NaN();
  generation->refresh();
  Ids out(3);
  const auto refused = generation->advance(out);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kNotFinite);
  CHECK(generation->count() == 2);
  model->parameters().all_values() = std::move(saved).value();
  generation->refresh();
  CHECK(generation->advance(out).ok());
  CHECK(generation->count() == 5);
}

TEST_CASE("bad prompts and options are refused by name") {
  const auto model = random_model<float>(direct_path_config());
  const auto refusal = [&](const Ids& prompt, const SamplingOptions& options) {
    const auto refused = Generation<float>::create(*model, prompt, options);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    return refused.error().message();
  };
  CHECK(refusal({}, {}) == "prompt is empty; expected at least one token");
  CHECK(refusal({1, 11}, {}) == "prompt[1] is 11; expected a token id below 11");
  CHECK(refusal({1}, {.temperature = -1}) == "temperature is -1; expected a finite number, at least 0");
  CHECK(Generation<float>::create(*model, Ids{1}, {.top_k = 1000}).ok());
  const auto learned =
      random_model<float>({.kind = ModelKind::kTransformer, .vocab_size = 5, .d_model = 4, .n_heads = 1});
  const auto refused = Generation<float>::create(*learned, Ids{1}, {}, BeyondContext::kKeep);
  REQUIRE(!refused.ok());
  CHECK(refused.error().code == ErrorCode::kUnsupported);
  CHECK(refused.error().argument == "beyond_context");
}

}  // namespace
}  // namespace tied
