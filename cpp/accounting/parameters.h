// How many parameters a model has, where they are, and how many there are with other ways of tying.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "accounting/architecture.h"
#include "accounting/tensors.h"
#include "accounting/whole.h"
#include "base/error.h"
#include "base/record.h"

namespace tied {

// All counts fit in 64 bits.
struct ParameterCount {
  std::vector<CountedTensor> tensors;
  Whole stored;                             // parameters in memory: storage with two names counts once
  Whole effective;                          // parameters in use: shared storage counts under each name
  Whole active;                             // of `stored`, used by one token: of experts only the selected ones
  std::array<Whole, kTensorGroups> groups;  // of `stored`, by TensorGroup
  std::size_t tables = 0;                   // number of token tables in memory, without additional ones
  std::optional<Whole> tied;                // `stored` with kTied; absent if the vocabularies differ
  Whole untied;                             // `stored` with kUntied

  using Answered =
      Record<&ParameterCount::tensors, &ParameterCount::stored, &ParameterCount::effective, &ParameterCount::active,
             &ParameterCount::groups, &ParameterCount::tables, &ParameterCount::tied, &ParameterCount::untied>;
};

// Both arguments must be valid together; web/core has validated its own, with messages that name the field.
// Errors: kInvalidArgument if a tensor, or all of them, have more than 2^64 - 2 parameters.
Result<ParameterCount> count_parameters(const Architecture& architecture, TableTying tying);

}  // namespace tied
