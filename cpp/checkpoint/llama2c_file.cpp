#include "checkpoint/llama2c_file.h"

#include <algorithm>
#include <string_view>

#include "checkpoint/tensors.h"
#include "linalg/reduce.h"
#include "model/model.h"

namespace tied {
namespace {

constexpr std::size_t kHeaderNumbers = 7;
constexpr std::size_t kNumberBytes = 4;
constexpr std::size_t kHeaderBytes = kHeaderNumbers * kNumberBytes;

Status bad_file(std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kBadFile, "file", value, expected);
}

Status read_config(ModelConfig& config, ByteReader& in) {
  std::uint64_t* const fields[kHeaderNumbers] = {&config.d_model,       &config.d_feed_forward, &config.n_layers,
                                                 &config.n_heads,       &config.n_kv_heads,     &config.vocab_size,
                                                 &config.context_length};
  static constexpr std::string_view kNames[kHeaderNumbers] = {"dim ",        "hidden_dim ", "n_layers ", "n_heads ",
                                                              "n_kv_heads ", "vocab_size ", "seq_len "};
  for (std::size_t i = 0; i < kHeaderNumbers; ++i) {
    std::int64_t number = in.read<std::int32_t>();
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

// Two unused tables of rotary positions come before the output matrix.
std::uint64_t rotary_table_bytes(const ModelConfig& config) {
  return config.context_length * config.head_width() * kNumberBytes;
}

TensorDirectory directory_of(const ParameterTable& table, const ModelConfig& config) {
  TensorDirectory directory = tensor_directory(Naming::kLlama2c, table, config);
  if (config.tying == Tying::kUntied) {
    directory.tensors.back().begin += rotary_table_bytes(config);
    directory.tensors.back().end += rotary_table_bytes(config);
  }
  return directory;
}

// Errors: kBadFile naming the first element that is not finite.
Status check_finite(ByteReader in) {
  constexpr std::size_t kBlock = 512;
  float block[kBlock];
  while (in.remaining() != 0) {
    const std::size_t begin = in.position();
    const std::size_t size = std::min(kBlock, in.remaining() / kNumberBytes);
    in.read_all(block, size);
    const std::size_t i = first_not_finite(block, size);
    if (i == size) continue;
    return bad_file(text_of(static_cast<double>(block[i])) + " at byte " + text_of(begin + i * kNumberBytes),
                    "finite numbers");
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
  ByteReader in(bytes);
  if (Status status = read_config(config, in); !status) return status;

  const std::uint64_t size =
      kHeaderBytes + kNumberBytes * parameter_table(config).parameter_count() + rotary_table_bytes(config);
  if (size != bytes.size()) {
    return bad_file(text_of(bytes.size()) + " bytes long", text_of(size) + " bytes, as its sizes say");
  }
  if (Status status = check_finite(in); !status) return status;
  return file;
}

template <class T>
void read_values(ParameterStore<T>& store, const Llama2cFile& file) {
  const TensorDirectory directory = directory_of(store.table(), file.config);
  const std::span<const std::uint8_t> values = file.bytes.subspan(kHeaderBytes);
  for (std::size_t i = 0; i < directory.parts.size(); ++i) {
    const auto begin = static_cast<std::size_t>(directory.tensors[i].begin);
    const auto end = static_cast<std::size_t>(directory.tensors[i].end);
    ByteReader in(values.subspan(begin, end - begin));
    read_tensor(in, store, directory.parts[i]);
  }
}

template void read_values(ParameterStore<float>&, const Llama2cFile&);
template void read_values(ParameterStore<double>&, const Llama2cFile&);

}  // namespace tied
