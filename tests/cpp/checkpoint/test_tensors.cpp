#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "checkpoint/tensors.h"
#include "model/model.h"

using namespace tied;

namespace {

ModelConfig transformer(Tying tying) {
  ModelConfig config;
  config.kind = ModelKind::kTransformer;
  config.vocab_size = 11;
  config.d_model = 8;
  config.d_feed_forward = 12;
  config.n_layers = 2;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.context_length = 5;
  config.tying = tying;
  return config;
}

ModelConfig llama(Tying tying) {
  ModelConfig config = transformer(tying);
  config.positions = Positions::kRotary;
  config.feed_forward = FeedForward::kSwiGlu;
  config.biases = Biases::kNone;
  return config;
}

ModelConfig gpt2(Tying tying) {
  ModelConfig config = transformer(tying);
  config.n_kv_heads = 0;
  config.norm = Norm::kLayer;
  config.biases = Biases::kAll;
  return config;
}

std::vector<std::string> names(const TensorDirectory& directory) {
  std::vector<std::string> found;
  for (const Tensor& tensor : directory.tensors) found.push_back(tensor.name);
  return found;
}

struct Case {
  Naming naming;
  ModelConfig config;
};

std::vector<Case> cases() {
  std::vector<Case> made;
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    made.push_back({Naming::kOwn, transformer(tying)});
    made.push_back({Naming::kOwn, gpt2(tying)});
    made.push_back({Naming::kGpt2, gpt2(tying)});
    made.push_back({Naming::kLlama2c, llama(tying)});
  }
  return made;
}

}  // namespace

TEST_CASE("the tensors of a directory contain each element of the model once, without gaps") {
  for (const auto& [naming, config] : cases()) {
    const ParameterTable table = parameter_table(config);
    const TensorDirectory directory = tensor_directory(naming, table, config);
    REQUIRE(directory.parts.size() == directory.tensors.size());
    std::vector<std::vector<int>> held;
    for (const Parameter& parameter : table.list()) held.emplace_back(parameter.owns_storage() ? parameter.rows : 0);
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < directory.parts.size(); ++i) {
      const Tensor& tensor = directory.tensors[i];
      const TensorPart& part = directory.parts[i];
      CHECK(tensor.begin == place);
      CHECK(tensor.end - tensor.begin == 4 * tensor.rows * tensor.cols);
      CHECK(tensor.rows * tensor.cols == part.n_rows * table.list()[part.parameter].cols);
      place = tensor.end;
      for (std::uint64_t row = 0; row < part.n_rows; ++row)
        ++held[part.parameter][static_cast<std::size_t>(part.first_row + row)];
    }
    CHECK(place == 4 * table.parameter_count());
    for (const std::vector<int>& rows : held) {
      for (const int count : rows) CHECK(count == 1);
    }
  }
}

TEST_CASE("tensors are read back as written, transposed, sliced or unchanged") {
  for (const auto& [naming, config] : cases()) {
    const auto model = create_model<float>(config, 3, 1);
    REQUIRE(model.ok());
    const ParameterStore<float>& written = model.value()->parameters();
    const TensorDirectory directory = tensor_directory(naming, written.table(), config);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(directory.tensors.back().end));
    ByteWriter out(bytes);
    for (const TensorPart& part : directory.parts) write_tensor(out, written, part);
    REQUIRE(out.size() == bytes.size());

    ParameterStore<float> as_float;
    ParameterStore<double> as_double;
    REQUIRE(as_float.allocate(parameter_table(config)).ok());
    REQUIRE(as_double.allocate(parameter_table(config)).ok());
    ByteReader in(bytes);
    ByteReader again(bytes);
    for (const TensorPart& part : directory.parts) {
      read_tensor(in, as_float, part);
      read_tensor(again, as_double, part);
    }
    const AlignedBuffer<float>& values = written.all_values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      REQUIRE(as_float.all_values()[i] == values[i]);
      REQUIRE(as_double.all_values()[i] == static_cast<double>(values[i]));
    }
  }
}

TEST_CASE("GPT-2 stores the maps of its layers transposed") {
  const ModelConfig config = gpt2(Tying::kTied);
  const TensorDirectory directory = tensor_directory(Naming::kGpt2, parameter_table(config), config);
  for (const Tensor& tensor : directory.tensors) {
    CAPTURE(tensor.name);
    if (tensor.name == "transformer.h.1.mlp.c_fc.weight") {
      CHECK(tensor.rows == 8);
      CHECK(tensor.cols == 12);
    }
    if (tensor.name == "transformer.h.1.mlp.c_fc.bias") CHECK(tensor.cols == 12);
    if (tensor.name == "transformer.wpe.weight") CHECK(tensor.rows == 5);
  }
  CHECK(tensor_name(Naming::kGpt2, "layers.1.feed_forward.up.weight") == "transformer.h.1.mlp.c_fc.weight");
  CHECK(tensor_name(Naming::kGpt2, "unembedding") == "lm_head.weight");
  CHECK(tensor_name(Naming::kOwn, "unembedding") == "unembedding");
}

TEST_CASE("a llama2.c file has each tensor for all layers before the next, with separate queries, keys and values") {
  const ModelConfig config = llama(Tying::kUntied);
  const auto directory = tensor_directory(Naming::kLlama2c, parameter_table(config), config);
  CHECK(names(directory) == std::vector<std::string>{"token_embedding_table",
                                                     "rms_att_weight.0",
                                                     "rms_att_weight.1",
                                                     "wq.0",
                                                     "wq.1",
                                                     "wk.0",
                                                     "wk.1",
                                                     "wv.0",
                                                     "wv.1",
                                                     "wo.0",
                                                     "wo.1",
                                                     "rms_ffn_weight.0",
                                                     "rms_ffn_weight.1",
                                                     "w1.0",
                                                     "w1.1",
                                                     "w2.0",
                                                     "w2.1",
                                                     "w3.0",
                                                     "w3.1",
                                                     "rms_final_weight",
                                                     "wcls"});
}

TEST_CASE("a direct path without heads has a directory") {
  ModelConfig config = transformer(Tying::kUntied);
  config.kind = ModelKind::kDirectPath;
  config.n_heads = 0;
  config.n_kv_heads = 0;
  const auto directory = tensor_directory(Naming::kOwn, parameter_table(config), config);
  CHECK(names(directory) == std::vector<std::string>{"embedding", "unembedding"});
}
