// Counts of parameters.

#include <emscripten/bind.h>

#include "accounting/parameters.h"
#include "bindings/architecture_numbers.h"

namespace tied::bindings {
namespace {

bool parameters(Address architecture, Address tying) {
  const Architecture given = architecture_at(architecture);
  if (!done(validate(given, table_tying(tying)))) return false;
  return answered(count_parameters(given, table_tying(tying)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_accounting) { emscripten::function("countParameters", &parameters); }

}  // namespace tied::bindings
