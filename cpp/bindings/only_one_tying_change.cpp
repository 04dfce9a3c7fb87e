// In core.wasm the tying changes once at most: see model/further_changes.cpp.
#include "model/config.h"

namespace tied {

bool has_further_changes() { return false; }

// Nothing in that module sets any.
Status check_further_changes(const ModelConfig&) { return {}; }

}  // namespace tied
