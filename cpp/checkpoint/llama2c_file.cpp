#include "checkpoint/llama2c_file.h"

#include <bit>
#include <string_view>

#include "model/model.h"

namespace tied {
namespace {

constexpr std::size_t kHeaderNumbers = 7;
constexpr std::size_t kNumberBytes = 4;
constexpr std::size_t kHeaderBytes = kHeaderNumbers * kNumberBytes;

std::uint32_t bits_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  const std::uint8_t* const at = bytes.data() + offset;
  return at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
}

float float_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  return std::bit_cast<float>(bits_at(bytes, offset));
}

Status bad_file(std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kBadFile, "file", value, expected);
}

Status read_config(ModelConfig& config, std::span<const std::uint8_t> bytes) {
  std::uint64_t* const fields[kHeaderNumbers] = {&config.d_model,       &config.d_feed_forward, &config.n_layers,
                                                 &config.n_heads,       &config.n_kv_heads,     &config.vocab_size,
                                                 &config.context_length};
  static constexpr std::string_view kNames[kHeaderNumbers] = {"dim ",        "hidden_dim ", "n_layers ", "n_heads ",
                                                              "n_kv_heads ", "vocab_size ", "seq_len "};
  for (std::size_t i = 0; i < kHeaderNumbers; ++i) {
    std::int64_t number = std::bit_cast<std::int32_t>(bits_at(bytes, i * kNumberBytes));
    if (fields[i] == &config.vocab_size && number < 0) {
      config.tying = Tying::kUntied;
      number = -number;
    }
    if (number <= 0) return bad_file(std::string(kNames[i]) + text_of(static_cast<long long>(number)), "1 or more");
    *fields[i] = static_cast<std::uint64_t>(number);
  }
  if (Status status = validate(config); !status) {
    return bad_file(status.error().argument + " " + status.error().value, status.error().expected);
  }
  return {};
}

}  // namespace

Result<Llama2cFile> open_llama2c(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes) {
    return bad_file(text_of(bytes.size()) + " bytes long",
                    "a llama2.c model, which begins with seven sizes of 4 bytes");
  }
  Llama2cFile file;
  file.bytes = bytes;
  ModelConfig& config = file.config;
  config.kind = ModelKind::kTransformer;
  config.norm = Norm::kRms;
  config.positions = Positions::kRotary;
  config.feed_forward = FeedForward::kSwiGlu;
  config.biases = Biases::kNone;
  if (Status status = read_config(config, bytes); !status) return status;

  // A number for every parameter, and the two tables.
  const std::uint64_t numbers = parameter_table(config).parameter_count() + config.context_length * config.head_width();
  const std::uint64_t size = kHeaderBytes + kNumberBytes * numbers;
  if (size != bytes.size()) {
    return bad_file(text_of(bytes.size()) + " bytes long", text_of(size) + " bytes, as its sizes say");
  }
  for (std::size_t offset = kHeaderBytes; offset < bytes.size(); offset += kNumberBytes) {
    const float value = float_at(bytes, offset);
    if (value - value != 0) {
      return bad_file(text_of(static_cast<double>(value)) + " at byte " + text_of(offset), "finite numbers");
    }
  }
  return file;
}

template <class T>
void read_values(ParameterStore<T>& store, const Llama2cFile& file) {
  const ModelConfig& config = file.config;
  std::size_t offset = kHeaderBytes;
  // Rows from `first` on, all there are where no number is given.
  const auto read = [&](std::string_view name, std::uint64_t first, std::uint64_t n_rows) {
    const Parameter& parameter = *store.table().find(name);
    const MatrixView<T> rows = store.values(parameter).row_block(
        static_cast<std::size_t>(first), static_cast<std::size_t>(n_rows == 0 ? parameter.rows : n_rows));
    for (std::size_t i = 0; i < rows.rows * rows.cols; ++i, offset += kNumberBytes) {
      rows.data[i] = static_cast<T>(float_at(file.bytes, offset));
    }
  };
  const std::uint64_t query_width = config.d_model;
  const std::uint64_t key_width = config.n_kv_heads * config.head_width();
  const struct {
    std::string_view name;
    std::uint64_t first;
    std::uint64_t n_rows;
  } of_layers[] = {{"attention_norm", 0, 0},
                   {"attention.query_key_value", 0, query_width},
                   {"attention.query_key_value", query_width, key_width},
                   {"attention.query_key_value", query_width + key_width, key_width},
                   {"attention.output", 0, 0},
                   {"feed_forward_norm", 0, 0},
                   {"feed_forward.gate", 0, 0},
                   {"feed_forward.down", 0, 0},
                   {"feed_forward.up", 0, 0}};

  read("embedding", 0, 0);
  for (const auto& [name, first, n_rows] : of_layers) {
    for (std::uint64_t layer = 0; layer < config.n_layers; ++layer) {
      std::string full_name = "layers.";
      full_name += text_of(layer);
      full_name += '.';
      full_name += name;
      full_name += ".weight";
      read(full_name, first, n_rows);
    }
  }
  read("final_norm.weight", 0, 0);
  offset += kNumberBytes * static_cast<std::size_t>(config.context_length * config.head_width());
  if (config.tying == Tying::kUntied) read("unembedding", 0, 0);
  TIED_ASSERT(offset == file.bytes.size());
}

template void read_values(ParameterStore<float>&, const Llama2cFile&);
template void read_values(ParameterStore<double>&, const Llama2cFile&);

}  // namespace tied
