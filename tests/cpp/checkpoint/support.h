// Shared by the tests of checkpoint.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/llama2c_file.h"
#include "model/model.h"

namespace tied::test::inline checkpoint_tests {

using Bytes = std::vector<std::uint8_t>;

// Reads a file of ../shared/data next to the project; empty, after a message, if there is none.
Bytes data_file(const std::string& name);

std::uint32_t number_at(std::span<const std::uint8_t> bytes, std::size_t offset);
void append_number(Bytes& bytes, std::uint32_t number);

inline std::string text_of_bytes(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// A model with the values of a valid file.
template <class T>
std::unique_ptr<Model<T>> model_of(const Llama2cFile& file) {
  auto created = create_model<T>(file.config, 1, 64);
  REQUIRE(created.ok());
  read_values(created.value()->parameters(), file);
  return std::move(created).value();
}

template <class T>
Matrix<T> logits_of(Model<T>& model, const std::vector<std::uint32_t>& ids) {
  auto logits = Matrix<T>::create(ids.size(), static_cast<std::size_t>(model.config().vocab_size));
  REQUIRE(logits.ok());
  model.logits(logits.value().view(), ids.data(), ids.size());
  return std::move(logits).value();
}

// The safetensors file of a model.
Bytes written(const ModelConfig& config, const ParameterStore<float>& store);

// A small GPT-2.
ModelConfig gpt2_config(Tying tying);

// A model with values of both signs up to 0.5, all parts distinct.
std::unique_ptr<Model<float>> numbered_model(const ModelConfig& config);

}  // namespace tied::test::inline checkpoint_tests
