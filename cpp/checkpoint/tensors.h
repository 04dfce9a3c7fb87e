// Weight files: which tensors they contain, where, and which parameters these are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// A tensor as declared by a file, of F32 elements.
struct Tensor {
  std::string name;
  // As stored; a vector is one row, with `is_vector` set.
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool is_vector = false;
  // Bytes from the start of the values.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The part of a model in a tensor: rows [first_row, first_row + n_rows) of a parameter.
struct TensorPart {
  ParameterIndex parameter = kNoParameter;
  std::uint64_t first_row = 0;
  std::uint64_t n_rows = 0;
  bool is_transposed = false;  // stored [in, out]
};

// How a program names and stores the parameters of a model.
enum class Naming : std::uint8_t { kOwn, kGpt2, kLlama2c };

// All tensors of a model under a naming, without gaps, each with its part of the model. Only parameters that own their
// storage have one. Own names and GPT-2's follow the table; in a llama2.c file, each tensor comes for all layers before
// the next.
struct TensorDirectory {
  std::vector<Tensor> tensors;
  std::vector<TensorPart> parts;  // one per tensor
};
TensorDirectory tensor_directory(Naming naming, const ParameterTable& table, const ModelConfig& config);

// The name of a parameter that is a single tensor.
std::string tensor_name(Naming naming, std::string_view parameter);

// Reads or writes the values of one tensor, row by row; `in` must have all of them. T = float or double.
template <class T>
void read_tensor(ByteReader& in, ParameterStore<T>& store, const TensorPart& part);
void write_tensor(ByteWriter& out, const ParameterStore<float>& store, const TensorPart& part);

}  // namespace tied
