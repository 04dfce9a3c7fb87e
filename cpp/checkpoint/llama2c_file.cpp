#include "checkpoint/llama2c_file.h"

#include <bit>
#include <string_view>

namespace tied {
namespace {

constexpr std::size_t kHeaderNumbers = 7;
constexpr std::uint64_t kNumberBytes = 4;
constexpr std::uint64_t kHeaderBytes = kHeaderNumbers * kNumberBytes;

std::uint32_t bits_at(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  const std::uint8_t* const at = bytes.data() + offset;
  return at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
}

Error bad_file(std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kBadFile, "file", value, expected);
}

// Lists the parts in the order of the file.
class PartList {
 public:
  explicit PartList(Llama2cFile& file) : file_(file) {}

  void add(std::string_view parameter, std::uint64_t first_row, std::uint64_t rows, std::uint64_t cols) {
    file_.parts.push_back({std::string(parameter), first_row, rows, cols, offset_});
    skip(rows * cols);
  }
  void add_for_layers(std::string_view parameter, std::uint64_t first_row, std::uint64_t rows, std::uint64_t cols) {
    for (std::uint64_t layer = 0; layer < file_.config.n_layers; ++layer) {
      std::string name = "layers.";
      name += text_of(layer);
      name += '.';
      name += parameter;
      name += ".weight";
      add(name, first_row, rows, cols);
    }
  }
  void skip(std::uint64_t numbers) { offset_ += numbers * kNumberBytes; }

  std::uint64_t offset_bytes() const { return offset_; }

 private:
  Llama2cFile& file_;
  std::uint64_t offset_ = kHeaderBytes;
};

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
  if (Status status = read_config(config, bytes); !status) return status.error();

  const std::uint64_t d_model = config.d_model;
  const std::uint64_t width = config.d_feed_forward;
  const std::uint64_t key_value_width = config.n_kv_heads * config.head_width();
  PartList list(file);
  list.add("embedding", 0, config.vocab_size, d_model);
  list.add_for_layers("attention_norm", 0, 1, d_model);
  constexpr std::string_view kQueryKeyValue = "attention.query_key_value";
  list.add_for_layers(kQueryKeyValue, 0, d_model, d_model);
  list.add_for_layers(kQueryKeyValue, d_model, key_value_width, d_model);
  list.add_for_layers(kQueryKeyValue, d_model + key_value_width, key_value_width, d_model);
  list.add_for_layers("attention.output", 0, d_model, d_model);
  list.add_for_layers("feed_forward_norm", 0, 1, d_model);
  list.add_for_layers("feed_forward.gate", 0, width, d_model);
  list.add_for_layers("feed_forward.down", 0, d_model, width);
  list.add_for_layers("feed_forward.up", 0, width, d_model);
  list.add("final_norm.weight", 0, 1, d_model);
  list.skip(config.context_length * config.head_width());
  if (config.tying == Tying::kUntied) list.add("unembedding", 0, config.vocab_size, d_model);

  if (list.offset_bytes() != bytes.size()) {
    return bad_file(text_of(bytes.size()) + " bytes long", text_of(list.offset_bytes()) + " bytes, as its sizes say");
  }
  for (const CheckpointPart& part : file.parts) {
    for (std::uint64_t i = 0; i < part.rows * part.cols; ++i) {
      const auto value = std::bit_cast<float>(bits_at(bytes, part.offset_bytes + i * kNumberBytes));
      if (value - value != 0) {
        return bad_file(text_of(static_cast<double>(value)) + " in " + part.parameter, "finite numbers");
      }
    }
  }
  return file;
}

template <class T>
void read_values(ParameterStore<T>& store, const Llama2cFile& file) {
  for (const CheckpointPart& part : file.parts) {
    const Parameter* const parameter = store.table().find(part.parameter);
    TIED_ASSERT(parameter != nullptr && parameter->cols == part.cols);
    TIED_ASSERT(part.first_row + part.rows <= parameter->rows);
    T* const values = store.values(*parameter).row(static_cast<std::size_t>(part.first_row));
    for (std::uint64_t i = 0; i < part.rows * part.cols; ++i) {
      values[i] = static_cast<T>(std::bit_cast<float>(bits_at(file.bytes, part.offset_bytes + i * kNumberBytes)));
    }
  }
}

template void read_values(ParameterStore<float>&, const Llama2cFile&);
template void read_values(ParameterStore<double>&, const Llama2cFile&);

}  // namespace tied
