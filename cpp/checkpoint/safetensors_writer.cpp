#include "checkpoint/safetensors_writer.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tied {
namespace {

constexpr std::size_t kHeaderAlignment = 8;

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

// Exact for numbers of up to 15 digits: as a quotient of two integers below 2^53 and 10^23, which are exact, every
// decimal reader gives the same double. Otherwise to within a unit in the last place, below
// 1e-284 with fewer digits. value >= 0, finite.
void append_number(std::string& json, double value) {
  constexpr double kLargestExact = 0x1p53;
  constexpr int kMaxPlaces = 300;
  double digits = value;
  double power = 1;
  int places = 0;
  for (;; ++places, power *= 10) {
    digits = std::floor(value * power + 0.5);
    if (digits / power == value || value * power * 10 >= kLargestExact || places == kMaxPlaces) break;
  }
  json += text_of(static_cast<unsigned long long>(digits));
  if (places > 0) json += "e-" + text_of(places);
}

// Appends the fields of a JSON object, with nested objects.
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
  void wholes(std::string_view field, std::span<const std::uint64_t> values) {
    name(field);
    text_ += '[';
    for (const std::uint64_t value : values) {
      if (text_.back() != '[') text_ += ',';
      text_ += text_of(value);
    }
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

// The name of a field in its object, such as `samples` of `head.samples`. Ends the object before it, and begins its
// own.
std::string_view member_of(Json& json, std::string& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view own = dot == path.npos ? "" : path.substr(0, dot);
  if (own != object) {
    if (!object.empty()) json.close();
    if (!own.empty()) json.open(own);
    object = own;
  }
  return path.substr(dot + 1);  // of the whole path without a dot, because npos + 1 is 0
}

// Fields that do not apply, or say nothing, are omitted, as in completed options of web/core.
void write_config(Json& json, const ModelConfig& config) {
  std::string object;
  for_each_field(config, [&](const Field& field, const auto& value) {
    if (!field.in_json || !applies(field, config)) return;
    if (value == 0 && field.presence >= Presence::kOmitted) return;
    const std::string path = path_of(field);
    const std::string_view name = member_of(json, object, path);
    if (!field.words.empty()) {
      json.text(name, field.words[static_cast<std::size_t>(value)]);
    } else if (field.kind == FieldKind::kReal) {
      json.number(name, static_cast<double>(value));
    } else if (field.kind == FieldKind::kFlag) {
      json.flag(name, value != 0);
    } else if (name.starts_with("cutoffs")) {
      if (name.ends_with('0')) json.wholes("cutoffs", {config.head_cutoffs, config.tails()});
    } else {
      json.whole(name, static_cast<std::uint64_t>(value));
    }
  });
  if (!object.empty()) json.close();
  json.close();
}

std::string header_json(const TensorDirectory& directory, Naming naming, const ModelConfig& config,
                        const ParameterTable& table) {
  ModelConfig now = config.resolved();
  if (const Parameter* joinable = table.joinable(); joinable != nullptr) {
    now.tying = joinable->owns_storage() ? Tying::kUntied : Tying::kTied;
  }
  Json model;
  write_config(model, now);
  Json header;
  header.open("__metadata__");
  header.text("format", "pt");
  header.text("config", model.written());
  for (const Parameter& parameter : table.list()) {
    if (parameter.owns_storage()) continue;
    header.text(tensor_name(naming, parameter.name), tensor_name(naming, table.list()[parameter.tied_to].name));
  }
  header.close();
  for (const Tensor& tensor : directory.tensors) {
    header.open(tensor.name);
    header.text("dtype", "F32");
    header.list("shape", tensor.rows, tensor.cols, !tensor.is_vector);
    header.list("data_offsets", tensor.begin, tensor.end, true);
    header.close();
  }
  header.close();
  std::string& json = header.written();
  while (json.size() % kHeaderAlignment != 0) json += ' ';
  return std::move(json);
}

}  // namespace

// Compares everything that a file stores, so a model with an option that GPT-2 does not have is not one.
bool is_gpt2(const ModelConfig& config) {
  if (config.tying != Tying::kTied && config.tying != Tying::kUntied) return false;
  ModelConfig gpt2{.kind = ModelKind::kTransformer,
                   .vocab_size = config.vocab_size,
                   .d_model = config.d_model,
                   .tying = config.tying,
                   .d_feed_forward = config.d_feed_forward,
                   .n_layers = config.n_layers,
                   .n_heads = config.n_heads,
                   .context_length = config.context_length,
                   .norm = Norm::kLayer,
                   .norm_epsilon = config.norm_epsilon,
                   .biases = Biases::kAll};
  if (config.head == HeadKind::kSampled) {
    // It differs from the full one in training only.
    gpt2.head = config.head;
    gpt2.head_samples = config.head_samples;
    gpt2.proposal = config.proposal;
  }
  gpt2 = gpt2.resolved();
  const ModelConfig stored = config.resolved();
  const auto at = [](const ModelConfig& of, const Field& field) {
    return reinterpret_cast<const std::uint8_t*>(&of) + field.offset;
  };
  for (const Field& field : fields_of(stored)) {
    if (!field.in_json || !applies(field, stored)) continue;
    const bool is_byte = field.kind == FieldKind::kChoice || field.kind == FieldKind::kFlag;
    if (std::memcmp(at(stored, field), at(gpt2, field), is_byte ? 1 : 8) != 0) return false;
  }
  return true;
}

SafetensorsFile::SafetensorsFile(const ModelConfig& config, const ParameterStore<float>& store) : store_(store) {
  const Naming naming = is_gpt2(config) ? Naming::kGpt2 : Naming::kOwn;
  directory_ = tensor_directory(naming, store.table(), config);
  header_ = header_json(directory_, naming, config, store.table());
}

void SafetensorsFile::write(ByteWriter& out) {
  out.write(std::uint64_t{header_.size()});
  out.write_text(header_);
  for (std::size_t i = 0; i < directory_.parts.size(); ++i) {
    const Tensor& tensor = directory_.tensors[i];
    if (!out.skips(tensor.end - tensor.begin)) write_tensor(out, store_, directory_.parts[i]);
  }
}

}  // namespace tied
