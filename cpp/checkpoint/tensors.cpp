#include "checkpoint/tensors.h"

#include <type_traits>
#include <utility>

#include "checkpoint/element_type.h"

namespace tied {
namespace {

// Parts of attention.query_key_value, which other programs can store separately.
enum class RowsOf : std::uint8_t { kAll, kQueries, kKeys, kValues };

// A parameter whose name starts with `ours` is the tensor whose name starts with `theirs` and has the same ending. # is
// the number of a layer.
struct Name {
  std::string_view ours;
  std::string_view theirs;
  bool is_transposed = false;
  RowsOf rows = RowsOf::kAll;
};

constexpr Name kOwnNames[] = {{"", ""}};

// Hugging Face's GPT2LMHeadModel, whose linear maps inside layers are stored [in, out].
constexpr Name kGpt2Names[] = {
    {"embedding", "transformer.wte.weight"},
    {"unembedding", "lm_head.weight"},
    {"positions", "transformer.wpe.weight"},
    {"layers.#.attention_norm", "transformer.h.#.ln_1"},
    {"layers.#.attention.query_key_value", "transformer.h.#.attn.c_attn", true},
    {"layers.#.attention.output", "transformer.h.#.attn.c_proj", true},
    {"layers.#.feed_forward_norm", "transformer.h.#.ln_2"},
    {"layers.#.feed_forward.up", "transformer.h.#.mlp.c_fc", true},
    {"layers.#.feed_forward.down", "transformer.h.#.mlp.c_proj", true},
    {"final_norm", "transformer.ln_f"},
};

// The members of llama2.c's TransformerWeights, in the order of its files.
constexpr Name kLlama2cNames[] = {
    {"embedding", "token_embedding_table"},
    {"layers.#.attention_norm.weight", "rms_att_weight.#"},
    {"layers.#.attention.query_key_value.weight", "wq.#", false, RowsOf::kQueries},
    {"layers.#.attention.query_key_value.weight", "wk.#", false, RowsOf::kKeys},
    {"layers.#.attention.query_key_value.weight", "wv.#", false, RowsOf::kValues},
    {"layers.#.attention.output.weight", "wo.#"},
    {"layers.#.feed_forward_norm.weight", "rms_ffn_weight.#"},
    {"layers.#.feed_forward.gate.weight", "w1.#"},
    {"layers.#.feed_forward.down.weight", "w2.#"},
    {"layers.#.feed_forward.up.weight", "w3.#"},
    {"final_norm.weight", "rms_final_weight"},
    {"unembedding", "wcls"},
};

std::span<const Name> names_of(Naming naming) {
  if (naming == Naming::kGpt2) return kGpt2Names;
  if (naming == Naming::kLlama2c) return kLlama2cNames;
  return kOwnNames;
}

// The tensor name of a parameter; false if `name` does not match it.
bool translate(std::string& out, const Name& name, std::string_view parameter) {
  const std::size_t hash = name.ours.find('#');
  const std::string_view before = name.ours.substr(0, hash);
  if (!parameter.starts_with(before)) return false;
  parameter.remove_prefix(before.size());
  std::string_view layer;
  if (hash != std::string_view::npos) {
    layer = parameter.substr(0, parameter.find('.'));
    parameter.remove_prefix(layer.size());
    const std::string_view after = name.ours.substr(hash + 1);
    if (!parameter.starts_with(after)) return false;
    parameter.remove_prefix(after.size());
  }
  out.clear();
  for (const char c : name.theirs) {
    if (c == '#') {
      out += layer;
    } else {
      out += c;
    }
  }
  out += parameter;
  return true;
}

TensorPart part_of(const Name& name, const Parameter& parameter, ParameterIndex index, const ModelConfig& config) {
  const bool is_transposed = name.is_transposed && !parameter.is_vector;
  if (name.rows == RowsOf::kAll) return {index, 0, parameter.rows, is_transposed};
  // Only attention has parts: a direct path may have no heads to divide by.
  const std::uint64_t queries = config.d_model;
  const std::uint64_t keys = config.key_value_heads() * config.head_width();
  if (name.rows == RowsOf::kQueries) return {index, 0, queries, is_transposed};
  return {index, name.rows == RowsOf::kKeys ? queries : queries + keys, keys, is_transposed};
}

template <class Store>
auto values_of(Store& store, const TensorPart& part) {
  return store.values(part.parameter)
      .row_block(static_cast<std::size_t>(part.first_row), static_cast<std::size_t>(part.n_rows));
}

}  // namespace

std::string tensor_name(Naming naming, std::string_view parameter) {
  std::string translated;
  for (const Name& name : names_of(naming)) {
    if (translate(translated, name, parameter)) break;
  }
  return translated;
}

TensorDirectory tensor_directory(Naming naming, const ParameterTable& table, const ModelConfig& config) {
  const std::span<const Name> names = names_of(naming);
  const std::vector<Parameter>& parameters = table.list();
  const bool by_name = naming == Naming::kLlama2c;
  TensorDirectory directory;
  std::uint64_t place = 0;
  for (std::size_t k = 0; k < names.size() * parameters.size(); ++k) {
    const Name& name = names[by_name ? k / parameters.size() : k % names.size()];
    const ParameterIndex index = by_name ? k % parameters.size() : k / names.size();
    const Parameter& parameter = parameters[index];
    Tensor tensor;
    if (!parameter.owns_storage() || !translate(tensor.name, name, parameter.name)) continue;
    const TensorPart part = part_of(name, parameter, index, config);
    tensor.is_vector = parameter.is_vector;
    tensor.rows = part.is_transposed ? parameter.cols : part.n_rows;
    tensor.cols = part.is_transposed ? part.n_rows : parameter.cols;
    tensor.begin = place;
    place += tensor.rows * tensor.cols * block_of(ElementType::kF32).bytes;
    tensor.end = place;
    directory.tensors.push_back(std::move(tensor));
    directory.parts.push_back(part);
  }
  return directory;
}

template <class T>
void read_tensor(ByteReader& in, ParameterStore<T>& store, const TensorPart& part) {
  const MatrixView<T> values = values_of(store, part);
  const std::size_t size = values.rows * values.cols;
  if constexpr (std::is_same_v<T, float>) {
    if (!part.is_transposed) return in.read_all(values.data, size);
  }
  for (std::size_t i = 0; i < size; ++i) {
    T& value = part.is_transposed ? values(i % values.rows, i / values.rows) : values.data[i];
    value = static_cast<T>(in.read<float>());
  }
}

void write_tensor(ByteWriter& out, const ParameterStore<float>& store, const TensorPart& part) {
  const ConstMatrixView<float> values = values_of(store, part);
  if (!part.is_transposed) return out.write_all(values.data, values.rows * values.cols);
  for (std::size_t j = 0; j < values.cols; ++j) {
    if (out.skips(std::uint64_t{values.rows} * sizeof(float))) continue;
    for (std::size_t i = 0; i < values.rows; ++i) out.write(values(i, j));
  }
}

template void read_tensor(ByteReader&, ParameterStore<float>&, const TensorPart&);
template void read_tensor(ByteReader&, ParameterStore<double>&, const TensorPart&);

}  // namespace tied
