// The one table of a model's parameters. It drives allocation, counting, the optimizer, files and what the page shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tied {

// What a matrix does: embeddings read tokens in, unembeddings write logits out, the rest works in between.
enum class ParameterRole : std::uint8_t { kInput, kOutput, kInner };

enum class InitialValue : std::uint8_t { kZero, kOne, kIdentity, kNormal };

struct Parameter {
  static constexpr std::size_t kOwnStorage = static_cast<std::size_t>(-1);

  std::string name;
  // A vector is one row, and `is_vector`.
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool is_vector = false;
  ParameterRole role = ParameterRole::kInner;
  // Whether weight decay applies: to matrices, not to biases.
  bool decays = true;
  // Of tokens or positions: decays only where TrainingConfig::decays_embeddings. The roles kInput and kOutput say so by
  // themselves; this is for tables of positions.
  bool embeds = false;
  InitialValue initial = InitialValue::kZero;
  double initial_std = 0;

  // Filled in by the table. The first two change where a parameter is joined or split.
  std::size_t tied_to = kOwnStorage;  // index of the parameter whose storage this one shares
  std::uint64_t offset = 0;           // of its values; tied parameters have the same
  std::uint64_t gradient_offset = 0;  // of its gradient; each name has its own, tied or not
  std::size_t partner = kOwnStorage;  // of one that may be joined and split: index of the other, see add_joinable
  std::uint64_t own_offset = 0;       // of its own room, whether in use or not

  std::uint64_t size() const { return rows * cols; }
  bool owns_storage() const { return tied_to == kOwnStorage; }
};

// The place of a parameter in its table's list.
using ParameterIndex = std::size_t;
inline constexpr ParameterIndex kNoParameter = static_cast<ParameterIndex>(-1);

// The parameters of a linear map or a norm; a model without it has neither.
struct WeightAndBias {
  ParameterIndex weight = kNoParameter;
  ParameterIndex bias = kNoParameter;

  bool exists() const { return weight != kNoParameter; }
};

// Values: one block for all parameters that own storage. Gradients: one block for all *names*, so that a tied matrix
// keeps the gradient of each of its roles apart until they are added (see ParameterStore::combine_gradients).
// The room of a parameter that is joined to another stands empty.
// Offsets are in numbers, multiples of 16 so that every parameter starts on a cache line; gaps stay zero.
class ParameterTable {
 public:
  // Names must be new. Each returns the place of what it has added.
  ParameterIndex add(Parameter parameter);
  // A vector, which does not decay.
  ParameterIndex add_vector(std::string name, std::uint64_t size, InitialValue initial = InitialValue::kZero);
  // `name` in another role, with the storage of `owner`, which must own its storage.
  ParameterIndex add_tied(std::string_view name, ParameterIndex owner, ParameterRole role);
  // A parameter that always has room of its own and now and then shares the storage of `owner` instead, which has the
  // same shape: `joined` says with which of the two it begins. Change it by set_joined.
  ParameterIndex add_joinable(Parameter parameter, ParameterIndex owner, bool joined);

  // The one that add_joinable added; null where there is none. Models have at most one.
  const Parameter* joinable() const;
  // Lets the joinable parameter share its owner's storage, or use its own. Moves no numbers: whoever calls sees to
  // them. Pointers to parameters stay valid; their offsets, owns_storage() and parameter_count() follow.
  void set_joined(bool joined);

  const std::vector<Parameter>& list() const { return list_; }
  // Null where there is none of this name.
  const Parameter* find(std::string_view name) const;
  // The first parameter of this role, null where there is none.
  const Parameter* of_role(ParameterRole role) const;

  // Numbers that the model has: storage that two names share counts once.
  std::uint64_t parameter_count() const;
  // Sizes of the two blocks, gaps included.
  std::uint64_t value_extent() const { return value_extent_; }
  std::uint64_t gradient_extent() const { return gradient_extent_; }

 private:
  std::vector<Parameter> list_;
  std::uint64_t value_extent_ = 0;
  std::uint64_t gradient_extent_ = 0;
};

}  // namespace tied
