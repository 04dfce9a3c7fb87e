#include "accounting/tensors.h"

#include <doctest/doctest.h>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/heads.h"
#include "model/model.h"
#include "model/transformer_parameters.h"
#include "models.h"

namespace tied {
namespace {

// The compared properties of a tensor, as text.
std::string described(const std::string& name, std::uint64_t rows, std::uint64_t cols, bool is_vector,
                      const std::string& tied_to) {
  const std::string shape = is_vector ? "[" : "[" + std::to_string(rows) + ", ";
  return name + " " + shape + std::to_string(cols) + "]" + (tied_to.empty() ? "" : " = " + tied_to);
}

std::vector<std::string> described(const ParameterTable& table) {
  std::vector<std::string> rows;
  for (const Parameter& p : table.list()) {
    rows.push_back(
        described(p.name, p.rows, p.cols, p.is_vector, p.owns_storage() ? "" : table.list()[p.tied_to].name));
  }
  return rows;
}

// With one line per layer, in the order of the layers.
std::vector<std::string> described(const std::vector<CountedTensor>& tensors, std::uint64_t n_layers) {
  const auto is_of_layers = [&](std::size_t i) {
    return i < tensors.size() && tensors[i].name().find('*') != std::string::npos;
  };
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < tensors.size();) {
    std::size_t end = i + 1;
    while (is_of_layers(i) && is_of_layers(end)) ++end;
    for (std::uint64_t layer = 0; layer < (is_of_layers(i) ? n_layers : 1); ++layer) {
      for (std::size_t j = i; j < end; ++j) {
        const CountedTensor& t = tensors[j];
        std::string name = t.name();
        if (is_of_layers(j)) name.replace(name.find('*'), 1, std::to_string(layer));
        rows.push_back(described(name, t.rows, t.cols, t.is_vector, t.owns_storage() ? "" : tensors[t.tied_to].name()));
      }
    }
    i = end;
  }
  return rows;
}

ModelConfig random_config(RandomModels& random) {
  constexpr Tying kTyings[] = {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedLowRank};
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = random.between(2, 300)};
  config.n_heads = random.between(1, 8);
  config.d_model = config.n_heads * 2 * random.between(1, 12);
  config.tying = kTyings[random.between(0, 3)];
  if (config.tying == Tying::kTiedLowRank) config.low_rank = random.between(1, config.d_model);
  if (random.coin() && config.tying != Tying::kTiedLinear && config.tying != Tying::kTiedLowRank) {
    config.table_rank = random.between(1, config.d_model);
  }
  config.output_bias = random.coin();
  if (random.coin()) config.d_feed_forward = random.between(1, 200);
  config.n_layers = random.between(1, 12);
  do {
    config.n_kv_heads = random.between(0, config.n_heads);
  } while (config.n_heads % config.key_value_heads() != 0);
  config.context_length = random.between(1, 100);
  config.norm = static_cast<Norm>(random.between(0, 1));
  config.positions = static_cast<Positions>(random.between(0, 2));
  config.feed_forward = static_cast<FeedForward>(random.between(0, 1));
  config.final_norm = random.coin();
  config.biases = static_cast<Biases>(random.between(0, 2));
  if (random.coin()) {
    config.ngram_order = random.between(2, 8);
    config.ngram_rows = random.between(1, 500);
  }
  config.value_embeddings = static_cast<ValueEmbeddings>(random.between(0, 2));
  if (config.is_factorized() || config.key_value_heads() != config.n_heads) {
    config.value_embeddings = random.coin() ? ValueEmbeddings::kNone : ValueEmbeddings::kOwn;
  }
  return config;
}

// The same model in the terms of accounting.
Architecture architecture_of(const ModelConfig& config) {
  constexpr BiasKind kBiases[] = {BiasKind::kNone, BiasKind::kFeedForward, BiasKind::kAll};
  constexpr PositionKind kPositions[] = {PositionKind::kLearned, PositionKind::kNone, PositionKind::kRotary};
  return {.vocab_size = config.vocab_size,
          .output_vocab_size = config.vocab_size,
          .d_model = config.d_model,
          .n_layers = config.n_layers,
          .n_heads = config.n_heads,
          .n_key_value_heads = config.key_value_heads(),
          .d_head = config.head_width(),
          .d_feed_forward = config.feed_forward_width(),
          .feed_forward = config.feed_forward == FeedForward::kGelu ? FeedForwardKind::kPlain : FeedForwardKind::kGated,
          .positions = kPositions[static_cast<int>(config.positions)],
          .context_length = config.context_length,
          .norm = config.norm == Norm::kLayer ? NormKind::kLayer : NormKind::kRms,
          .norm_biases = config.norm == Norm::kLayer && config.biases == Biases::kAll,
          .final_norm = config.final_norm,
          .biases = kBiases[static_cast<int>(config.biases)],
          .fused_query_key_value = true,
          .output_bias = config.output_bias,
          .low_rank = config.low_rank,
          .table_rank = config.table_rank,
          .ngram_order = config.ngram_order,
          .ngram_rows = config.ngram_rows,
          .value_embeddings = static_cast<ValueTable>(config.value_embeddings)};
}

TEST_CASE("names, shapes and order are those of the allocating table, for every model that both describe") {
  RandomModels random(2);
  for (int i = 0; i < 400; ++i) {
    const ModelConfig config = random_config(random);
    REQUIRE(validate(config).ok());
    const Architecture architecture = architecture_of(config);
    const auto tying = static_cast<TableTying>(config.tying);
    REQUIRE(validate(architecture).ok());
    REQUIRE(validate(architecture, tying).ok());
    const ParameterTable table = transformer_parameter_table(config).table;
    const std::vector<CountedTensor> tensors = counted_tensors(architecture, tying);
    CHECK(described(tensors, config.n_layers) == described(table));
    Whole stored;
    for (const CountedTensor& tensor : tensors) {
      if (tensor.owns_storage()) stored += tensor.count();
    }
    CHECK(stored == Whole(table.parameter_count()));
  }
}

TEST_CASE("an encoder-decoder has as many parameters as its allocating table, in every tying of its tables") {
  struct Tables {
    Tying tying;
    EncoderTable encoder_table;
    TableTying counted;
  };
  // One table for the encoder's input and the output has the size of one for both inputs.
  constexpr Tables kTables[] = {
      {Tying::kUntied, EncoderTable::kOwn, TableTying::kUntied},
      {Tying::kUntied, EncoderTable::kEmbedding, TableTying::kTiedInputs},
      {Tying::kUntied, EncoderTable::kUnembedding, TableTying::kTiedInputs},
      {Tying::kTied, EncoderTable::kOwn, TableTying::kTiedDecoder},
      {Tying::kTied, EncoderTable::kEmbedding, TableTying::kTied},
  };
  RandomModels random(3);
  for (int i = 0; i < 200; ++i) {
    ModelConfig config = random_config(random);
    config.kind = ModelKind::kEncoderDecoder;
    config.ngram_order = 0;
    config.ngram_rows = 0;
    config.value_embeddings = ValueEmbeddings::kNone;
    config.low_rank = 0;
    config.table_rank = 0;
    config.vocab_size += 2;
    config.n_encoder_layers = random.between(1, 12);
    config.source_length = random.between(1, 100);
    for (const Tables& tables : kTables) {
      config.tying = tables.tying;
      config.encoder_table = tables.encoder_table;
      REQUIRE(validate(config).ok());
      Architecture architecture = architecture_of(config);
      architecture.stack = Stack::kEncoderDecoder;
      architecture.n_encoder_layers = config.n_encoder_layers;
      REQUIRE(validate(architecture, tables.counted).ok());
      Whole counted;
      for (const CountedTensor& tensor : counted_tensors(architecture, tables.counted)) {
        if (tensor.owns_storage()) counted += tensor.count();
      }
      // Accounting has one context for both stacks.
      Whole allocated = Whole(parameter_table(config).parameter_count());
      if (config.positions == Positions::kLearned) {
        counted += Whole(config.source_length) * config.d_model;
        allocated += Whole(config.context_length) * config.d_model;
      }
      CHECK(counted == allocated);
    }
  }
}

// Elements of one name or role of a table; 0 if it is not there.
std::uint64_t size_in(const ParameterTable& table, std::string_view name) {
  const Parameter* parameter = table.find(name);
  return parameter == nullptr ? 0 : parameter->size();
}

TEST_CASE("every head has as many parameters as its allocating table, tied and untied, with and without biases") {
  RandomModels random(7);
  for (int i = 0; i < 300; ++i) {
    ModelConfig config = random_config(random);
    if (config.tying == Tying::kTiedLowRank) continue;
    config.low_rank = 0;
    config.vocab_size += 8;
    const std::uint64_t vocab_size = config.vocab_size;
    const std::uint64_t d = config.d_model;
    const std::uint64_t width = config.table_width();
    const bool untied = config.tying == Tying::kUntied;
    const std::uint64_t before = parameter_table(config).parameter_count();
    const std::uint64_t cutoffs[] = {random.between(1, 3), random.between(4, vocab_size - 1)};
    Batch batch;
    batch.tying = static_cast<TableTying>(config.tying);
    batch.heads = {.samples = random.between(1, vocab_size - 1),
                   .cutoffs = config.is_factorized() ? std::span<const std::uint64_t>() : cutoffs,
                   .divisor = d < 4 ? 1U : 2U,
                   .culled_vocab_size = random.between(1, vocab_size),
                   .clusters = random.between(2, vocab_size)};
    const Architecture architecture = architecture_of(config);
    REQUIRE(validate(batch, architecture).ok());
    const HeadCosts counted = count_heads(architecture, batch, counted_tensors(architecture, batch.tying));
    const std::uint64_t w0 = d / batch.heads.divisor;
    const std::uint64_t w1 = w0 / batch.heads.divisor;
    // Elements of the token table that the head reads, which an untied model allocates for every head except a culled
    // one.
    const std::uint64_t adaptive = cutoffs[0] * d + (cutoffs[1] - cutoffs[0]) * w0 + (vocab_size - cutoffs[1]) * w1;
    const struct {
      HeadKind kind;
      HeadCost HeadCosts::* counted;
      std::uint64_t read;
    } heads[] = {{HeadKind::kFull, &HeadCosts::full, vocab_size * width},
                 {HeadKind::kSampled, &HeadCosts::sampled, vocab_size * width},
                 {HeadKind::kAdaptive, &HeadCosts::adaptive, adaptive},
                 {HeadKind::kCulled, &HeadCosts::culled, batch.heads.culled_vocab_size * width},
                 {HeadKind::kClustered, &HeadCosts::clustered, vocab_size * width}};
    for (const auto& [kind, place, read] : heads) {
      if (kind == HeadKind::kAdaptive && config.is_factorized()) continue;
      CAPTURE(static_cast<int>(kind));
      config.head = kind;
      config.head_samples = kind == HeadKind::kSampled ? batch.heads.samples : 0;
      config.head_clusters = kind == HeadKind::kClustered ? batch.heads.clusters : 0;
      config.head_kept = kind == HeadKind::kCulled ? batch.heads.culled_vocab_size : 0;
      const bool has_cutoffs = kind == HeadKind::kAdaptive;
      config.head_divisor = has_cutoffs ? batch.heads.divisor : 0;
      for (std::size_t k = 0; k < 2; ++k) config.head_cutoffs[k] = has_cutoffs ? cutoffs[k] : 0;
      REQUIRE(validate(config).ok());
      const ParameterTable table = parameter_table(config);
      // Apart from the token tables, the model with a full head and this one differ by what the head adds.
      const std::uint64_t of_tables = untied && has_cutoffs ? adaptive : untied ? vocab_size * width : 0;
      const std::uint64_t added = table.parameter_count() - of_tables - (before - (untied ? vocab_size * width : 0));
      const std::uint64_t biases = kind == HeadKind::kCulled ? batch.heads.culled_vocab_size : vocab_size;
      CHECK((counted.*place).parameters ==
            Whole(read + added + size_in(table, "between") + size_in(table, "unembedding.factor") +
                  (config.output_bias ? biases : 0)));
      CHECK(size_in(table, "clusters") + size_in(table, "tails.0.map") + size_in(table, "tails.1.map") == added);
    }
  }
}

std::string listed(const std::vector<CountedTensor>& tensors) {
  std::string text;
  for (const CountedTensor& t : tensors) {
    text += t.name() + " ";
    if (!t.is_vector) text += std::to_string(t.rows) + "x";
    text += std::to_string(t.cols);
    if (!(t.copies == Whole(1))) text += " x " + t.copies.text();
    if (!(t.active_copies == t.copies)) text += " (" + t.active_copies.text() + ")";
    if (t.on_encoder_tokens) text += " e";
    if (!t.owns_storage()) text += " = " + tensors[t.tied_to].name();
    text += "\n";
  }
  return text;
}

// 'e': works on the encoder's tokens.
TEST_CASE("an encoder-decoder has three tables, two stacks and cross-attention") {
  Architecture a = t5_small();
  a.n_encoder_layers = 2;
  a.n_layers = 3;
  CHECK(listed(counted_tensors(a, TableTying::kTied)) ==
        "embedding 32128x512\n"
        "decoder_embedding 32128x512 = embedding\n"
        "unembedding 32128x512 = embedding\n"
        "encoder.relative_positions 32x8 e\n"
        "encoder.layers.*.attention_norm.weight 512 x 2 e\n"
        "encoder.layers.*.attention.query.weight 512x512 x 2 e\n"
        "encoder.layers.*.attention.key.weight 512x512 x 2 e\n"
        "encoder.layers.*.attention.value.weight 512x512 x 2 e\n"
        "encoder.layers.*.attention.output.weight 512x512 x 2 e\n"
        "encoder.layers.*.feed_forward_norm.weight 512 x 2 e\n"
        "encoder.layers.*.feed_forward.up.weight 2048x512 x 2 e\n"
        "encoder.layers.*.feed_forward.down.weight 512x2048 x 2 e\n"
        "encoder.final_norm.weight 512 e\n"
        "decoder.relative_positions 32x8\n"
        "decoder.layers.*.attention_norm.weight 512 x 3\n"
        "decoder.layers.*.attention.query.weight 512x512 x 3\n"
        "decoder.layers.*.attention.key.weight 512x512 x 3\n"
        "decoder.layers.*.attention.value.weight 512x512 x 3\n"
        "decoder.layers.*.attention.output.weight 512x512 x 3\n"
        "decoder.layers.*.cross_attention_norm.weight 512 x 3\n"
        "decoder.layers.*.cross_attention.query.weight 512x512 x 3\n"
        "decoder.layers.*.cross_attention.key.weight 512x512 x 3 e\n"
        "decoder.layers.*.cross_attention.value.weight 512x512 x 3 e\n"
        "decoder.layers.*.cross_attention.output.weight 512x512 x 3\n"
        "decoder.layers.*.feed_forward_norm.weight 512 x 3\n"
        "decoder.layers.*.feed_forward.up.weight 2048x512 x 3\n"
        "decoder.layers.*.feed_forward.down.weight 512x2048 x 3\n"
        "decoder.final_norm.weight 512\n");
}

TEST_CASE("each tying of an encoder-decoder shares the right tables") {
  const Architecture a = t5_small();
  const auto tables = [&](TableTying tying) { return listed(counted_tensors(a, tying)).substr(0, 120); };
  CHECK(tables(TableTying::kUntied)
            .starts_with("embedding 32128x512\ndecoder_embedding 32128x512\n"
                         "unembedding 32128x512\n"));
  CHECK(tables(TableTying::kTiedInputs)
            .starts_with("embedding 32128x512\ndecoder_embedding 32128x512 = embedding\n"
                         "unembedding 32128x512\n"));
  CHECK(tables(TableTying::kTiedDecoder)
            .starts_with("embedding 32128x512\ndecoder_embedding 32128x512\n"
                         "unembedding 32128x512 = decoder_embedding\n"));
}

TEST_CASE("layers of experts have a router and follow the dense layers") {
  Architecture a = mixtral();
  a.n_layers = 5;
  a.n_dense_layers = 2;
  a.d_dense_feed_forward = 100;
  a.d_feed_forward = 10;
  a.n_shared_experts = 1;
  a.query_key_norm = QueryKeyNorm::kHead;
  a.norms_per_layer = 4;
  CHECK(listed(counted_tensors(a, TableTying::kUntied)) ==
        "embedding 32000x4096\n"
        "unembedding 32000x4096\n"
        "layers.*.attention_norm.weight 4096 x 5\n"
        "layers.*.attention.query.weight 4096x4096 x 5\n"
        "layers.*.attention.key.weight 1024x4096 x 5\n"
        "layers.*.attention.value.weight 1024x4096 x 5\n"
        "layers.*.attention.output.weight 4096x4096 x 5\n"
        "layers.*.attention.query_norm.weight 128 x 5\n"
        "layers.*.attention.key_norm.weight 128 x 5\n"
        "layers.*.attention_output_norm.weight 4096 x 5\n"
        "layers.*.feed_forward_norm.weight 4096 x 5\n"
        "layers.*.feed_forward.up.weight 100x4096 x 2\n"
        "layers.*.feed_forward.gate.weight 100x4096 x 2\n"
        "layers.*.feed_forward.down.weight 4096x100 x 2\n"
        "layers.*.feed_forward.router.weight 8x4096 x 3\n"
        "layers.*.feed_forward.experts.*.up.weight 10x4096 x 24 (6)\n"
        "layers.*.feed_forward.experts.*.gate.weight 10x4096 x 24 (6)\n"
        "layers.*.feed_forward.experts.*.down.weight 4096x10 x 24 (6)\n"
        "layers.*.feed_forward.shared_experts.*.up.weight 10x4096 x 3\n"
        "layers.*.feed_forward.shared_experts.*.gate.weight 10x4096 x 3\n"
        "layers.*.feed_forward.shared_experts.*.down.weight 4096x10 x 3\n"
        "layers.*.feed_forward_output_norm.weight 4096 x 5\n"
        "final_norm.weight 4096\n");
}

TEST_CASE("the head has BERT's maps before its table, and the maps of each tying after them") {
  Architecture a = plain_formula(100, 8, 0);
  a.norm = NormKind::kLayer;
  a.norm_biases = true;
  a.embedding_norm = true;
  a.positions = PositionKind::kLearned;
  a.context_length = 16;
  a.n_segments = 2;
  a.head_transform = true;
  a.output_bias = true;
  a.low_rank = 3;
  const std::string body =
      "embedding 100x8\nunembedding 100x8 = embedding\npositions 16x8\nsegments 2x8\n"
      "embedding_norm.weight 8\nembedding_norm.bias 8\n"
      "head_transform.weight 8x8\nhead_transform.bias 8\nhead_transform_norm.weight 8\nhead_transform_norm.bias 8\n";
  const auto check_head = [&](TableTying tying, const std::string& head) {
    CHECK(listed(counted_tensors(a, tying)) == body + head + "output_bias 100\n");
  };
  check_head(TableTying::kTied, "");
  check_head(TableTying::kTiedLinear, "between 8x8\n");
  check_head(TableTying::kTiedMlp, "mlp.up.weight 32x8\nmlp.up.bias 32\nmlp.down.weight 8x32\nmlp.down.bias 8\n");
  check_head(TableTying::kTiedLowRank, "low_rank.a 100x3\nlow_rank.b 8x3\n");
}

TEST_CASE("listed tensors stand for the layers, between the token tables and the head") {
  // A vector in 3 layers, and 4 experts in each of 2 layers, of which a token uses 1; a table that is looked up.
  constexpr ListedTensor kListed[] = {{0, 7, 3, 3, 4}, {5, 6, 8, 2, 3}, {11, 3, 1, 1, 0}};
  Architecture a = plain_formula(10, 4, 3);
  a.output_bias = true;
  a.listed = kListed;
  const auto tensors = counted_tensors(a, TableTying::kUntied);
  REQUIRE(tensors.size() == 6);
  CHECK(tensors[2].name().empty());
  CHECK(tensors[2].is_vector);
  CHECK(tensors[2].count().value() == 21);
  CHECK(tensors[3].count().value() == 240);
  CHECK((tensors[3].active_copies * tensors[3].size()).value() == 60);
  CHECK(tensors[4].is_additional);
  CHECK_FALSE(tensors[4].writes);
  CHECK(stored_parameters(tensors).value() == 2 * 40 + 21 + 240 + 33 + 10);
}

TEST_CASE("each name occurs once, and a tied tensor has the shape of its owner") {
  RandomModels random(3);
  for (int i = 0; i < 300; ++i) {
    const Architecture a = random.architecture();
    const std::vector<CountedTensor> tensors = counted_tensors(a, random.tying(a));
    std::set<std::string> names;
    for (const CountedTensor& t : tensors) {
      CHECK_MESSAGE(names.insert(t.name()).second, t.name());
      CHECK((t.rows > 0 && t.cols > 0 && !t.copies.is_zero()));
      if (t.is_vector) CHECK(t.rows == 1);
      CHECK(t.writes == t.name().starts_with("unembedding"));
      CHECK(t.is_factor == t.name().ends_with("embedding.factor"));
      if (t.owns_storage()) continue;
      CHECK(tensors[t.tied_to].owns_storage());
      CHECK(tensors[t.tied_to].rows == t.rows);
      CHECK(tensors[t.tied_to].cols == t.cols);
    }
  }
}

}  // namespace
}  // namespace tied
