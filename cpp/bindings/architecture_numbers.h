// An architecture as an array of numbers, and exact counts in the answer. web/core/accounting/architecture-options.ts
// and web/core/runtime/integers.ts are the JavaScript side. The order is that of fields_of(architecture); choices are
// indices into their words.
#pragma once

#include <cstdint>
#include <span>

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "bindings/transfer.h"

namespace tied::bindings {

// Reads an array of `architectureNumbers`.
Architecture architecture_at(Address address);

// `tying`: index into the list of web/core/accounting/architecture-options.ts.
inline TableTying table_tying(Address tying) { return static_cast<TableTying>(tying); }

// Puts the counts into the answer as one part of eight bytes each. They must fit. This uses the part for ids, of which
// an answer has at most one.
void answer_counts(std::span<const Whole> counts);

}  // namespace tied::bindings
