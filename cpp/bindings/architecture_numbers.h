// An architecture as an array of numbers. web/core/accounting/architecture-options.ts is the JavaScript side. The order
// is that of fields_of(architecture); choices are indices into their words.
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
