// core.wasm has the full head only: see model/create_head.cpp.
#include <memory>

#include "model/head.h"

namespace tied {

template <class T>
std::unique_ptr<Head<T>> create_head(HeadKind) {
  return std::make_unique<Head<T>>();
}

bool has_other_heads() { return false; }
std::uint64_t other_head_extent(const ModelConfig&, std::uint64_t) { return 0; }
std::uint64_t head_table_bytes(const ModelConfig&, std::uint64_t) { return 0; }

template std::unique_ptr<Head<float>> create_head(HeadKind);
template std::unique_ptr<Head<double>> create_head(HeadKind);

}  // namespace tied
