// Heads compared with PyTorch: tests/reference/heads_reference.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "../../reference/heads_reference.h"
#include "reference_models.h"

using namespace tied;
namespace heads = tied::heads_reference;
using test::start_of;

namespace {

ModelConfig model_with_head(const heads::Run& run) {
  ModelConfig config = test::reference_model();
  config.tying = tying_from_name(run.tying).value();
  config.scales_embedding = run.scales_embedding;
  config.output_bias = run.output_bias;
  config.table_rank = run.table_rank;
  const std::string head = run.head;
  if (head == "sampled") {
    config.head = HeadKind::kSampled;
    config.head_samples = heads::kSamples;
    config.proposal = std::string(run.proposal) == "counts" ? Proposal::kCounts : Proposal::kLogUniform;
  } else if (head == "clustered") {
    config.head = HeadKind::kClustered;
    config.head_clusters = heads::kClusters;
  } else if (head == "culled") {
    config.head = HeadKind::kCulled;
    config.head_kept = heads::kKept;
  } else if (head == "adaptive") {
    config.head = HeadKind::kAdaptive;
    config.head_divisor = heads::kDivisor;
    std::copy(std::begin(heads::kCutoffs), std::end(heads::kCutoffs), config.head_cutoffs);
  }
  return config;
}

TrainingConfig training_with_head(const heads::Run& run) {
  TrainingConfig config = test::reference_training();
  config.label_smoothing = run.label_smoothing;
  config.temperature = run.temperature;
  return config;
}

template <class T>
std::unique_ptr<Trainer<T>> trainer_of(const heads::Run& run) {
  auto trainer = test::trainer_on<T>(model_with_head(run), training_with_head(run), test::reference_text());
  for (const Parameter& parameter : trainer->table().list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<T> values = trainer->model().parameters().values(parameter);
    for (std::size_t i = 0; i < parameter.size(); ++i) values.data[i] = static_cast<T>(start_of(parameter, i));
  }
  REQUIRE(trainer->restart().ok());
  return trainer;
}

std::string name_of(const heads::Run& run) {
  return std::string(run.head) + ", " + run.tying + (run.output_bias ? ", with options" : "") +
         (run.table_rank == 0 ? "" : ", factorized");
}

}  // namespace

TEST_CASE("logits, loss and every gradient of each head agree with PyTorch") {
  std::size_t compared = 0;
  for (const heads::Run& run : heads::kRuns) {
    if (run.details == nullptr) continue;
    const std::string name = name_of(run);
    CAPTURE(name);
    // As for the full head: ten decimals, and values of size one in single precision.
    const auto check = [&]<class T>(double tolerance) {
      test::check_reference_details(*trainer_of<T>(run), *run.details, run.losses[0], run.label_smoothing, tolerance);
    };
    check.operator()<double>(1e-9);
    check.operator()<float>(5e-6);
    ++compared;
  }
  CHECK(compared == 17);
}

TEST_CASE("losses of 50 steps of each head, with updates of the touched rows only, agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const heads::Run& run : heads::kRuns) {
    const std::string name = name_of(run);
    CAPTURE(name);
    const double difference = test::largest_loss_difference(*trainer_of<double>(run), run.losses);
    const double single = test::largest_loss_difference(*trainer_of<float>(run), run.losses);
    // As for the full head: ten decimals, and the rounding of 50 steps in single precision.
    CHECK(difference < 1e-9);
    CHECK(single < 5e-5);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}
