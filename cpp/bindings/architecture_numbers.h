// An architecture as an array of doubles (see given.h), in the order of fields_of(architecture), as
// web/core/accounting/architecture-options.ts writes it.
#pragma once

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "bindings/transfer.h"

namespace tied::bindings {

// Reads an array of `architectureNumbers`.
Architecture architecture_at(Address address);

// `tying`: number of a TableTying.
inline TableTying table_tying(Address tying) { return static_cast<TableTying>(tying); }

}  // namespace tied::bindings
