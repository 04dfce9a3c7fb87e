#include "support.h"

#include <array>
#include <cstdio>

#include "../whole_file.h"
#include "checkpoint/safetensors_writer.h"

namespace tied::test::inline checkpoint_tests {

Bytes data_file(const std::string& name) {
  const std::string path = std::string(TIED_SOURCE_DIR) + "/../shared/data/" + name;
  Bytes bytes;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    std::array<std::uint8_t, 65536> block;
    std::size_t size = 0;
    while ((size = std::fread(block.data(), 1, block.size(), file)) > 0) {
      bytes.insert(bytes.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
    }
    std::fclose(file);
  } else {
    std::printf("not run: this test reads ../shared/data/%s, which does not exist\n", name.c_str());
  }
  return bytes;
}

std::uint32_t number_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{bytes[offset + i]} << (8 * i);
  return number;
}

void append_number(Bytes& bytes, std::uint32_t number) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i) & 0xFF));
}

Bytes written(const ModelConfig& config, const ParameterStore<float>& store) {
  return test::whole_file(SafetensorsFile(config, store));
}

ModelConfig gpt2_config(Tying tying) {
  return {.kind = ModelKind::kTransformer,
          .vocab_size = 13,
          .d_model = 8,
          .tying = tying,
          .n_layers = 2,
          .n_heads = 2,
          .context_length = 6,
          .norm = Norm::kLayer,
          .biases = Biases::kAll};
}

std::unique_ptr<Model<float>> numbered_model(const ModelConfig& config) {
  auto created = create_model<float>(config, 1, 16);
  REQUIRE(created.ok());
  std::uint32_t i = 0;
  for (float& value : created.value()->parameters().all_values()) {
    value = (static_cast<float>((i * i * 31 + i * 7919) % 4001) - 2000) / 4096;
    ++i;
  }
  return std::move(created).value();
}

}  // namespace tied::test::inline checkpoint_tests
