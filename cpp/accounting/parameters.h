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

namespace tied {

// All of them fit in 64 bits.
struct ParameterCount {
  std::vector<CountedTensor> tensors;
  Whole stored;                             // numbers that are kept: storage that two names share counts once
  Whole effective;                          // numbers that are used: it counts under each name
  Whole active;                             // used for one token: of experts those that the router takes; shared once
  std::array<Whole, kTensorGroups> groups;  // stored, by TensorGroup
  std::size_t tables = 0;                   // of tokens, that are kept
  std::optional<Whole> tied;                // what `stored` is with kTied; none where vocabularies differ
  Whole untied;                             // and with kUntied
};

// Both arguments are valid together: web/core has checked what comes from there, with words of its own for every field,
// and a second time would be payload.
// Errors: kInvalidArgument where a tensor, or all of them, are more numbers than can be counted.
Result<ParameterCount> count_parameters(const Architecture& architecture, TableTying tying);

}  // namespace tied
