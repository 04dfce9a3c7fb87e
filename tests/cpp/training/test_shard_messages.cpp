// Trainers that compute each other's shards: the bits of one trainer alone, whatever is missing or wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "shard_runs.h"

using namespace tied;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kHeaderBytes = 64;

// The fewest nodes that are together shards [first, end).
void add_nodes(std::vector<ShardNode>& nodes, ShardNode node, std::uint64_t first, std::uint64_t end) {
  if (node.end <= first || end <= node.first) return;
  if (first <= node.first && node.end <= end) return nodes.push_back(node);
  add_nodes(nodes, node.left(), first, end);
  add_nodes(nodes, node.right(), first, end);
}

std::vector<ShardNode> nodes_of(std::uint64_t worker, std::uint64_t workers, std::uint64_t shards) {
  std::vector<ShardNode> nodes;
  add_nodes(nodes, {0, shards}, worker * shards / workers, (worker + 1) * shards / workers);
  return nodes;
}

Bytes computed(Trainer<float>& trainer, ShardNode node) {
  const auto message = trainer.compute_shards(node.first, node.end);
  REQUIRE(message.ok());
  const auto& [first, runs] = message.value();
  Bytes bytes(first.begin(), first.end());
  const float* const gradients = trainer.model().parameters().all_gradients().data();
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    const auto* run = reinterpret_cast<const std::uint8_t*>(gradients + runs[i]);
    bytes.insert(bytes.end(), run, run + runs[i + 1] * sizeof(float));
  }
  return bytes;
}

using Team = std::vector<std::unique_ptr<Trainer<float>>>;

Team team_of(const test::ShardRun& run, std::uint64_t shards, std::size_t workers) {
  Team team;
  for (std::size_t i = 0; i < workers; ++i) team.push_back(test::trainer_of<float>(run, shards));
  return team;
}

// One step of all, in which each gets what `arrives(from, to)` of the others' messages.
template <class Arrives>
void step(Team& team, const Arrives& arrives) {
  const std::uint64_t shards = team[0]->training_config().shards;
  for (std::size_t from = 0; from < team.size(); ++from) {
    for (const ShardNode node : nodes_of(from, team.size(), shards)) {
      const Bytes message = computed(*team[from], node);
      for (std::size_t to = 0; to < team.size(); ++to) {
        if (to == from || !arrives(from, to)) continue;
        REQUIRE(team[to]->give_shards(node.first, node.end, message).ok());
      }
    }
  }
  for (const auto& trainer : team) REQUIRE(trainer->step().ok());
}

// A trainer of a model whose gradient has touched rows, one step before the messages of the tests below.
test::ShardRun sparse_run() {
  test::ShardRun run{"sampled", test::small_transformer(Tying::kUntied), test::shard_training()};
  run.model.head = HeadKind::kSampled;
  run.model.head_samples = 2;
  run.model.vocab_size = 70;
  run.training.batch_size = 4;
  run.training.gradient_accumulation = 1;
  return run;
}

}  // namespace

TEST_CASE("two, three and four trainers that exchange shards have the bits of one alone: every model and optimizer") {
  constexpr std::uint64_t kSteps = 4;
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    for (const std::uint64_t shards : {4, 7}) {
      const auto alone = test::trainer_of<float>(run, shards);
      const auto hashes = test::hashes(*alone, kSteps);
      for (const std::size_t workers : {2, 3, 4}) {
        CAPTURE(workers);
        Team team = team_of(run, shards, workers);
        for (std::size_t i = 1; i <= kSteps; ++i) {
          step(team, [](std::size_t, std::size_t) { return true; });
          for (const auto& trainer : team) CHECK(trainer->parameter_hash() == hashes[i]);
        }
      }
    }
  }
}

TEST_CASE("messages that do not arrive are computed, and records and gradients are those of one trainer alone") {
  Random random(6, stream_of("lost messages"));
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    const std::uint64_t shards = 2 + random.below(6);
    const auto alone = test::trainer_of<float>(run, shards);
    Team team =
        team_of(run, shards, 2 + random.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(shards, 4) - 1)));
    for (int i = 0; i < 4; ++i) {
      step(team, [&](std::size_t, std::size_t) { return random.below(3) != 0; });
      test::run(*alone, 1);
      for (const auto& trainer : team) CHECK(trainer->parameter_hash() == alone->parameter_hash());
    }
    const ShardNode half = ShardNode{0, shards}.left();
    computed(*team[0], half);
    const auto ledger = team[0]->gradient();
    const auto expected = alone->gradient();
    REQUIRE((ledger.ok() && expected.ok()));
    const Matrix<float>& total = expected.value().total;
    CHECK(std::memcmp(ledger.value().total.data(), total.data(), total.rows() * total.cols() * sizeof(float)) == 0);
    CHECK(ledger.value().input_position_norm == expected.value().input_position_norm);
    StepRecord found;
    StepRecord record;
    REQUIRE(team[0]->step(&found).ok());
    REQUIRE(alone->step(&record).ok());
    CHECK(std::memcmp(&found, &record, sizeof(StepRecord)) == 0);
  }
}

namespace {

// A copy that has got the weights of a trainer.
std::unique_ptr<Trainer<float>> copy_of(const Trainer<float>& trainer) {
  auto copy = Trainer<float>::load_copy(test::whole_file(TrainerFile<float>(trainer, true)));
  REQUIRE(copy.ok());
  return std::move(copy).value();
}

// Gives a copy what a step has changed, or everything.
void pass_weights(Trainer<float>& copy, Trainer<float>& from, bool all) {
  const auto size = static_cast<std::uint32_t>(from.weights().size());
  const std::vector<std::uint32_t> runs = all ? std::vector<std::uint32_t>{0, size} : from.changed_weights();
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    std::copy_n(from.weights().data() + runs[i], runs[i + 1], copy.weights().data() + runs[i]);
  }
  copy.follow(from.steps_done(), from.are_tables_joined());
}

}  // namespace

TEST_CASE(
    "copies that only compute shards, added in branches, give the bits of one trainer: every model and optimizer") {
  constexpr std::uint64_t kSteps = 5;
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    const auto alone = test::trainer_of<float>(run, 4);
    const auto hashes = test::hashes(*alone, kSteps);
    const auto lead = test::trainer_of<float>(run, 4);
    std::unique_ptr<Trainer<float>> copies[3];
    for (auto& copy : copies) copy = copy_of(*lead);
    for (std::size_t step = 1; step <= kSteps; ++step) {
      for (const auto& copy : copies) pass_weights(*copy, *lead, step == 1);
      computed(*lead, {0, 1});
      REQUIRE(lead->give_shards(1, 2, computed(*copies[0], {1, 2})).ok());
      // A branch of two: one message for both.
      computed(*copies[1], {2, 3});
      REQUIRE(copies[1]->give_shards(3, 4, computed(*copies[2], {3, 4})).ok());
      REQUIRE(lead->give_shards(2, 4, computed(*copies[1], {2, 4})).ok());
      REQUIRE(lead->step().ok());
      CHECK(lead->parameter_hash() == hashes[step]);
    }
  }
}

TEST_CASE("the file of a copy is no trainer, and a trainer's file makes no copy") {
  const auto trainer = test::trainer_of<float>(sparse_run(), 4);
  const Bytes of_copy = test::whole_file(TrainerFile<float>(*trainer, true));
  const Bytes whole = test::whole_file(TrainerFile<float>(*trainer));
  CHECK(of_copy.size() < whole.size() / 2);
  CHECK(test::blamed(Trainer<float>::load(of_copy)) == "file");
  CHECK(test::blamed(Trainer<float>::load_copy(whole)) == "file");
  Bytes longer = of_copy;
  longer.insert(longer.end() - 8, 4, 0);
  CHECK(test::blamed(Trainer<float>::load_copy(longer)) == "file");
}

TEST_CASE("a table of bigrams has one shard, which can be exchanged too") {
  const auto counts = test::counts_of(test::small_stream(), 13);
  const auto one = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), counts);
  const auto other = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), counts);
  const auto alone = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), counts);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(other->give_shards(0, 1, computed(*one, {0, 1})).ok());
    for (const auto* trainer : {&one, &other, &alone}) test::run(**trainer, 1);
    CHECK(one->parameter_hash() == alone->parameter_hash());
    CHECK(other->parameter_hash() == alone->parameter_hash());
  }
}

TEST_CASE("a message has the touched rows of sparse tables alone, and is computed once") {
  test::ShardRun run = sparse_run();
  const auto trainer = test::trainer_of<float>(run, 4);
  const Bytes message = computed(*trainer, {0, 1});
  std::uint64_t dense = 0;
  std::uint64_t all = 0;
  for (const Parameter& parameter : trainer->table().list()) {
    all += parameter.size();
    if (!parameter.sparse) dense += parameter.size();
  }
  // At most 8 tokens are read, and as many targets and 2 more tokens are in the head.
  CHECK(message.size() > kHeaderBytes + dense * sizeof(float));
  CHECK(message.size() < kHeaderBytes + 64 + (dense + 18 * (8 + 1)) * sizeof(float));
  CHECK(message.size() < all * sizeof(float));
  CHECK(computed(*trainer, {0, 1}) == message);
  // Others are computed where its gradients were.
  computed(*trainer, {1, 2});
  CHECK(computed(*trainer, {0, 1}) == message);
}

TEST_CASE("a message has the rows of an input table that its tokens read, and no others, though steps update all") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    test::ShardRun run{"dense", test::small_transformer(tying), test::shard_training()};
    run.model.vocab_size = 70;
    run.training.batch_size = 4;
    run.training.gradient_accumulation = 1;
    const auto trainer = test::trainer_of<float>(run, 4);
    const Parameter& input = *trainer->table().of_role(ParameterRole::kInput);
    std::uint64_t others = 0;
    for (const Parameter& parameter : trainer->table().list()) others += parameter.size();
    others -= input.size();
    const auto twin = test::trainer_of<float>(run, 4);
    for (int step = 0; step < 3; ++step) {
      const Bytes message = computed(*trainer, {0, 1});
      const std::uint64_t bytes = kHeaderBytes + 2 * sizeof(std::uint64_t) + others * sizeof(float);
      CHECK(message.size() > bytes);
      CHECK(message.size() <= bytes + trainer->model().context_length() * input.cols * sizeof(float));
      test::run(*trainer, 1);
      test::run(*twin, 1);
      CHECK(trainer->parameter_hash() == twin->parameter_hash());
    }
  }
}

TEST_CASE("a step takes the gradient that it was given, not one that was left where an earlier state computed it") {
  const test::ShardRun run = sparse_run();
  const auto expected = test::trainer_of<float>(run, 4);
  const auto other = test::trainer_of<float>(run, 4);
  const auto trainer = test::trainer_of<float>(run, 4);
  auto matrix = Matrix<float>::create(70, 8);
  REQUIRE(matrix.ok());
  computed(*trainer, {0, 2});
  for (const auto* each : {&expected, &other, &trainer}) {
    REQUIRE((*each)->set_matrix("embedding", matrix.value().view()).ok());
  }
  REQUIRE(trainer->give_shards(0, 2, computed(*other, {0, 2})).ok());
  for (const auto* each : {&expected, &other, &trainer}) {
    test::run(**each, 2);
    CHECK((*each)->parameter_hash() == expected->parameter_hash());
  }
}

TEST_CASE("gradients that are asked for between the shards of a step change nothing in it") {
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    const auto alone = test::trainer_of<float>(run, 4);
    const auto trainer = test::trainer_of<float>(run, 4);
    for (const ShardNode node : {ShardNode{0, 2}, ShardNode{2, 4}}) {
      computed(*trainer, node);
      REQUIRE(trainer->gradient().ok());
      REQUIRE(trainer->gradient().ok());
      test::run(*trainer, 1);
      test::run(*alone, 1);
      CHECK(trainer->parameter_hash() == alone->parameter_hash());
    }
  }
}

TEST_CASE("a message that was received in its room is kept there, and a wrong one is refused") {
  const test::ShardRun run = sparse_run();
  const auto other = test::trainer_of<float>(run, 4);
  const auto trainer = test::trainer_of<float>(run, 4);
  const auto alone = test::trainer_of<float>(run, 4);
  for (int step = 0; step < 3; ++step) {
    const Bytes message = computed(*other, {2, 4});
    for (const bool whole : {false, true}) {
      const std::size_t size = message.size() - (whole ? 0 : 1);
      std::uint8_t* const room = trainer->shard_room(size);
      REQUIRE(room != nullptr);
      std::copy_n(message.begin(), size, room);
      CHECK(trainer->give_shards(2, 4, {room, size}).ok() == whole);
    }
    for (const auto* each : {&other, &trainer, &alone}) test::run(**each, 1);
    CHECK(trainer->parameter_hash() == alone->parameter_hash());
  }
}

TEST_CASE("whatever changes the state discards what was given for another") {
  const test::ShardRun run = sparse_run();
  const auto expected = [&](const auto& act) {
    const auto trainer = test::trainer_of<float>(run, 4);
    test::run(*trainer, 3);
    act(*trainer);
    test::run(*trainer, 2);
    return trainer->parameter_hash();
  };
  const auto found = [&](const auto& act) {
    const auto trainer = test::trainer_of<float>(run, 4);
    test::run(*trainer, 3);
    computed(*trainer, {0, 2});
    act(*trainer);
    test::run(*trainer, 2);
    return trainer->parameter_hash();
  };
  const auto check = [&](const auto& act) { CHECK(found(act) == expected(act)); };
  check([](Trainer<float>&) {});
  check([](Trainer<float>& trainer) { REQUIRE(trainer.rewind(1).ok()); });
  check([](Trainer<float>& trainer) { REQUIRE(trainer.rewind(3).ok()); });
  check([](Trainer<float>& trainer) { REQUIRE(trainer.restart().ok()); });
  check([](Trainer<float>& trainer) {
    auto matrix = Matrix<float>::create(70, 8);
    REQUIRE(matrix.ok());
    REQUIRE(trainer.set_matrix("embedding", matrix.value().view()).ok());
  });
  // A step fails, and the trainer is before it.
  const auto trainer = test::trainer_of<float>(run, 4);
  auto huge = Matrix<float>::create(70, 8);
  REQUIRE(huge.ok());
  for (std::size_t i = 0; i < 70 * 8; ++i) huge.value().data()[i] = 1e38F;
  REQUIRE(trainer->set_matrix("unembedding", huge.value().view()).ok());
  computed(*trainer, {0, 2});
  CHECK_FALSE(trainer->step().ok());
  CHECK(trainer->compute_shards(0, 4).ok());
}

TEST_CASE("shards that are no node, that overlap or that nobody can compute are refused by name") {
  const test::ShardRun run = sparse_run();
  const auto trainer = test::trainer_of<float>(run, 4);
  const auto blamed = [&](std::uint64_t first, std::uint64_t end) {
    return test::blamed(trainer->compute_shards(first, end));
  };
  CHECK(blamed(0, 0) == "shards");
  CHECK(blamed(2, 1) == "shards");
  CHECK(blamed(0, 3) == "shards");
  CHECK(blamed(1, 3) == "shards");
  CHECK(blamed(3, 5) == "shards");
  CHECK(blamed(std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 1) == "shards");
  const Bytes left = computed(*trainer, {0, 2});
  CHECK(blamed(0, 1) == "shards");
  CHECK(test::blamed(trainer->give_shards(0, 2, left)) == "shards");
  CHECK(test::blamed(trainer->give_shards(1, 2, left)) == "shards");
  CHECK(blamed(2, 4) == "");
  CHECK(test::blamed(trainer->give_shards(0, 4, left)) == "shards");
  CHECK(blamed(0, 4) == "");
  CHECK(blamed(0, 2) == "shards");

  TrainingData<float> none;
  auto without = Trainer<float>::create(test::small_model(Tying::kTied), {.learning_rate = 1}, std::move(none));
  REQUIRE(without.ok());
  CHECK(without.value()->compute_shards(0, 1).error().code == ErrorCode::kUnsupported);
  CHECK(without.value()->give_shards(0, 1, left).error().code == ErrorCode::kUnsupported);
}

TEST_CASE(
    "messages of other steps, states, shards and trainers, cut short or altered, are refused and change nothing") {
  const test::ShardRun run = sparse_run();
  const auto other = test::trainer_of<float>(run, 4);
  const auto trainer = test::trainer_of<float>(run, 4);
  const Bytes of_step_0 = computed(*other, {0, 2});
  test::run(*other, 2);
  test::run(*trainer, 2);
  const Bytes message = computed(*other, {0, 2});
  const auto alone = test::trainer_of<float>(run, 4);
  test::run(*alone, 3);

  const auto refuses = [&](const Bytes& wrong, std::uint64_t first = 0, std::uint64_t end = 2) {
    const Status status = trainer->give_shards(first, end, wrong);
    CHECK_FALSE(status.ok());
    if (!status.ok()) {
      CHECK(status.error().code == ErrorCode::kBadFile);
      CHECK(status.error().argument == "message");
    }
  };
  refuses(of_step_0);
  refuses(message, 2, 4);
  refuses({});
  for (const std::size_t size : {std::size_t{1}, kHeaderBytes - 1, kHeaderBytes, message.size() - 1}) {
    refuses({message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  Bytes longer = message;
  longer.push_back(0);
  refuses(longer);
  // All of the header but loss and position square, and the bits of rows.
  const auto bits = static_cast<std::size_t>(trainer->table().touched_extent()) * sizeof(std::uint64_t);
  for (std::size_t i = 0; i < kHeaderBytes + bits; ++i) {
    if (i >= 40 && i < 56) continue;
    for (const int bit : {0, 7}) {
      Bytes wrong = message;
      wrong[i] = static_cast<std::uint8_t>(wrong[i] ^ 1 << bit);
      refuses(wrong);
    }
  }
  for (const auto change :
       {+[](TrainingConfig& training) { training.seed = 5; }, +[](TrainingConfig& training) { training.init_seed = 5; },
        +[](TrainingConfig& training) { training.gradient_accumulation = 2; }}) {
    TrainingConfig training = run.training;
    change(training);
    const auto stranger = test::trainer_of<float>({"", run.model, training}, 4);
    test::run(*stranger, 2);
    refuses(computed(*stranger, {0, 2}));
  }
  auto zeros = Matrix<float>::create(70, 8);
  REQUIRE(zeros.ok());
  REQUIRE(other->set_matrix("unembedding", zeros.value().view()).ok());
  refuses(computed(*other, {0, 2}));

  REQUIRE(trainer->give_shards(0, 2, message).ok());
  test::run(*trainer, 1);
  CHECK(trainer->parameter_hash() == alone->parameter_hash());
}

TEST_CASE("random bytes in messages are refused, or taken for numbers, and never read out of bounds") {
  const test::ShardRun run = sparse_run();
  const auto trainer = test::trainer_of<float>(run, 4);
  const auto alone = test::trainer_of<float>(run, 4);
  const Bytes message = computed(*test::trainer_of<float>(run, 4), {0, 2});
  test::run(*alone, 1);
  Random random(7, stream_of("messages"));
  int taken = 0;
  for (int i = 0; i < 3000; ++i) {
    Bytes wrong = message;
    for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
      const std::uint32_t size = static_cast<std::uint32_t>(random.below(2) == 0 ? kHeaderBytes + 64 : wrong.size());
      wrong[random.below(size)] = static_cast<std::uint8_t>(random.below(256));
    }
    if (random.below(4) == 0) wrong.resize(random.below(2 * static_cast<std::uint32_t>(wrong.size())));
    if (!trainer->give_shards(0, 2, wrong).ok()) continue;
    ++taken;
    // Any step may fail on such numbers.
    static_cast<void>(trainer->step());
    REQUIRE(trainer->rewind(0).ok());
  }
  CHECK(taken > 100);
  test::run(*trainer, 1);
  CHECK(trainer->parameter_hash() == alone->parameter_hash());
}
