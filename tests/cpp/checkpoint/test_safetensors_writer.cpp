#include "checkpoint/safetensors_writer.h"

#include <cmath>
#include <set>

#include "../whole_file.h"
#include "strict_safetensors.h"
#include "support.h"

namespace tied {
namespace {

using test::Bytes;
using test::gpt2_config;
using test::Json;
using test::JsonReader;
using test::numbered_model;
using test::Safetensors;
using test::written;
using Names = std::set<std::string>;

ModelConfig direct_path_config(Tying tying) {
  return {.kind = ModelKind::kDirectPath, .vocab_size = 5, .d_model = 3, .tying = tying};
}

TEST_CASE("the smallest model, byte for byte") {
  const ModelConfig config{.kind = ModelKind::kDirectPath, .vocab_size = 2, .d_model = 1, .tying = Tying::kTied};
  auto model = create_model<float>(config, 1, 1);
  REQUIRE(model.ok());
  model.value()->parameters().all_values()[0] = 1;
  model.value()->parameters().all_values()[1] = -2.5F;
  std::string header =
      R"({"__metadata__":{"format":"pt","config":"{\"kind\":\"direct-path\",\"vocabSize\":2,\"dModel\":1,)"
      R"(\"tying\":\"tied\",\"embeddingScale\":\"none\",\"outputBias\":false}","unembedding":"embedding"},)"
      R"("embedding":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})";
  while (header.size() % 8 != 0) header += ' ';
  std::string expected(8, '\0');
  expected[0] = static_cast<char>(header.size() % 256);
  expected[1] = static_cast<char>(header.size() / 256);
  expected += header + std::string("\0\0\x80\x3F\0\0\x20\xC0", 8);
  CHECK(test::text_of_bytes(written(config, model.value()->parameters())) == expected);
}

// Whether `file` has exactly the content of the store, under the names of the parameter table.
void check_own_names(const Model<float>& model, const Safetensors& file) {
  std::size_t owned = 0;
  for (const Parameter& parameter : model.parameters().table().list()) {
    CAPTURE(parameter.name);
    if (!parameter.owns_storage()) {
      CHECK(file.metadata.at(parameter.name) == model.parameters().table().list()[parameter.tied_to].name);
      CHECK_FALSE(file.tensors.contains(parameter.name));
      continue;
    }
    ++owned;
    REQUIRE(file.tensors.contains(parameter.name));
    const test::Tensor& tensor = file.tensors.at(parameter.name);
    CHECK(tensor.shape == (parameter.is_vector ? std::vector<std::uint64_t>{parameter.cols}
                                               : std::vector<std::uint64_t>{parameter.rows, parameter.cols}));
    const auto values = model.parameters().values(parameter);
    CHECK(tensor.values == std::vector<float>(values.data, values.data + parameter.size()));
  }
  CHECK(file.tensors.size() == owned);
  CHECK(file.metadata.at("format") == "pt");
}

TEST_CASE("every model is written under the names of its parameters, shared matrices once") {
  std::vector<ModelConfig> configs;
  for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedMlp}) {
    configs.push_back(direct_path_config(tying));
  }
  configs.back().output_bias = true;
  for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedLowRank}) {
    ModelConfig config = gpt2_config(tying);
    config.low_rank = tying == Tying::kTiedLowRank ? 2 : 0;
    config.norm = Norm::kRms;
    config.biases = Biases::kFeedForward;
    configs.push_back(config);
  }
  configs.back().positions = Positions::kRotary;
  configs.back().feed_forward = FeedForward::kSwiGlu;
  for (const ModelConfig& config : configs) {
    REQUIRE_FALSE(is_gpt2(config));
    const auto model = numbered_model(config);
    check_own_names(*model, test::read_strictly(written(config, model->parameters())));
  }
}

TEST_CASE("the file contains the model's configuration") {
  ModelConfig config = gpt2_config(Tying::kTiedLowRank);
  config.low_rank = 3;
  config.n_kv_heads = 1;
  config.norm_epsilon = 1.25e-6;
  config.positions = Positions::kRotary;
  config.rotary_base = 500000;
  config.feed_forward = FeedForward::kSwiGlu;
  config.d_feed_forward = 20;
  config.output_bias = true;
  config.scales_embedding = true;
  config.final_norm = false;
  const auto model = numbered_model(config);
  const Json json = JsonReader::read(test::read_strictly(written(config, model->parameters())).metadata.at("config"));
  CHECK(json.at("kind").text == "transformer");
  CHECK(json.at("vocabSize").number == 13);
  CHECK(json.at("dModel").number == 8);
  CHECK(json.at("tying").text == "tied-low-rank");
  CHECK(json.at("lowRank").number == 3);
  CHECK(json.at("embeddingScale").text == "sqrt-d-model");
  CHECK(json.at("outputBias").number == 1);
  CHECK(json.at("dFeedForward").number == 20);
  CHECK(json.at("nLayers").number == 2);
  CHECK(json.at("nHeads").number == 2);
  CHECK(json.at("nKeyValueHeads").number == 1);
  CHECK(json.at("contextLength").number == 6);
  CHECK(json.at("norm").text == "layer-norm");
  CHECK(json.at("normEpsilon").number == 1.25e-6);
  CHECK(json.at("positions").text == "rotary");
  CHECK(json.at("rotaryBase").number == 500000);
  CHECK(json.at("feedForward").text == "swiglu");
  CHECK(json.at("finalNorm").number == 0);
  CHECK(json.at("biases").text == "all");
  CHECK(json.fields.size() == 19);
}

TEST_CASE("an encoder-decoder is written with its own fields, and a shared table once, whatever its roles") {
  struct Case {
    Tying tying;
    EncoderTable encoder_table;
    Names stored;
    const char* encoder;
  };
  const Case cases[] = {
      {Tying::kUntied, EncoderTable::kOwn, {"embedding", "unembedding", "encoder.embedding"}, "own"},
      {Tying::kUntied, EncoderTable::kEmbedding, {"embedding", "unembedding"}, "embedding"},
      {Tying::kUntied, EncoderTable::kUnembedding, {"embedding", "unembedding"}, "unembedding"},
      {Tying::kTied, EncoderTable::kOwn, {"embedding", "encoder.embedding"}, "own"},
      {Tying::kTied, EncoderTable::kEmbedding, {"embedding"}, "embedding"},
  };
  for (const Case& tables : cases) {
    ModelConfig config = gpt2_config(tables.tying);
    config.kind = ModelKind::kEncoderDecoder;
    config.encoder_table = tables.encoder_table;
    config.source_length = 9;
    REQUIRE_FALSE(is_gpt2(config));
    const auto model = numbered_model(config);
    const Safetensors file = test::read_strictly(written(config, model->parameters()));
    check_own_names(*model, file);
    for (const char* name : {"embedding", "unembedding", "encoder.embedding"}) {
      CHECK(file.tensors.contains(name) == tables.stored.contains(name));
      CHECK(file.metadata.contains(name) != tables.stored.contains(name));
    }
    const Json json = JsonReader::read(file.metadata.at("config"));
    CHECK(json.at("kind").text == "encoder-decoder");
    CHECK(json.at("encoderTable").text == tables.encoder);
    CHECK(json.at("sourceLength").number == 9);
    CHECK(json.at("logitScale").text == "none");
  }
  // No other model has them.
  const ModelConfig config = gpt2_config(Tying::kTied);
  const auto model = numbered_model(config);
  const Json json = JsonReader::read(test::read_strictly(written(config, model->parameters())).metadata.at("config"));
  CHECK(json.fields.contains("contextLength"));
  for (const char* name : {"encoderTable", "nEncoderLayers", "sourceLength", "startToken", "endToken", "logitScale"}) {
    CHECK_FALSE(json.fields.contains(name));
  }
}

TEST_CASE("numbers of the configuration are restored exactly") {
  const auto round_trip = [](double epsilon) {
    ModelConfig config = gpt2_config(Tying::kTied);
    config.norm_epsilon = epsilon;
    const auto model = numbered_model(config);
    const Safetensors file = test::read_strictly(written(config, model->parameters()));
    return JsonReader::read(file.metadata.at("config")).at("normEpsilon").number;
  };
  for (const double epsilon : {1.0, 0.5, 0.1, 1e-5, 1e-6, 1e-8, 1e-12, 2.220446049250313e-16, 0.123456789012345, 0.7}) {
    CHECK(round_trip(epsilon) == epsilon);
  }
  CHECK(std::fabs(round_trip(1.0 / 3) - 1.0 / 3) <= 1e-16);
  CHECK(round_trip(1e-310) == 0);
}

TEST_CASE("a model whose tying changes is written in its current state") {
  ModelConfig config = direct_path_config(Tying::kTied);
  config.untie_at_step = 3;
  const auto model = numbered_model(config);
  const auto tying = [&] {
    const Safetensors file = test::read_strictly(written(config, model->parameters()));
    CHECK(file.metadata.contains("unembedding") != file.tensors.contains("unembedding"));
    check_own_names(*model, file);
    return JsonReader::read(file.metadata.at("config")).at("tying").text;
  };
  CHECK(tying() == "tied");
  model->parameters().set_joined(false);
  CHECK(tying() == "untied");
}

TEST_CASE("a model of GPT-2's architecture has the names and the layout of Hugging Face") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const ModelConfig config = gpt2_config(tying);
    REQUIRE(is_gpt2(config));
    const auto model = numbered_model(config);
    const Safetensors file = test::read_strictly(written(config, model->parameters()));
    Names expected{"transformer.wte.weight", "transformer.wpe.weight", "transformer.ln_f.weight",
                   "transformer.ln_f.bias"};
    for (const char* layer : {"transformer.h.0.", "transformer.h.1."}) {
      for (const char* part : {"ln_1", "attn.c_attn", "attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj"}) {
        expected.insert(std::string(layer) + part + ".weight");
        expected.insert(std::string(layer) + part + ".bias");
      }
    }
    if (tying == Tying::kUntied) expected.insert("lm_head.weight");
    Names found;
    for (const auto& [name, tensor] : file.tensors) found.insert(name);
    CHECK(found == expected);
    CHECK(file.metadata.contains("lm_head.weight") == (tying == Tying::kTied));
    if (tying == Tying::kTied) CHECK(file.metadata.at("lm_head.weight") == "transformer.wte.weight");

    const auto shape = [&](const char* name) { return file.tensors.at(name).shape; };
    using Shape = std::vector<std::uint64_t>;
    CHECK(shape("transformer.wte.weight") == Shape{13, 8});
    CHECK(shape("transformer.wpe.weight") == Shape{6, 8});
    CHECK(shape("transformer.h.1.attn.c_attn.weight") == Shape{8, 24});
    CHECK(shape("transformer.h.1.mlp.c_proj.weight") == Shape{32, 8});
    CHECK(shape("transformer.h.1.mlp.c_fc.bias") == Shape{32});
    const auto up = model->parameters().values(*model->parameters().table().find("layers.1.feed_forward.up.weight"));
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < 32; ++j) {
        REQUIRE(file.tensors.at("transformer.h.1.mlp.c_fc.weight").values[i * 32 + j] == up(j, i));
      }
    }
  }
}

TEST_CASE("a model that is not a GPT-2 has its own names") {
  const auto differs = [](auto change) {
    ModelConfig config = gpt2_config(Tying::kTied);
    change(config);
    return !is_gpt2(config);
  };
  CHECK_FALSE(differs([](ModelConfig&) {}));
  CHECK(differs([](ModelConfig& config) { config.norm = Norm::kRms; }));
  CHECK(differs([](ModelConfig& config) { config.biases = Biases::kFeedForward; }));
  CHECK(differs([](ModelConfig& config) { config.positions = Positions::kNone; }));
  CHECK(differs([](ModelConfig& config) { config.feed_forward = FeedForward::kSwiGlu; }));
  CHECK(differs([](ModelConfig& config) { config.final_norm = false; }));
  CHECK(differs([](ModelConfig& config) { config.n_kv_heads = 1; }));
  CHECK(differs([](ModelConfig& config) { config.scales_embedding = true; }));
  CHECK(differs([](ModelConfig& config) { config.output_bias = true; }));
  CHECK(differs([](ModelConfig& config) { config.tying = Tying::kTiedLinear; }));
  CHECK(differs([](ModelConfig& config) { config.kind = ModelKind::kDirectPath; }));
}

TEST_CASE("a file of safetensors is the same in parts of any size") {
  // GPT-2's layout has transposed matrices.
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const ModelConfig config = gpt2_config(tying);
    const auto model = numbered_model(config);
    const ParameterStore<float>& store = model->parameters();
    const Bytes whole = test::whole_file(SafetensorsFile(config, store), std::size_t{1} << 20);
    for (const std::size_t part : {1, 3, 8, 31, 100, 4096}) {
      CHECK(test::whole_file(SafetensorsFile(config, store), part) == whole);
    }
  }
}

}  // namespace
}  // namespace tied
