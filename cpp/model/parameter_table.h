// The one table of a model's parameters, which drives allocation, counting, the optimizer, files and the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/record.h"

namespace tied {

// The role of a matrix: input embedding (of the decoder, if there is an encoder), output embedding, everything in
// between, or a third role that a table of tokens can have, in which it also reads tokens: input embedding of an
// encoder, or value embedding.
enum class ParameterRole : std::uint8_t { kInput, kOutput, kEncoderInput, kValue, kInner };

inline bool is_third(ParameterRole role) {
  return role != ParameterRole::kInput && role != ParameterRole::kOutput && role != ParameterRole::kInner;
}
inline bool reads_tokens(ParameterRole role) { return role == ParameterRole::kInput || is_third(role); }

enum class InitialValue : std::uint8_t { kZero, kOne, kIdentity, kNormal };

struct Parameter {
  static constexpr std::size_t kOwnStorage = static_cast<std::size_t>(-1);

  std::string name;
  // A vector is one row, with `is_vector` set.
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool is_vector = false;
  ParameterRole role = ParameterRole::kInner;
  // Whether weight decay applies: to matrices, not to biases.
  bool decays = true;
  // Whether it is an embedding of positions, which decays only with TrainingConfig::decays_embeddings, as kInput and
  // kOutput do.
  bool embeds = false;
  // Whether a step changes only some of its rows (of a vector: some elements): gradients of the others are 0 and are
  // not looked at, and the optimizer leaves those rows and their state as they are.
  bool sparse = false;
  // Whether it is the factor [r, d] of a factorized table: it has the role of its table, but no row per token.
  bool is_factor = false;
  // Of a linear map in a layer: the rows at which its parts end, maps that are stored as one, such as those to queries,
  // keys and values; then zeros. Only zeros for all other parameters.
  std::uint64_t part_ends[3] = {};
  InitialValue initial = InitialValue::kZero;
  double initial_std = 0;

  // Filled in by the table. The first two change with the tying.
  std::size_t tied_to = kOwnStorage;  // index of the parameter whose storage this one shares
  std::uint64_t offset = 0;           // of its values; tied parameters have the same offset
  std::uint64_t gradient_offset = 0;  // of its gradient; each name has its own, tied or not
  std::size_t partner = kOwnStorage;  // if its tying can change: index of the other, see add_joinable
  std::uint64_t own_offset = 0;       // of its own storage, in use or not
  bool marks_rows = false;            // whether ParameterStore has a bit for each unit: if sparse, or if tokens read it
  std::uint64_t touched_offset = 0;   // if so: of its bits, in words

  std::uint64_t size() const { return rows * cols; }
  // Number of units of a parameter that marks rows: rows, or the elements of a vector.
  std::uint64_t units() const { return is_vector ? cols : rows; }
  std::uint64_t unit_size() const { return is_vector ? 1 : cols; }
  bool is_layer_map() const { return part_ends[0] != 0; }
  bool owns_storage() const { return tied_to == kOwnStorage; }
  std::optional<std::size_t> owner() const { return owns_storage() ? std::nullopt : std::optional(tied_to); }

  using Answered =
      Record<&Parameter::name, &Parameter::rows, &Parameter::cols, &Parameter::is_vector, &Parameter::owner>;
};

// Index of a parameter in its table's list.
using ParameterIndex = std::size_t;
inline constexpr ParameterIndex kNoParameter = static_cast<ParameterIndex>(-1);

// The parameters of a linear map or a norm; kNoParameter if the model does not have them.
struct WeightAndBias {
  ParameterIndex weight = kNoParameter;
  ParameterIndex bias = kNoParameter;

  bool exists() const { return weight != kNoParameter; }
};

// Values: one buffer for all parameters that own storage. Gradients: one buffer for all *names*, so that the gradients
// of a tied matrix stay split by role until they are added (see ParameterStore::combine_gradients). The storage of a
// parameter that currently shares another's is unused.
// Offsets are in elements, multiples of 16 so that every parameter starts on a cache line; gaps are zero.
class ParameterTable {
 public:
  // Adds a parameter with a new name and returns its index.
  ParameterIndex add(Parameter parameter);
  // A vector, which does not decay.
  ParameterIndex add_vector(std::string name, std::uint64_t size, InitialValue initial = InitialValue::kZero,
                            bool sparse = false);
  // `name` in another role, with the storage of `owner`, which must own its storage.
  ParameterIndex add_tied(std::string_view name, ParameterIndex owner, ParameterRole role);
  // A parameter that always has its own storage, but can share that of `owner` instead, which has the same shape.
  // `joined`: whether it starts shared. set_joined changes it.
  ParameterIndex add_joinable(Parameter parameter, ParameterIndex owner, bool joined);

  // The parameter that add_joinable added, null if there is none. Models have at most one.
  const Parameter* joinable() const;
  // Makes the joinable parameter share its owner's storage, or use its own. Moves no values; that is up to the caller.
  // Pointers to parameters stay valid; their offsets, owns_storage() and parameter_count() change.
  void set_joined(bool joined);

  const std::vector<Parameter>& list() const { return list_; }
  // Null if there is no such name.
  const Parameter* find(std::string_view name) const;
  // The first parameter with this role, null if there is none.
  const Parameter* of_role(ParameterRole role) const;
  // The parameter with a third role, null if there is none. Models have at most one.
  const Parameter* third() const;

  // Number of parameters: storage with two names counts once.
  std::uint64_t parameter_count() const;
  // Sizes of the two buffers, including gaps.
  std::uint64_t value_extent() const { return value_extent_; }
  std::uint64_t gradient_extent() const { return gradient_extent_; }
  // Number of 64-bit words that hold one bit per row of each name that marks rows; 0 if there is none.
  std::uint64_t touched_extent() const { return touched_extent_; }

 private:
  void take_touched(Parameter& parameter);

  std::vector<Parameter> list_;
  std::uint64_t value_extent_ = 0;
  std::uint64_t gradient_extent_ = 0;
  std::uint64_t touched_extent_ = 0;
};

}  // namespace tied
