// An architecture as an array of whole numbers, and exact counts on their way back: web/core/architecture-options.ts
// and web/core/wholes.ts are the other ends. Choices are places in lists there, which follow the enumerations.
#pragma once

#include <cstdint>
#include <span>

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "bindings/transfer.h"

namespace tied::bindings {

// Of an array that `architectureNumbers` made.
Architecture architecture_at(Address address);

// `tying`: place in the list of web/core/architecture-options.ts.
inline TableTying table_tying(Address tying) { return static_cast<TableTying>(tying); }

// Leaves the counts in the answer as one part, eight bytes each. They fit: who made them has seen to that. This is the
// part for ids, of which an answer has one at most.
void answer_counts(std::span<const Whole> counts);

}  // namespace tied::bindings
