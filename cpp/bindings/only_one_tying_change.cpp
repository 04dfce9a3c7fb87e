// In core.wasm the tying changes at most once: see model/further_changes.cpp.
#include "model/config.h"

namespace tied {

bool has_further_changes() { return false; }

// Nothing in that module sets further changes.
Status check_further_changes(const ModelConfig&) { return {}; }

}  // namespace tied
