// An architecture as an array of doubles, and exact counts on their way back: web/core/architecture-options.ts and
// web/core/wholes.ts are the other ends. Choices are places in lists there, which follow the enumerations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "bindings/transfer.h"

namespace tied::bindings {

// Of an array that `architectureNumbers` made.
Architecture architecture_at(Address address);

// `tying`: place in the list of web/core/architecture-options.ts.
inline TableTying table_tying(Address tying) { return static_cast<TableTying>(tying); }

// Two words of 32 bits, lowest first. The count fits: who made it has seen to that.
void append_words(std::vector<std::uint32_t>& words, Whole count);

// Leaves the counts in the answer as one part, `append_words` of each. An answer has one such part at most.
void answer_counts(std::span<const Whole> counts);

}  // namespace tied::bindings
