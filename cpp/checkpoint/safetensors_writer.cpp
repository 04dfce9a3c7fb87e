#include "checkpoint/safetensors_writer.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tied {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kHeaderAlignment = 8;
constexpr std::uint64_t kNumberBytes = 4;

void append_quoted(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      json += "\\u00";
      json += "0123456789abcdef"[c >> 4];
      json += "0123456789abcdef"[c & 15];
      continue;
    }
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  json += '"';
}

// Exactly, for numbers of up to 15 digits: with a quotient of two whole numbers below 2^53 and 10^23, which are exact,
// every reader of decimal numbers comes to the same double. Else to within a unit in the last place. value >= 0,
// finite.
void append_number(std::string& json, double value) {
  constexpr double kLargestExact = 0x1p53;
  constexpr int kMostPlaces = 300;
  double digits = value;
  double power = 1;
  int places = 0;
  for (;; ++places, power *= 10) {
    digits = std::floor(value * power + 0.5);
    if (digits / power == value || value * power * 10 >= kLargestExact || places == kMostPlaces) break;
  }
  json += text_of(static_cast<unsigned long long>(digits));
  if (places > 0) json += "e-" + text_of(places);
}

// An object that grows at its end, with objects in it.
class Json {
 public:
  void name(std::string_view name) {
    if (text_.back() != '{') text_ += ',';
    append_quoted(text_, name);
    text_ += ':';
  }
  void text(std::string_view field, std::string_view value) {
    name(field);
    append_quoted(text_, value);
  }
  void whole(std::string_view field, std::uint64_t value) {
    name(field);
    text_ += text_of(value);
  }
  void number(std::string_view field, double value) {
    name(field);
    append_number(text_, value);
  }
  void flag(std::string_view field, bool value) {
    name(field);
    text_ += value ? "true" : "false";
  }
  // [first, second], or [second] alone.
  void list(std::string_view field, std::uint64_t first, std::uint64_t second, bool has_first) {
    name(field);
    text_ += '[';
    if (has_first) {
      text_ += text_of(first);
      text_ += ',';
    }
    text_ += text_of(second);
    text_ += ']';
  }
  void open(std::string_view field) {
    name(field);
    text_ += '{';
  }
  void close() { text_ += '}'; }

  std::string& written() { return text_; }

 private:
  std::string text_ = "{";
};

// Fields that do not apply stay absent, as web/core wants them.
bool applies(const Field& field, const ModelConfig& config) {
  const bool is_transformer = config.kind == ModelKind::kTransformer;
  switch (field.offset) {
    case offsetof(ModelConfig, low_rank):
      return config.tying == Tying::kTiedLowRank;
    case offsetof(ModelConfig, d_feed_forward):
      return is_transformer || config.tying == Tying::kTiedMlp;
    case offsetof(ModelConfig, rotary_base):
      return is_transformer && config.positions == Positions::kRotary;
    default:
      return is_transformer || field.offset < offsetof(ModelConfig, n_layers);
  }
}

void write_config(Json& json, const ModelConfig& config) {
  for_each_field(config, [&](const Field& field, const auto& value) {
    if (field.json_name == nullptr || !applies(field, config)) return;
    if (field.words != nullptr) {
      json.text(field.json_name, field.words[static_cast<std::size_t>(value)]);
    } else if (field.kind == FieldKind::kReal) {
      json.number(field.json_name, static_cast<double>(value));
    } else if (field.kind == FieldKind::kFlag) {
      json.flag(field.json_name, value != 0);
    } else {
      json.whole(field.json_name, static_cast<std::uint64_t>(value));
    }
  });
  json.close();
}

std::string gpt2_name(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"embedding", "wte.weight"},
      {"positions", "wpe.weight"},
      {"attention_norm", "ln_1"},
      {"attention.query_key_value", "attn.c_attn"},
      {"attention.output", "attn.c_proj"},
      {"feed_forward_norm", "ln_2"},
      {"feed_forward.up", "mlp.c_fc"},
      {"feed_forward.down", "mlp.c_proj"},
      {"final_norm", "ln_f"},
  };
  constexpr std::string_view kLayers = "layers.";
  std::string result = "transformer.";
  if (name.starts_with(kLayers)) {
    name.remove_prefix(kLayers.size());
    const std::size_t end = name.find('.') + 1;
    result += "h.";
    result += name.substr(0, end);
    name.remove_prefix(end);
  }
  for (const auto& [ours, theirs] : kNames) {
    if (!name.starts_with(ours)) continue;
    result += theirs;
    result += name.substr(ours.size());
    return result;
  }
  return "lm_head.weight";
}

class Writer {
 public:
  Writer(const ModelConfig& config, const ParameterStore<float>& store)
      : config_(config), store_(store), is_gpt2_(tied::is_gpt2(config)) {}

  Result<AlignedBuffer<std::uint8_t>> write() const {
    std::uint64_t data_bytes = 0;
    const std::string header = header_json(data_bytes);
    const std::uint64_t size = kLengthBytes + header.size() + data_bytes;
    constexpr std::uint64_t kMost = static_cast<std::size_t>(-1);
    auto file = AlignedBuffer<std::uint8_t>::create(static_cast<std::size_t>(size < kMost ? size : kMost));
    if (!file) return no_memory_for_file(size);
    std::uint8_t* out = file.value().data();
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
      *out++ = static_cast<std::uint8_t>(std::uint64_t{header.size()} >> (8 * i) & 0xFF);
    }
    for (const char c : header) *out++ = static_cast<std::uint8_t>(c);
    for (const Parameter& parameter : store_.table().list()) {
      if (parameter.owns_storage()) out = write_values(out, parameter);
    }
    return file;
  }

 private:
  std::string name_of(const Parameter& parameter) const {
    return is_gpt2_ ? gpt2_name(parameter.name) : parameter.name;
  }
  // GPT-2's linear maps are stored [in, out].
  bool is_transposed(const Parameter& parameter) const {
    return is_gpt2_ && !parameter.is_vector && parameter.name.starts_with("layers.");
  }

  std::string header_json(std::uint64_t& data_bytes) const {
    const std::vector<Parameter>& parameters = store_.table().list();
    ModelConfig now = config_.resolved();
    if (const Parameter* joinable = store_.table().joinable(); joinable != nullptr) {
      now.tying = joinable->owns_storage() ? Tying::kUntied : Tying::kTied;
    }
    Json config;
    write_config(config, now);
    Json header;
    header.open("__metadata__");
    header.text("format", "pt");
    header.text("config", config.written());
    for (const Parameter& parameter : parameters) {
      if (!parameter.owns_storage()) header.text(name_of(parameter), name_of(parameters[parameter.tied_to]));
    }
    header.close();
    for (const Parameter& parameter : parameters) {
      if (!parameter.owns_storage()) continue;
      const bool transposed = is_transposed(parameter);
      const std::uint64_t begin = data_bytes;
      data_bytes += parameter.size() * kNumberBytes;
      header.open(name_of(parameter));
      header.text("dtype", "F32");
      header.list("shape", transposed ? parameter.cols : parameter.rows, transposed ? parameter.rows : parameter.cols,
                  !parameter.is_vector);
      header.list("data_offsets", begin, data_bytes, true);
      header.close();
    }
    header.close();
    std::string& json = header.written();
    while (json.size() % kHeaderAlignment != 0) json += ' ';
    return std::move(json);
  }

  std::uint8_t* write_values(std::uint8_t* out, const Parameter& parameter) const {
    const ConstMatrixView<float> values = store_.values(parameter);
    const bool transposed = is_transposed(parameter);
    const std::size_t rows = transposed ? values.cols : values.rows;
    const std::size_t cols = transposed ? values.rows : values.cols;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        const auto bits = std::bit_cast<std::uint32_t>(transposed ? values(j, i) : values(i, j));
        for (int byte = 0; byte < 4; ++byte) *out++ = static_cast<std::uint8_t>(bits >> (8 * byte) & 0xFF);
      }
    }
    return out;
  }

  const ModelConfig& config_;
  const ParameterStore<float>& store_;
  bool is_gpt2_;
};

}  // namespace

bool is_gpt2(const ModelConfig& config) {
  return config.kind == ModelKind::kTransformer && config.norm == Norm::kLayer && config.biases == Biases::kAll &&
         config.positions == Positions::kLearned && config.feed_forward == FeedForward::kGelu && config.final_norm &&
         config.key_value_heads() == config.n_heads && !config.scales_embedding && !config.output_bias &&
         (config.tying == Tying::kTied || config.tying == Tying::kUntied);
}

Result<AlignedBuffer<std::uint8_t>> write_safetensors(const ModelConfig& config, const ParameterStore<float>& store) {
  return Writer(config, store).write();
}

}  // namespace tied
