// Trains the training lab's models natively and prints measurements: see tools/experiments.mjs.
//
//   experiments <text file> <vocabulary> <variant>[+<variant>...]:<seed>...
//   experiments memory <vocabulary size> <tying>
//
// Variants joined by '+' are trained one after the other; then the tables of variants with two are compared with
// the tables of variants with one. One number per line: vocabulary, variant, seed, quantity, value, separated by tabs.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "character_bpe.h"
#include "layers.h"
#include "paths.h"
#include "readouts.h"
#include "tables.h"
#include "text/tokenizer.h"
#include "training/trainer.h"

namespace {

using namespace tied;
using experiments::Encoded;
using experiments::Split;
using experiments::Tables;

constexpr std::uint64_t kSteps = 800;
constexpr std::size_t kVocabSize = 512;
// Steps at which gradients, their reach and the drift are reported.
constexpr std::uint64_t kGradientSteps[] = {1, 10, 20, 50, 100, 300, 800};
constexpr std::uint64_t kReachSteps[] = {1, 20, 100, 800};
constexpr std::uint64_t kDriftSteps[] = {20, 100, 800};
// Steps after which the direct path is read.
constexpr std::uint64_t kPathSteps[] = {20, 50, 100, 200, 400, 800};

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(2);
}

template <class T>
T must(Result<T> result) {
  if (!result) stop(result.error().message());
  return std::move(result).value();
}

void must(const Status& status) {
  if (!status) stop(status.error().message());
}

std::string read(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) stop(std::string("cannot be read: ") + path);
  std::string text;
  std::array<char, 65536> block;
  std::size_t size = 0;
  while ((size = std::fread(block.data(), 1, block.size(), file)) > 0) text.append(block.data(), size);
  std::fclose(file);
  return text;
}

// "reference": see character_bpe.h. The others are the package's own byte pair encoding: "text" begins with the bytes
// of the text, "bytes" with all 256.
Encoded encode(std::string_view text, std::string_view vocabulary) {
  if (vocabulary == "reference") return experiments::encode_by_characters(text, kVocabSize);
  if (vocabulary != "text" && vocabulary != "bytes") stop("the vocabulary is 'reference', 'text' or 'bytes'");
  const Alphabet alphabet = vocabulary == "text" ? Alphabet::kText : Alphabet::kBytes;
  const Tokenizer tokenizer =
      must(train_tokenizer(text, {.kind = TokenizerKind::kBpe, .vocab_size = kVocabSize, .alphabet = alphabet}));
  Encoded encoded{must(tokenizer.encode(text)), tokenizer.vocab_size(), {}};
  for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    encoded.bytes_of.push_back(static_cast<std::uint8_t>(tokenizer.token(id).size()));
  }
  return encoded;
}

struct Recipe {
  ModelConfig model;
  TrainingConfig training;
};

// The width in names such as "tied-72" or "untied-16"; otherwise 0.
std::uint64_t width_of(std::string_view variant) {
  const std::size_t dash = variant.find('-');
  const std::string_view digits = variant.substr(std::min(dash, variant.size() - 1) + 1);
  const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? std::strtoull(std::string(digits).c_str(), nullptr, 10) : 0;
}

// The training lab's default and its variants. Arms with the same seed see the same batches, but each starts from its
// own weights: with a common start, the matrices of two arms would be similar for that reason alone.
Recipe recipe_of(std::string_view variant, std::uint64_t vocab_size, std::uint64_t seed) {
  Recipe recipe{
      .model = {.kind = ModelKind::kTransformer, .vocab_size = vocab_size, .d_model = 64},
      .training = {.learning_rate = 3e-3,
                   .warmup_steps = 50,
                   .decay = Decay::kCosine,
                   .total_steps = kSteps,
                   .final_learning_rate_fraction = 0.1,
                   .weight_decay = 0.1,
                   .gradient_clip = 1,
                   .beta2 = 0.95,
                   .batch_size = 16,
                   .seed = seed,
                   .init_seed = stream_of(std::string(variant).c_str()) + seed},
  };
  ModelConfig& model = recipe.model;
  if (variant.starts_with("untied")) model.tying = Tying::kUntied;
  if (variant == "tied" || variant == "untied") return recipe;
  if (variant == "tied-sqrt" || variant == "untied-sqrt") {
    model.scales_embedding = true;
  } else if (variant == "tied-linear") {
    model.tying = Tying::kTiedLinear;
  } else if (variant == "tied-low-rank-4") {
    model.tying = Tying::kTiedLowRank;
    model.low_rank = 4;
  } else if (variant == "untie-at-2/3") {
    model.untie_at_step = kSteps * 2 / 3;
  } else if (variant == "tied-input-x2") {
    recipe.training.input_gradient_scale = 2;
  } else if (variant == "tied-input-x5") {
    recipe.training.input_gradient_scale = 5;
  } else if (variant == "tied-input-x10") {
    recipe.training.input_gradient_scale = 10;
  } else if (const std::uint64_t width = width_of(variant); width > 0) {
    model.d_model = width;
  } else {
    stop("no variant '" + std::string(variant) + "'");
  }
  return recipe;
}

// Mean over the rows of the cosine between a row and its initial value.
double mean_cosine(ConstMatrixView<float> now, const Matrix<float>& start) {
  double sum = 0;
  for (std::size_t i = 0; i < now.rows; ++i) {
    double product = 0;
    double square_now = 0;
    double square_start = 0;
    for (std::size_t j = 0; j < now.cols; ++j) {
      const auto a = static_cast<double>(now(i, j));
      const auto b = static_cast<double>(start(i, j));
      product += a * b;
      square_now += a * a;
      square_start += b * b;
    }
    sum += product / std::sqrt(square_now * square_start);
  }
  return sum / static_cast<double>(now.rows);
}

class Printer {
 public:
  Printer(std::string vocabulary, std::string variant, std::uint64_t seed)
      : vocabulary_(std::move(vocabulary)), variant_(std::move(variant)), seed_(seed) {}

  void print(const std::string& quantity, double value) const {
    std::printf("%s\t%s\t%llu\t%s\t%.6f\n", vocabulary_.c_str(), variant_.c_str(),
                static_cast<unsigned long long>(seed_), quantity.c_str(), value);
    std::fflush(stdout);
  }

 private:
  std::string vocabulary_;
  std::string variant_;
  std::uint64_t seed_;
};

template <std::size_t kCount>
bool contains(const std::uint64_t (&steps)[kCount], std::uint64_t step) {
  for (const std::uint64_t candidate : steps) {
    if (candidate == step) return true;
  }
  return false;
}

Matrix<float> matrix_of(ConstMatrixView<float> matrix) {
  auto copy = must(Matrix<float>::create(matrix.rows, matrix.cols));
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.cols; ++j) copy(i, j) = matrix(i, j);
  }
  return copy;
}

std::vector<std::uint32_t> counts_of(std::span<const std::uint32_t> ids, std::uint64_t vocab_size) {
  std::vector<std::uint32_t> counts(vocab_size);
  for (const std::uint32_t id : ids) ++counts[id];
  return counts;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Tables run(const Encoded& encoded, const std::string& vocabulary, const std::string& variant, std::uint64_t seed) {
  const Printer printer(vocabulary, variant, seed);
  const auto print = [&](const std::string& quantity, double value) { printer.print(quantity, value); };
  const Recipe recipe = recipe_of(variant, encoded.vocab_size, seed);
  // The loss is measured on the last tenth.
  const std::span<const std::uint32_t> ids = encoded.token_ids;
  const auto training_ids = ids.first(ids.size() * 9 / 10);
  const auto validation_ids = ids.subspan(training_ids.size());
  const Split split = {training_ids, validation_ids, counts_of(training_ids, encoded.vocab_size)};
  auto data = must(training_data_from_tokens<float>(training_ids.data(), training_ids.size(), validation_ids.data(),
                                                    validation_ids.size(), encoded.vocab_size));
  auto trainer = must(Trainer<float>::create(recipe.model, recipe.training, std::move(data)));
  printer.print("parameters", static_cast<double>(trainer->table().parameter_count()));

  const bool has_two = recipe.model.tying == Tying::kUntied;
  const Matrix<float> start_in = matrix_of(must(trainer->matrix("embedding")));
  const Matrix<float> start_out = matrix_of(must(trainer->matrix("unembedding")));
  must(experiments::measure_bigrams(split, print));
  must(experiments::measure_paths(*trainer, split, " at step 0", print));
  double seconds = 0;
  double share_5_to_30 = 0;
  while (trainer->steps_done() < kSteps) {
    const std::uint64_t next = trainer->steps_done() + 1;
    const std::string at = " at step " + text_of(next);
    if (contains(kGradientSteps, next)) {
      const auto ledger = must(trainer->gradient());
      printer.print("input rows touched" + at,
                    static_cast<double>(ledger.input_rows) / static_cast<double>(encoded.vocab_size));
      printer.print("output rows touched" + at,
                    static_cast<double>(ledger.output_rows) / static_cast<double>(encoded.vocab_size));
    }
    if (contains(kReachSteps, next)) must(experiments::measure_gradient(*trainer, split, at, print));
    StepRecord record;
    const double before = now();
    must(trainer->step(&record));
    seconds += now() - before;
    if (next >= 5 && next <= 30) share_5_to_30 += (1 - record.input_share) / 26;
    if (contains(kGradientSteps, next)) {
      printer.print("output share" + at, 1 - record.input_share);
      printer.print("output share by position" + at, 1 - record.input_position_share);
      printer.print("cosine of parts" + at, record.gradient_cosine);
    }
    if (contains(kPathSteps, next)) must(experiments::measure_paths(*trainer, split, at, print));
    if (contains(kDriftSteps, next)) {
      printer.print("cosine to start, input" + at, mean_cosine(must(trainer->matrix("embedding")), start_in));
      if (has_two) {
        printer.print("cosine to start, output" + at, mean_cosine(must(trainer->matrix("unembedding")), start_out));
      }
    }
  }
  printer.print("mean output share of steps 5 to 30", share_5_to_30);
  const Evaluation evaluation = must(trainer->evaluate());
  printer.print("validation loss", evaluation.loss);
  double bytes = 0;
  for (const std::uint32_t id : validation_ids.subspan(1)) bytes += encoded.bytes_of[id];
  printer.print("validation bits a byte",
                evaluation.loss * static_cast<double>(evaluation.tokens) / bytes / std::log(2.0));
  printer.print("seconds", seconds);
  std::printf("%s\t%s\t%llu\thash\t%016llx\n", vocabulary.c_str(), variant.c_str(),
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(trainer->parameter_hash()));

  // With a map at the head there is still one table.
  Tables tables{variant, !has_two && recipe.model.untie_at_step == 0, matrix_of(must(trainer->matrix("embedding"))),
                matrix_of(must(trainer->matrix("unembedding")))};
  must(experiments::measure_tables(tables, split.counts, print));
  must(experiments::measure_states(*trainer, split, print));
  must(experiments::measure_layers(*trainer, split, print));
  return tables;
}

void compare(const std::vector<Tables>& models, const std::string& vocabulary, std::uint64_t seed) {
  for (const Tables& untied : models) {
    if (untied.is_tied) continue;
    const Printer printer(vocabulary, untied.variant, seed);
    const auto print = [&](const std::string& quantity, double value) { printer.print(quantity, value); };
    must(experiments::compare_with_itself(untied, print));
    for (const Tables& tied : models) {
      if (tied.is_tied) must(experiments::compare_with_tied(untied, tied, print));
    }
  }
}

void run_job(const Encoded& encoded, const std::string& vocabulary, const std::string& job) {
  const std::size_t colon = job.rfind(':');
  if (colon == std::string::npos) stop("'" + job + "' is no <variant>:<seed>");
  const std::uint64_t seed = std::strtoull(job.c_str() + colon + 1, nullptr, 10);
  std::vector<Tables> models;
  for (std::size_t begin = 0; begin < colon;) {
    const std::size_t end = std::min(job.find('+', begin), colon);
    models.push_back(run(encoded, vocabulary, job.substr(begin, end - begin), seed));
    begin = end + 1;
  }
  if (models.size() > 1) compare(models, vocabulary, seed);
}

// The memory of a trainer with the training lab's defaults and another vocabulary: the estimate, and the peak of the
// whole process over two steps and an evaluation.
void measure_memory(std::uint64_t vocab_size, const char* tying) {
  constexpr double kMegabyte = 1e6;
  constexpr std::size_t kTokens = 20'000;
  Recipe recipe = recipe_of("tied", vocab_size, 0);
  recipe.model.tying = must(tying_from_name(tying));
  std::vector<std::uint32_t> ids(kTokens);
  Random random(0, stream_of("text"));
  for (std::uint32_t& id : ids) id = random.below(static_cast<std::uint32_t>(vocab_size));
  auto data = must(training_data_from_tokens<float>(ids.data(), kTokens * 9 / 10, ids.data(), 100, vocab_size));
  const auto estimate = must(estimate_memory(recipe.model, recipe.training, {}, data.bytes()));
  for (const MemoryPart& part : estimate.parts) {
    std::printf("%-12s %8.1f MB\n", std::string(part.name).c_str(), static_cast<double>(part.bytes) / kMegabyte);
  }
  std::printf("%-12s %8.1f MB\n", "estimated", static_cast<double>(estimate.bytes) / kMegabyte);
  const auto trainer = must(Trainer<float>::create(recipe.model, recipe.training, std::move(data)));
  StepRecord record;
  for (int i = 0; i < 2; ++i) must(trainer->step(&record));
  must(trainer->evaluate());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-12s %8.1f MB\n", "process", static_cast<double>(usage.ru_maxrss) * 1024 / kMegabyte);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "memory") {
    measure_memory(std::strtoull(argv[2], nullptr, 10), argv[3]);
    return 0;
  }
  if (argc < 4) stop("experiments <text file> <'reference', 'text' or 'bytes'> <variant>:<seed>...");
  const std::string vocabulary = argv[2];
  const Encoded encoded = encode(read(argv[1]), vocabulary);
  std::printf("%s\t-\t0\ttokens\t%zu\n", vocabulary.c_str(), encoded.token_ids.size());
  for (int i = 3; i < argc; ++i) run_job(encoded, vocabulary, argv[i]);
  return 0;
}
