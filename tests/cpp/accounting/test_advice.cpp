#include "accounting/advice.h"

#include <array>

#include <doctest/doctest.h>

#include "accounting/parameters.h"
#include "base/random.h"

namespace tied {
namespace {

Architecture gpt2_small() {
  Architecture gpt2;
  gpt2.vocab_size = gpt2.output_vocab_size = 50257;
  gpt2.d_model = 768;
  gpt2.n_layers = 12;
  gpt2.n_heads = gpt2.n_key_value_heads = 12;
  gpt2.d_head = 64;
  gpt2.d_feed_forward = 3072;
  gpt2.positions = PositionKind::kLearned;
  gpt2.context_length = 1024;
  gpt2.biases = BiasKind::kAll;
  gpt2.norm_biases = true;
  return gpt2;
}

Advice advice_of(const Architecture& architecture, const AdviceContext& context = {}) {
  Advice advice;
  REQUIRE(advise_tying(advice, architecture, context).ok());
  return advice;
}

std::span<const Reason> reasons_of(const Advice& advice) { return {advice.reasons.data(), advice.n_reasons}; }

const Reason* find(const Advice& advice, ReasonKind kind) {
  for (const Reason& reason : reasons_of(advice)) {
    if (reason.kind == kind) return &reason;
  }
  return nullptr;
}

Whole stored(const Architecture& architecture, TableTying tying) {
  auto count = count_parameters(architecture, tying);
  REQUIRE(count.ok());
  return count.value().stored;
}

TEST_CASE("the growth that the saved parameters of GPT-2 small pay for, in closed form") {
  // Tied: 144 d^2 + (50,257 + 1,024 + 156 + 2) d at 12 layers; a layer is 12 d^2 + 13 d.
  const Advice advice = advice_of(gpt2_small());
  CHECK(advice.tied.text() == "124439808");
  CHECK(advice.untied.text() == "163037184");
  CHECK(advice.one_layer.text() == "7087872");
  CHECK(advice.more_layers == 5);
  CHECK(advice.deeper.text() == "159879168");
  CHECK(advice.wider_d_model == 900);
  CHECK(advice.wider.text() == "162935100");
}

TEST_CASE("if the heads together are not as wide as the model, the width grows by one") {
  Architecture gpt2 = gpt2_small();
  gpt2.d_head = 128;
  const Advice advice = advice_of(gpt2);
  CHECK(advice.wider_d_model % 12 != 0);
  CHECK_FALSE(advice.untied < advice.wider);
}

// ---------------------------------------------------------------- single reasons

TEST_CASE("starting from untied weights decides; starting from tied ones favors tying") {
  AdviceContext context;
  context.starts_from = StartsFrom::kUntied;
  CHECK(advice_of(gpt2_small(), context).verdict.tie == false);
  CHECK(advice_of(gpt2_small(), context).verdict.decided_by == DecidedBy::kDecisive);
  context.starts_from = StartsFrom::kTied;
  const Advice tied = advice_of(gpt2_small(), context);
  const Reason* reason = find(tied, ReasonKind::kStartsFrom);
  REQUIRE(reason != nullptr);
  CHECK(reason->favours == Favours::kTied);
  CHECK_FALSE(reason->decisive);
}

TEST_CASE("a budget decides only if the tied model alone is within it, to the last parameter") {
  const auto favours = [](std::uint64_t budget) {
    AdviceContext context;
    context.parameter_budget = budget;
    const Advice advice = advice_of(gpt2_small(), context);
    const Reason* reason = find(advice, ReasonKind::kBudget);
    REQUIRE(reason != nullptr);
    CHECK(reason->decisive == (reason->favours == Favours::kTied));
    return reason->favours;
  };
  CHECK(favours(124'439'807) == Favours::kNeither);
  CHECK(favours(124'439'808) == Favours::kTied);
  CHECK(favours(163'037'183) == Favours::kTied);
  CHECK(favours(163'037'184) == Favours::kNeither);
}

TEST_CASE("contradictory decisive reasons give no verdict") {
  AdviceContext context;
  context.starts_from = StartsFrom::kUntied;
  context.parameter_budget = 130'000'000;
  const Advice advice = advice_of(gpt2_small(), context);
  CHECK_FALSE(advice.verdict.tie.has_value());
  CHECK(advice.verdict.decided_by == DecidedBy::kContradiction);
}

TEST_CASE("different vocabularies decide, and the decoder's own saving is counted") {
  Architecture gpt2 = gpt2_small();
  gpt2.output_vocab_size = 1000;
  const Advice apart = advice_of(gpt2);
  CHECK(apart.verdict.tie == false);
  CHECK(apart.n_reasons == 1);
  CHECK(apart.saved_in_decoder.is_zero());

  gpt2.stack = Stack::kEncoderDecoder;
  gpt2.n_encoder_layers = 12;
  gpt2.norms_per_layer = 2;
  const Advice two = advice_of(gpt2);
  CHECK(two.verdict.tie == false);
  CHECK(two.saved_in_decoder == Whole(1000 * 768));
}

TEST_CASE("a reader's own measurement counts according to its size") {
  const auto reason_of = [](double difference) {
    AdviceContext context;
    context.loss_difference = difference;
    const Advice advice = advice_of(gpt2_small(), context);
    const Reason* reason = find(advice, ReasonKind::kMeasuredLoss);
    REQUIRE(reason != nullptr);
    return *reason;
  };
  CHECK(reason_of(0).favours == Favours::kNeither);
  CHECK(reason_of(0.0099).favours == Favours::kNeither);
  CHECK(reason_of(-0.0099).favours == Favours::kNeither);
  CHECK(reason_of(0.01).favours == Favours::kUntied);
  CHECK(reason_of(0.01).votes == 2);
  CHECK_FALSE(reason_of(0.0999).decisive);
  CHECK(reason_of(0.1).decisive);
  CHECK(reason_of(0.1).favours == Favours::kUntied);
  CHECK(reason_of(-0.01).decisive);
  CHECK(reason_of(-0.01).favours == Favours::kTied);
}

TEST_CASE("our own measurements count only near the measured architecture") {
  const auto reason_at = [](double untied, double vocab_size, double low, double high) {
    const std::array<MeasuredLoss, 1> measured = {MeasuredLoss{untied, vocab_size, low, high}};
    AdviceContext context;
    context.measured = measured;
    const Advice advice = advice_of(gpt2_small(), context);
    const Reason* reason = find(advice, ReasonKind::kMeasuredLoss);
    REQUIRE(reason != nullptr);
    return reason->favours;
  };
  const double size = 163'037'184;
  CHECK(reason_at(size * 4, 50257, 0.05, 0.15) == Favours::kUntied);
  CHECK(reason_at(size * 4.001, 50257, 0.05, 0.15) == Favours::kNeither);
  CHECK(reason_at(size, 50257 / 4.001, 0.05, 0.15) == Favours::kNeither);
  CHECK(reason_at(size, 50257, -0.15, -0.05) == Favours::kTied);
  CHECK(reason_at(size, 50257, -0.01, 0.15) == Favours::kNeither);
}

TEST_CASE("the five nearest real models vote, nearest first, and four of five must agree") {
  // All with GPT-2 small's saved fraction; sizes 1, 1.1, ... times as large.
  const auto models = [](std::initializer_list<bool> ties) {
    std::vector<Precedent> all;
    double times = 1;
    for (const bool tie : ties) {
      all.push_back({124'439'808 * times, 163'037'184 * times, tie ? 1.0 : 0.0});
      times += 0.1;
    }
    std::swap(all.front(), all.back());
    return all;
  };
  const auto favours = [](const std::vector<Precedent>& precedents, std::size_t asked) {
    AdviceContext context;
    context.precedents = precedents;
    const Advice advice = advice_of(gpt2_small(), context);
    CHECK(advice.n_nearest == asked);
    const Reason* reason = find(advice, ReasonKind::kPrecedent);
    REQUIRE(reason != nullptr);
    return reason->favours;
  };
  CHECK(favours(models({true, true, false, true, true, false, false, false}), 5) == Favours::kTied);
  CHECK(favours(models({true, true, false, true, false, true, true, true}), 5) == Favours::kNeither);
  CHECK(favours(models({false, false, false, true, false, true, true, true}), 5) == Favours::kUntied);
  CHECK(favours(models({true, true, true}), 3) == Favours::kTied);
  CHECK(favours(models({true, true}), 2) == Favours::kNeither);
  CHECK(favours({}, 0) == Favours::kNeither);

  AdviceContext context;
  const std::vector<Precedent> far = {{1000, 1310, 1}, {2e8, 4e8, 0}, {1.2e8, 1.6e8, 1}};
  context.precedents = far;
  const Advice advice = advice_of(gpt2_small(), context);
  REQUIRE(advice.n_nearest == 2);
  CHECK(advice.nearest[0] == 2);
  CHECK(advice.nearest[1] == 1);
  CHECK(advice.nearest_within == doctest::Approx(4e8 / 163'037'184));
}

TEST_CASE("sizes are refused exactly if they cannot be counted") {
  Architecture gpt2 = gpt2_small();
  gpt2.vocab_size = gpt2.output_vocab_size = (std::uint64_t{1} << 53) - 1;
  gpt2.d_model = std::uint64_t{1} << 40;
  Advice advice;
  const Status refused = advise_tying(advice, gpt2, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().argument == "architecture");

  // The deepest valid model: one more layer can be counted, but is not valid.
  Architecture deep = gpt2_small();
  deep.vocab_size = deep.output_vocab_size = deep.d_model = deep.n_heads = deep.n_key_value_heads = deep.d_head = 1;
  deep.d_feed_forward = 4;
  deep.n_layers = (std::uint64_t{1} << 53) - 1;
  CHECK(advice_of(deep).more_layers == 0);
  CHECK(advice_of(deep).one_layer.text() == "25");
}

// ---------------------------------------------------------------- over random architectures

std::uint64_t draw(Random& random, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t bits = std::uint64_t{random.bits()} << 32 | random.bits();
  return least + bits % (most - least + 1);
}

// Any stack and most switches; sizes from 1 on, occasionally near the largest.
Architecture random_architecture(Random& random) {
  Architecture a;
  a.stack = static_cast<Stack>(draw(random, 0, 2));
  const std::uint64_t largest = std::uint64_t{1} << draw(random, 1, random.below(8) == 0 ? 40 : 16);
  a.vocab_size = draw(random, 1, largest);
  a.output_vocab_size = random.below(8) == 0 ? draw(random, 1, largest) : a.vocab_size;
  a.n_key_value_heads = draw(random, 1, 4);
  a.n_heads = a.n_key_value_heads * draw(random, 1, 4);
  a.d_head = draw(random, 1, 64);
  a.d_model = random.below(2) == 0 ? a.n_heads * a.d_head : draw(random, 1, 2048);
  a.n_layers = draw(random, 0, 40);
  a.n_encoder_layers = a.stack == Stack::kEncoderDecoder ? draw(random, 0, 40) : 0;
  a.d_feed_forward = draw(random, 1, 4096);
  a.feed_forward = static_cast<FeedForwardKind>(draw(random, 0, 1));
  a.positions = static_cast<PositionKind>(draw(random, 0, 3));
  a.context_length = draw(random, 1, 4096);
  a.relative_buckets = draw(random, 1, 64);
  a.norm = static_cast<NormKind>(draw(random, 0, 2));
  a.norm_biases = a.norm == NormKind::kLayer && random.below(2) == 0;
  a.biases = static_cast<BiasKind>(draw(random, 0, 3));
  a.output_bias = random.below(4) == 0;
  if (random.below(4) == 0) {
    a.n_experts = draw(random, 1, 8);
    a.n_active_experts = draw(random, 1, a.n_experts);
  }
  return a;
}

TEST_CASE("no verdict contradicts its reasons, over random architectures and contexts") {
  // Sanitizers check the code more than the results, and make each round ten times as long.
#if __has_feature(address_sanitizer)
  constexpr std::size_t kRounds = 1000;
#else
  constexpr std::size_t kRounds = 5000;
#endif
  Random random(14, 0);
  std::size_t with_verdict = 0;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const Architecture architecture = random_architecture(random);
    CAPTURE(i);
    const Whole untied = stored(architecture, TableTying::kUntied);
    AdviceContext context;
    context.starts_from = static_cast<StartsFrom>(draw(random, 0, 2));
    if (random.below(2) == 0) context.parameter_budget = draw(random, 0, std::uint64_t{1} << draw(random, 1, 40));
    if (random.below(3) == 0) context.loss_difference = random.uniform_double() * 0.4 - 0.2;
    std::vector<Precedent> precedents(random.below(13));
    for (Precedent& model : precedents) {
      model.untied = untied.as_double() * (0.2 + 3 * random.uniform_double());
      model.tied = model.untied * (0.5 + 0.5 * random.uniform_double());
      model.ties = random.below(2);
    }
    context.precedents = precedents;
    const std::array<MeasuredLoss, 1> measured = {MeasuredLoss{
        untied.as_double() * 2, static_cast<double>(architecture.vocab_size), random.uniform_double() - 0.5, 0.6}};
    context.measured = measured;

    const Advice advice = advice_of(architecture, context);
    bool favours[2] = {false, false};
    bool decisive[2] = {false, false};
    std::size_t votes[2] = {0, 0};
    for (const Reason& reason : reasons_of(advice)) {
      if (reason.favours == Favours::kNeither) {
        CHECK_FALSE(reason.decisive);
        CHECK(reason.votes == 0);
        continue;
      }
      const auto side = static_cast<std::size_t>(reason.favours);
      favours[side] = true;
      decisive[side] = decisive[side] || reason.decisive;
      votes[side] += reason.votes;
    }
    if (advice.verdict.tie) {
      ++with_verdict;
      const std::size_t chosen = *advice.verdict.tie ? 0 : 1;
      CHECK(favours[chosen]);
      CHECK_FALSE(decisive[1 - chosen]);
      const bool more_votes = votes[chosen] > votes[1 - chosen];
      CHECK((decisive[chosen] || more_votes));
    } else {
      CHECK(decisive[0] == decisive[1]);
      const bool balanced = votes[0] == votes[1];
      CHECK((decisive[0] || balanced));
    }
    // These are one fact: at most one vote, all on one side.
    for (const ReasonKind kind : {ReasonKind::kDepth, ReasonKind::kWidth, ReasonKind::kMemory}) {
      const Reason* reason = find(advice, kind);
      const Reason* saving = find(advice, ReasonKind::kSavedShare);
      REQUIRE((reason == nullptr) == (saving == nullptr));
      if (reason == nullptr) continue;
      CHECK(reason->favours == saving->favours);
      CHECK(reason->votes == 0);
    }
  }
  CHECK(with_verdict > kRounds / 5);
  CHECK(with_verdict < kRounds);
}

TEST_CASE("the growth that the saved parameters pay for is the most that fits, over random architectures") {
  Random random(15, 0);
  for (int i = 0; i < 500; ++i) {
    Architecture architecture = random_architecture(random);
    architecture.output_vocab_size = architecture.vocab_size;
    CAPTURE(i);
    const Advice advice = advice_of(architecture);
    const auto at_depth = [&](std::uint64_t more) {
      Architecture grown = architecture;
      grown.n_layers += more;
      if (grown.stack == Stack::kEncoderDecoder) grown.n_encoder_layers += more;
      return stored(grown, TableTying::kTied);
    };
    CHECK(at_depth(advice.more_layers) == advice.deeper);
    CHECK_FALSE(advice.untied < advice.deeper);
    CHECK(advice.untied < at_depth(advice.more_layers + 1));
    CHECK(at_depth(1) - at_depth(0) == advice.one_layer);

    const bool heads_share = architecture.n_heads * architecture.d_head == architecture.d_model;
    const std::uint64_t step = heads_share ? architecture.n_heads : 1;
    const auto at_width = [&](std::uint64_t width) {
      Architecture grown = architecture;
      grown.d_model = width;
      if (heads_share) grown.d_head = width / grown.n_heads;
      grown.d_feed_forward = architecture.d_feed_forward * width / architecture.d_model;
      return stored(grown, TableTying::kTied);
    };
    CHECK(at_width(advice.wider_d_model) == advice.wider);
    CHECK_FALSE(advice.untied < advice.wider);
    CHECK(advice.untied < at_width(advice.wider_d_model + step));
  }
}

}  // namespace
}  // namespace tied
