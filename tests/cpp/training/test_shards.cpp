// Batches in shards: the same gradient but for rounding, and the same bits for the same number of shards.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "linalg/reduce.h"
#include "shard_runs.h"
#include "training/tree_sum.h"

using namespace tied;

TEST_CASE("shards are ranges of a batch's sequences, none empty, their sizes at most one apart") {
  for (std::uint64_t sequences = 1; sequences <= 70; ++sequences) {
    for (std::uint64_t of = 1; of <= std::min(sequences, kMaxShards); ++of) {
      std::size_t next = 0;
      for (std::uint64_t i = 0; i < of; ++i) {
        const Shard shard{i, of};
        CHECK(shard.first(sequences) == next);
        next = shard.end(sequences);
        CHECK(next - shard.first(sequences) >= sequences / of);
        CHECK(next - shard.first(sequences) <= (sequences + of - 1) / of);
      }
      CHECK(next == sequences);
    }
  }
}

TEST_CASE("the tree of a sum has every shard once, the larger half first, and as many halves that wait as it says") {
  struct Walk {
    std::vector<std::uint64_t> leaves;
    std::uint64_t waiting = 0;
    void visit(ShardNode node, std::uint64_t level) {
      waiting = std::max(waiting, level);
      if (node.is_leaf()) return leaves.push_back(node.first);
      CHECK(node.left().first == node.first);
      CHECK(node.left().end == node.right().first);
      CHECK(node.right().end == node.end);
      const std::uint64_t left = node.left().end - node.left().first;
      const std::uint64_t right = node.right().end - node.right().first;
      CHECK((left == right || left == right + 1));
      visit(node.left(), level);
      visit(node.right(), level + 1);
    }
  };
  for (std::uint64_t shards = 1; shards <= kMaxShards; ++shards) {
    Walk walk;
    walk.visit({0, shards}, 0);
    CHECK(walk.leaves.size() == shards);
    for (std::size_t i = 0; i < shards; ++i) CHECK(walk.leaves[i] == i);
    CHECK(walk.waiting == shard_levels(shards));
  }
}

TEST_CASE("shards change a run by rounding alone: every model, head and optimizer, dropout, smoothing, schedules") {
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    const auto whole = test::trainer_of<double>(run, 1);
    std::vector<std::unique_ptr<Trainer<double>>> split;
    for (const std::uint64_t shards : {2, 3, 7}) split.push_back(test::trainer_of<double>(run, shards));
    for (int step = 0; step < 6; ++step) {
      StepRecord expected;
      REQUIRE(whole->step(&expected).ok());
      for (const auto& trainer : split) {
        StepRecord found;
        REQUIRE(trainer->step(&found).ok());
        // Some hundred sums in another order, relative to numbers of about 1; Adam divides by at least 1e-4.
        const auto close = [](double a, double b) { return std::fabs(a - b) <= 1e-12 * (1 + std::fabs(b)); };
        CHECK(close(found.loss, expected.loss));
        CHECK(close(found.input_gradient_norm, expected.input_gradient_norm));
        CHECK(close(found.output_gradient_norm, expected.output_gradient_norm));
        CHECK(close(found.input_position_gradient_norm, expected.input_position_gradient_norm));
        CHECK(close(found.third_gradient_norm, expected.third_gradient_norm));
        CHECK(close(found.gradient_norm, expected.gradient_norm));
        CHECK(trainer->tying_changed_at() == whole->tying_changed_at());
      }
    }
    for (const auto& trainer : split) {
      double largest = 0;
      for (const Parameter& parameter : whole->table().list()) {
        const auto a = test::elements_of(*whole, parameter.name);
        const auto b = test::elements_of(*trainer, parameter.name);
        for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
      }
      CHECK(largest < 1e-12);
    }
  }
}

TEST_CASE("the bits of a run depend on its shards, not on records, rewinding, files or gradients in between") {
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    const auto trainer = test::trainer_of<float>(run, 3);
    const auto hashes = test::hashes(*trainer, 8);
    const auto whole = test::trainer_of<float>(run, 1);
    CHECK(test::hashes(*whole, 8) != hashes);

    const auto other = test::trainer_of<float>(run, 3);
    for (std::size_t step = 1; step <= 5; ++step) {
      const auto ledger = other->gradient();
      REQUIRE(ledger.ok());
      StepRecord record;
      REQUIRE(other->step(&record).ok());
      CHECK(ledger.value().input_position_norm == record.input_position_gradient_norm);
      CHECK(std::sqrt(
                squared_norm(ledger.value().input.data(), ledger.value().input.rows() * ledger.value().input.cols())) ==
            doctest::Approx(record.input_gradient_norm).epsilon(1e-6));
      CHECK(other->parameter_hash() == hashes[step]);
    }
    REQUIRE(other->rewind(2).ok());
    CHECK(other->parameter_hash() == hashes[2]);
    auto loaded = Trainer<float>::load(test::saved(*other));
    REQUIRE(loaded.ok());
    CHECK(loaded.value()->training_config() == trainer->training_config());
    test::run(*loaded.value(), 6);
    CHECK(loaded.value()->parameter_hash() == hashes[8]);
    REQUIRE(other->evaluate().ok());
    test::run(*other, 6);
    CHECK(other->parameter_hash() == hashes[8]);
  }
}

TEST_CASE("packed gradients are the numbers of touched rows, and are copied and added where they were") {
  ParameterTable table;
  table.add({.name = "table", .rows = 130, .cols = 3, .sparse = true});
  table.add_vector("bias", 70, InitialValue::kZero, true);
  table.add({.name = "dense", .rows = 5, .cols = 3});
  table.add({.name = "read", .rows = 70, .cols = 3, .role = ParameterRole::kInput});
  Random random(4, stream_of("sparse sums"));
  ParameterStore<float> one;
  ParameterStore<float> other;
  REQUIRE(one.allocate(table).ok());
  REQUIRE(other.allocate(table).ok());
  for (int trial = 0; trial < 50; ++trial) {
    std::size_t count = 0;
    for (ParameterStore<float>* store : {&one, &other}) {
      store->zero_gradients();
      count = 0;
      for (std::size_t i = 0; i < table.list().size(); ++i) {
        const Parameter& parameter = table.list()[i];
        for (std::size_t unit = 0; unit < parameter.units(); ++unit) {
          if (parameter.marks_rows && random.below(3) != 0) continue;
          store->touch(i, unit);
          float* const row = store->gradient(parameter).data + unit * parameter.unit_size();
          for (std::size_t j = 0; j < parameter.unit_size(); ++j) row[j] = random.uniform() - 0.5F;
          count += static_cast<std::size_t>(parameter.unit_size());
        }
      }
    }
    std::vector<float> sum(one.all_gradients().begin(), one.all_gradients().end());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other.all_gradients()[i];
    const std::vector<std::uint64_t> touched(other.touched_rows().begin(), other.touched_rows().end());
    CHECK(other.packed(touched.data(), nullptr) == count);
    std::vector<float> numbers(count);
    CHECK(other.packed(touched.data(), numbers.data()) == count);

    TreeSum<float> both;
    both.add(touched.data(), numbers.data());
    both.add(one.touched_rows().data(), nullptr);
    both.add_sum();
    both.write_to(one);
    CHECK(std::equal(sum.begin(), sum.end(), one.all_gradients().begin()));
    // All of it is zeroed, and only the other's rows are copied.
    one.zero_gradients();
    for (const float number : one.all_gradients()) CHECK(number == 0);
    TreeSum<float> alone;
    alone.add(touched.data(), numbers.data());
    alone.write_to(one);
    CHECK(std::equal(other.all_gradients().begin(), other.all_gradients().end(), one.all_gradients().begin()));
  }
}

TEST_CASE("sums in the order of a tree have the bits of one addition after the other, wherever a part of them is") {
  ParameterTable table;
  table.add({.name = "table", .rows = 130, .cols = 3, .sparse = true});
  table.add({.name = "wide", .rows = 5, .cols = 700, .role = ParameterRole::kInput});
  table.add_vector("bias", 70, InitialValue::kZero, true);
  table.add({.name = "dense", .rows = 11, .cols = 97});
  Random random(7, stream_of("tree sums"));
  struct Part {
    ParameterStore<float> store;
    std::vector<std::uint64_t> touched;
    std::vector<float> numbers;
  };
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t leaves = 1 + random.below(trial < 50 ? 9 : kMaxShards);
    std::vector<Part> parts(leaves);
    for (Part& part : parts) {
      REQUIRE(part.store.allocate(table).ok());
      for (std::size_t i = 0; i < table.list().size(); ++i) {
        const Parameter& parameter = part.store.table().list()[i];
        for (std::size_t unit = 0; unit < parameter.units(); ++unit) {
          if (parameter.marks_rows && random.below(4) != 0) continue;
          part.store.touch(i, unit);
          float* const row = part.store.gradient(parameter).data + unit * parameter.unit_size();
          for (std::size_t j = 0; j < parameter.unit_size(); ++j) row[j] = random.uniform() - 0.5F;
        }
      }
      part.touched.assign(part.store.touched_rows().begin(), part.store.touched_rows().end());
      part.numbers.resize(part.store.packed(part.touched.data(), nullptr));
      part.store.packed(part.touched.data(), part.numbers.data());
    }
    // One of them may be in the store that gets the sum.
    const std::size_t own = random.below(static_cast<std::uint32_t>(leaves + 1));
    std::vector<float> expected;
    std::vector<std::uint64_t> touched(parts[0].touched.size());
    TreeSum<float> sum;
    struct Walk {
      std::vector<Part>& parts;
      std::size_t own;
      TreeSum<float>& sum;
      std::vector<float> visit(ShardNode node) {
        if (node.is_leaf()) {
          Part& part = parts[static_cast<std::size_t>(node.first)];
          sum.add(part.touched.data(), node.first == own ? nullptr : part.numbers.data());
          return {part.store.all_gradients().begin(), part.store.all_gradients().end()};
        }
        std::vector<float> left = visit(node.left());
        const std::vector<float> right = visit(node.right());
        sum.add_sum();
        for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
        return left;
      }
    };
    expected = Walk{parts, own, sum}.visit({0, leaves});
    for (const Part& part : parts) {
      for (std::size_t i = 0; i < touched.size(); ++i) touched[i] |= part.touched[i];
    }
    ParameterStore<float> empty;
    REQUIRE(empty.allocate(table).ok());
    ParameterStore<float>& written = own < leaves ? parts[own].store : empty;
    sum.write_to(written);
    CHECK(std::memcmp(expected.data(), written.all_gradients().data(), expected.size() * sizeof(float)) == 0);
    CHECK(std::equal(touched.begin(), touched.end(), written.touched_rows().begin()));
  }
}

TEST_CASE("no gradient has a -0, so a row of 0 that is added or left out changes no bit") {
  for (const test::ShardRun& run : test::shard_runs()) {
    CAPTURE(run.name);
    const auto trainer = test::trainer_of<float>(run, 4);
    for (int step = 0; step < 3; ++step) {
      std::size_t negative_zeros = 0;
      for (const ShardNode node : {ShardNode{0, 1}, {1, 2}, {2, 4}}) {
        REQUIRE(trainer->compute_shards(node.first, node.end).ok());
        for (const float number : trainer->model().parameters().all_gradients()) {
          negative_zeros += number == 0 && std::signbit(number) ? 1 : 0;
        }
      }
      CHECK(negative_zeros == 0);
      test::run(*trainer, 1);
    }
  }
}

TEST_CASE("a number of shards that batches cannot have is refused by name") {
  const auto blamed = [](std::uint64_t shards, std::uint64_t batch_size, bool batches = true) {
    TrainingConfig training = test::small_training();
    training.shards = shards;
    training.batch_size = batch_size;
    return test::blamed(validate(training, batches));
  };
  CHECK(blamed(1, 1) == "");
  CHECK(blamed(8, 8) == "");
  CHECK(blamed(64, 100) == "");
  CHECK(blamed(0, 8) == "shards");
  CHECK(blamed(9, 8) == "shards");
  CHECK(blamed(65, 100) == "shards");
  CHECK(blamed(1, 8, false) == "");
  CHECK(blamed(2, 8, false) == "shards");
}

TEST_CASE("shards take one gradient for each level of their tree, and a smaller workspace") {
  const ModelConfig model = test::small_transformer(Tying::kUntied);
  TrainingConfig training = test::small_training();
  training.batch_size = 64;
  const auto bytes = [&](std::uint64_t shards, std::string_view name) {
    training.shards = shards;
    const auto estimate = estimate_memory(model, training);
    REQUIRE(estimate.ok());
    for (const MemoryPart& part : estimate.value().parts) {
      if (part.name == name) return part.bytes;
    }
    return std::uint64_t{0};
  };
  for (const auto& [shards, levels] : {std::pair{2, 1}, {3, 1}, {4, 2}, {7, 2}, {8, 3}, {64, 6}}) {
    // Besides a header.
    CHECK(bytes(shards, "gradients") - bytes(1, "gradients") == levels * (bytes(1, "gradients") + 64));
  }
  CHECK(bytes(4, "workspace") < bytes(1, "workspace") / 2);
  CHECK(bytes(4, "batch") == bytes(1, "batch"));
}
