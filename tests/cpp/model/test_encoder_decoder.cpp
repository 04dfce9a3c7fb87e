// An encoder-decoder: gradients compared with central differences, its three roles, masks, decoding.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "gradients.h"
#include "linalg/reduce.h"
#include "model/pair_outputs.h"
#include "model/translation.h"
#include "pairs.h"

using namespace tied;
using test::small_encoder_decoder;

namespace {

// As for the decoder-only model; actual errors are below 1e-8.
constexpr double kPairTolerance = 1e-7;

double pair_error_of(const ModelConfig& config, std::uint64_t seed, std::uint64_t dropout_key = 0) {
  const auto pairs = test::random_pairs(6, config, seed);
  const auto model = test::random_model<double>(config, seed + 2, 0.5, 8);
  PairBatch batch = pairs.batch();
  batch.weight = 0.75;
  batch.dropout_key = dropout_key;
  // The smallest gradient, of queries whose keys are very similar, is about 3e-5: without it the error would be above
  // the tolerance.
  return test::largest_gradient_error(*model, [&](Pass pass) { return model->pairs()->loss(batch, pass); }, 1, 1e-5);
}

template <class T>
std::vector<T> gradient_of(const Model<T>& model, const char* name) {
  const auto view = model.parameters().gradient(*model.parameters().table().find(name));
  return {view.data, view.data + view.rows * view.cols};
}

}  // namespace

TEST_CASE("gradients of an encoder-decoder equal central differences in every tying, with every scale and bias") {
  for (const test::PairCase& tying : test::kPairTyings) {
    for (const bool scales : {false, true}) {
      ModelConfig config = small_encoder_decoder(tying);
      config.scales_embedding = scales;
      config.scales_logits = scales;
      config.output_bias = scales;
      CHECK(pair_error_of(config, 10) < kPairTolerance);
    }
  }
}

TEST_CASE("gradients of an encoder-decoder equal central differences for every switch of its layers") {
  for (const Norm norm : {Norm::kRms, Norm::kLayer}) {
    for (const Positions positions : {Positions::kLearned, Positions::kNone, Positions::kRotary}) {
      for (const bool rich : {false, true}) {
        ModelConfig config = small_encoder_decoder(test::kPairTyings[4]);
        config.norm = norm;
        config.positions = positions;
        config.feed_forward = rich ? FeedForward::kSwiGlu : FeedForward::kGelu;
        config.biases = rich ? Biases::kAll : Biases::kNone;
        config.final_norm = !rich;
        config.n_kv_heads = rich ? 1 : 2;
        CHECK(pair_error_of(config, 20) < kPairTolerance);
      }
    }
  }
  ModelConfig config = small_encoder_decoder(test::kPairTyings[0]);
  config.dropout = 0.3;
  CHECK(pair_error_of(config, 30, 99) < kPairTolerance);
}

TEST_CASE("the parts of a shared table's gradient add up to it, to the bit") {
  for (const test::PairCase& tying : test::kPairTyings) {
    const ModelConfig config = small_encoder_decoder(tying);
    const auto model = test::random_model<float>(config, 5);
    const auto pairs = test::random_pairs(6, config, 6);
    model->pairs()->loss(pairs.batch(), Pass::kForwardBackward);
    const auto input = gradient_of(*model, "embedding");
    const auto output = gradient_of(*model, "unembedding");
    const auto encoder = gradient_of(*model, "encoder.embedding");
    model->parameters().combine_gradients(1, 1);
    const auto shared = gradient_of(*model, "embedding");
    for (std::size_t i = 0; i < shared.size(); ++i) {
      float expected = input[i];
      if (tying.tying == Tying::kTied) expected += output[i];
      if (tying.encoder_table == EncoderTable::kEmbedding) expected += encoder[i];
      CHECK(shared[i] == expected);
    }
    const auto& table = model->parameters().table();
    const std::uint64_t rest = table.parameter_count() - static_cast<std::uint64_t>(tying.tables) * 7 * 4;
    // Positions 9 x 4; an encoder layer has 2 norms, 3 d^2 + d^2, 2 d f + f + d; a decoder layer one norm and 4 d^2
    // more; two final norms.
    CHECK(rest == 9 * 4 + (2 * 4 + 64 + 40 + 9) + 2 * (3 * 4 + 128 + 40 + 9) + 2 * 4);
  }
}

TEST_CASE("a pair has the same results to the bit alone, among others and in several chunks") {
  ModelConfig config = small_encoder_decoder(test::kPairTyings[3]);
  const auto pairs = test::random_pairs(40, config, 7);
  const auto model = test::random_model<float>(config, 8);
  const auto in_chunks = test::random_model<float>(config, 8, 0.6, 1);
  // Sums over rows are in double, so only the order of pairs could make a difference.
  double sum = 0;
  std::uint32_t tokens = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    PairBatch one = pairs.batch(i, 1);
    const std::uint32_t size = one.target_starts[1] - one.target_starts[0];
    one.weight = size;
    const double alone = model->pairs()->loss(one, Pass::kForward);
    CHECK(in_chunks->pairs()->loss(one, Pass::kForward) == alone);
    sum += alone;
    tokens += size;
  }
  PairBatch all = pairs.batch();
  all.weight = tokens;
  // Weights of 1 / 110 and 1 / 3 round differently.
  CHECK(std::fabs(model->pairs()->loss(all, Pass::kForward) - sum) < 1e-12 * sum);
  CHECK(std::fabs(in_chunks->pairs()->loss(all, Pass::kForward) - sum) < 1e-12 * sum);

  // Logits of a pair do not depend on how long the pairs before it were: nothing of them is left in the buffers.
  auto first = Matrix<float>::create(3, 7);
  auto again = Matrix<float>::create(3, 7);
  const std::vector<std::uint32_t> source = {3, 2}, inputs = {0, 5, 4};
  model->pairs()->logits(first.value().view(), {source, inputs});
  model->pairs()->loss(all, Pass::kForwardBackward);
  model->pairs()->logits(again.value().view(), {source, inputs});
  CHECK(test::equal_elements(first.value().data(), again.value().data(), 21));
}

TEST_CASE("the encoder attends to the whole source, and the decoder to no later token of the target") {
  const ModelConfig config = small_encoder_decoder(test::kPairTyings[0]);
  const auto model = test::random_model<float>(config, 9);
  const auto logits_of = [&](const std::vector<std::uint32_t>& source, const std::vector<std::uint32_t>& inputs) {
    auto out = Matrix<float>::create(inputs.size(), 7);
    model->pairs()->logits(out.value().view(), {source, inputs});
    return std::move(out).value();
  };
  const auto here = logits_of({2, 3, 4}, {0, 2, 3});
  const auto later = logits_of({2, 3, 4}, {0, 2, 6});
  CHECK(test::equal_elements(here.data(), later.data(), 14));
  CHECK(!test::equal_elements(here.data() + 14, later.data() + 14, 7));
  const auto other_source = logits_of({2, 3, 5}, {0, 2, 3});
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(!test::equal_elements(here.data() + 7 * row, other_source.data() + 7 * row, 7));
  }

  auto encoder = Matrix<float>::create(2 * 3, 3);
  auto decoder = Matrix<float>::create(4 * 2, 2);
  auto cross = Matrix<float>::create(4 * 2, 3);
  const std::vector<std::uint32_t> source = {2, 3, 4}, inputs = {0, 2};
  model->pairs()->attention({encoder.value().view(), decoder.value().view(), cross.value().view()}, {source, inputs});
  const auto rows_sum_to_one = [](const Matrix<float>& rows) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      float sum = 0;
      for (std::size_t j = 0; j < rows.cols(); ++j) sum += rows(i, j);
      CHECK(std::fabs(sum - 1) < 1e-6F);
    }
  };
  rows_sum_to_one(encoder.value());
  rows_sum_to_one(decoder.value());
  rows_sum_to_one(cross.value());
  for (std::size_t i = 0; i < 6; ++i) CHECK(encoder.value()(i, 2) > 0);
  for (std::size_t i = 0; i < 8; i += 2) CHECK(decoder.value()(i, 1) == 0);
  for (std::size_t i = 0; i < 8; ++i) CHECK(cross.value()(i, 2) > 0);
}

TEST_CASE("one token at a time gives the logits of the whole target to the bit") {
  for (const Positions positions : {Positions::kLearned, Positions::kRotary}) {
    ModelConfig config = small_encoder_decoder(test::kPairTyings[4]);
    config.positions = positions;
    const auto model = test::random_model<float>(config, 11);
    PairModel<float>& pairs = *model->pairs();
    const std::vector<std::uint32_t> source = {5, 2, 6, 3}, inputs = {0, 4, 2, 6};
    auto whole = Matrix<float>::create(4, 7);
    pairs.logits(whole.value().view(), {source, inputs});
    std::vector<float> memory(static_cast<std::size_t>(pairs.memory_extent()));
    std::vector<float> cache(static_cast<std::size_t>(pairs.cache_extent())), logits(7);
    pairs.read(memory.data(), source);
    for (std::size_t i = 0; i < 4; ++i) {
      pairs.append(logits.data(), inputs[i], i, cache.data(), memory.data(), source.size());
      CHECK(test::equal_elements(logits.data(), whole.value().data() + 7 * i, 7));
    }
  }
}

namespace {

// ln P of every target of at most `most` tokens, by full passes of the model.
void all_targets(Model<double>& model, const std::vector<std::uint32_t>& source, std::size_t most,
                 std::vector<std::uint32_t>& inputs, double log_probability, std::vector<Translated>& found) {
  auto logits = Matrix<double>::create(inputs.size(), 7);
  model.pairs()->logits(logits.value().view(), {source, inputs});
  const double* row = logits.value().data() + 7 * (inputs.size() - 1);
  double sum = 0;
  for (std::size_t i = 0; i < 7; ++i) sum += std::exp(row[i]);
  const bool ends = inputs.size() <= most || argmax(row, 7) == 1;
  found.push_back({{inputs.begin() + 1, inputs.end()}, log_probability + row[1] - std::log(sum), ends});
  if (inputs.size() > most) return;
  for (std::uint32_t token = 0; token < 7; ++token) {
    if (token == 1) continue;
    inputs.push_back(token);
    all_targets(model, source, most, inputs, log_probability + row[token] - std::log(sum), found);
    inputs.pop_back();
  }
}

}  // namespace

TEST_CASE("a beam search that is wide enough finds the most probable targets of all, and a narrow one none better") {
  const ModelConfig config = small_encoder_decoder(test::kPairTyings[4]);
  const auto model = test::random_model<double>(config, 14);
  const std::vector<std::uint32_t> source = {5, 2, 6};
  std::vector<std::uint32_t> inputs = {0};
  std::vector<Translated> all;
  all_targets(*model, source, 2, inputs, 0, all);
  CHECK(all.size() == 1 + 6 + 36);
  // The model would continue some targets of two tokens, and end others.
  const auto n_ended = std::count_if(all.begin(), all.end(), [](const auto& target) { return target.ended; });
  CHECK(n_ended > 1 + 6);
  CHECK(n_ended < 1 + 6 + 36);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.log_probability > b.log_probability; });

  auto wide = Translation<double>::create(*model, {.max_tokens = 2, .beams = 36});
  REQUIRE(wide.ok());
  auto found = wide.value()->translate(source);
  REQUIRE(found.ok());
  REQUIRE(found.value().size() == 36);
  for (std::size_t i = 0; i < 36; ++i) {
    CHECK(found.value()[i].ended == all[i].ended);
    CHECK(found.value()[i].tokens == all[i].tokens);
    CHECK(std::fabs(found.value()[i].log_probability - all[i].log_probability) < 1e-12);
  }
  double before = -1e300;
  for (const std::uint64_t beams : {1, 4, 36}) {
    auto translation = Translation<double>::create(*model, {.max_tokens = 2, .beams = beams});
    auto best = translation.value()->translate(source);
    REQUIRE(best.ok());
    if (beams == 1 && !best.value()[0].ended) continue;
    CHECK(best.value()[0].log_probability >= before - 1e-12);
    before = best.value()[0].log_probability;
  }
}

TEST_CASE("a translation by sampling depends on its seed alone, and bad arguments are refused") {
  const ModelConfig config = small_encoder_decoder(test::kPairTyings[0]);
  const auto model = test::random_model<float>(config, 13);
  const std::vector<std::uint32_t> source = {5, 2, 6};
  const auto sample = [&](std::uint64_t seed) {
    TranslationOptions options;
    options.sampling.temperature = 1;
    options.sampling.seed = seed;
    auto translation = Translation<float>::create(*model, options);
    REQUIRE(translation.ok());
    auto found = translation.value()->translate(source);
    REQUIRE(found.ok());
    return found.value()[0].tokens;
  };
  CHECK(sample(1) == sample(1));
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 12; ++seed) differs = differs || sample(seed) != sample(1);
  CHECK(differs);

  const auto refused = [&](const TranslationOptions& options) {
    auto made = Translation<float>::create(*model, options);
    return made.ok() ? std::string() : made.error().argument;
  };
  CHECK(refused({.max_tokens = 4}) == "max_tokens");
  CHECK(refused({.beams = 0}) == "beams");
  CHECK(refused({.beams = 65}) == "beams");
  CHECK(refused({.beams = 2, .sampling = {.temperature = 1}}) == "temperature");
  auto greedy = Translation<float>::create(*model, {});
  const auto refused_source = [&](const std::vector<std::uint32_t>& bad) {
    auto made = greedy.value()->translate(bad);
    return made.ok() ? std::string() : made.error().argument;
  };
  CHECK(refused_source({}) == "source.length");
  CHECK(refused_source({2, 2, 2, 2, 2, 2}) == "source.length");
  CHECK(refused_source({2, 7}) == "source[1]");
}

TEST_CASE("configurations that an encoder-decoder cannot have are refused") {
  const auto refused = [](auto change) {
    ModelConfig config = small_encoder_decoder(test::kPairTyings[4]);
    change(config);
    const Status status = validate(config);
    return status.ok() ? std::string() : status.error().argument;
  };
  CHECK(refused([](ModelConfig&) {}).empty());
  CHECK(refused([](ModelConfig& c) { c.tying = Tying::kTiedLinear; }) == "tying");
  CHECK(refused([](ModelConfig& c) { c.untie_at_step = 4; }) == "tying");
  CHECK(refused([](ModelConfig& c) { c.encoder_table = EncoderTable::kUnembedding; }) == "encoder_table");
  CHECK(refused([](ModelConfig& c) { c.start_token = 7; }) == "start_token");
  CHECK(refused([](ModelConfig& c) { c.end_token = 0; }) == "end_token");
  CHECK(refused([](ModelConfig& c) { c.n_encoder_layers = 0; }) == "n_encoder_layers");
  CHECK(refused([](ModelConfig& c) { c.source_length = 0; }) == "source_length");
}

TEST_CASE("outputs of one pair are those of the model, begin with the start token, and bad pairs are refused by name") {
  const ModelConfig config = small_encoder_decoder(test::kPairTyings[4]);
  const auto model = test::random_model<double>(config, 3, 0.5, 8);
  const std::vector<std::uint32_t> source{2, 3, 6};
  const std::vector<std::uint32_t> target{5, 4};
  const std::vector<std::uint32_t> inputs{0, 5, 4};
  const auto logits = pair_logits(*model, source, target);
  REQUIRE(logits.ok());
  auto expected = Matrix<double>::create(3, 7);
  REQUIRE(expected.ok());
  model->pairs()->logits(expected.value().view(), {source, inputs});
  for (std::size_t i = 0; i < 21; ++i) CHECK(logits.value().data()[i] == expected.value().data()[i]);

  const auto weights = pair_attention(*model, source, target);
  REQUIRE(weights.ok());
  const auto& [encoder, decoder, cross] = weights.value();
  CHECK(encoder.rows() == 1 * 2 * 3);
  CHECK(decoder.rows() == 2 * 2 * 3);
  CHECK(cross.rows() == 2 * 2 * 3);
  for (const Matrix<double>* matrix : {&encoder, &decoder, &cross}) {
    CHECK(matrix->cols() == 3);
    for (std::size_t row = 0; row < matrix->rows(); ++row) {
      const double* const values = matrix->view().row(row);
      CHECK(values[0] + values[1] + values[2] == doctest::Approx(1));
    }
  }
  CHECK(pair_logits(*model, source, {}).value().rows() == 1);

  using Ids = std::vector<std::uint32_t>;
  const auto refused = [&](const Ids& from, const Ids& to) {
    const auto made = pair_attention(*model, std::span(from), std::span(to));
    return made.ok() ? std::string() : made.error().argument;
  };
  CHECK(refused({}, target) == "source.length");
  CHECK(refused(Ids(6, 2), target) == "source.length");
  CHECK(refused({9}, target) == "source[0]");
  CHECK(refused(source, Ids(4, 2)) == "target.length");
  CHECK(refused(source, {2, 9}) == "target[1]");
  const auto text = test::random_model<double>(test::small_transformer(Tying::kTied), 1, 0.5, 8);
  CHECK(pair_logits(*text, source, target).error().code == ErrorCode::kUnsupported);
}
