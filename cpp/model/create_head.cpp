// All heads. A program can define these functions itself, as core.wasm does (bindings/core_models.cpp): the linker
// takes this file from the library only if they are missing, so the program then contains no code for other heads.
#include <new>

#include "base/allocate.h"
#include "model/culled_head.h"
#include "model/sampled_head.h"
#include "model/two_level_head.h"

namespace tied {

template <class T>
std::unique_ptr<Head<T>> create_head(HeadKind kind) {
  switch (kind) {
    case HeadKind::kSampled:
      return std::make_unique<SampledHead<T>>();
    case HeadKind::kAdaptive:
    case HeadKind::kClustered:
      return std::make_unique<TwoLevelHead<T>>();
    case HeadKind::kCulled:
      return std::make_unique<CulledHead<T>>();
    case HeadKind::kFull:
      break;
  }
  return std::make_unique<Head<T>>();
}

bool has_head(HeadKind) { return true; }

std::uint64_t other_head_extent(const ModelConfig& config, std::uint64_t tile_rows) {
  switch (config.head) {
    case HeadKind::kSampled:
      return sampled_head_extent(config, tile_rows);
    case HeadKind::kAdaptive:
    case HeadKind::kClustered:
      return two_level_head_extent(config, tile_rows);
    case HeadKind::kCulled:
      return culled_head_extent(config, tile_rows);
    case HeadKind::kFull:
      break;
  }
  return 0;
}

std::uint64_t head_table_bytes(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t tile_rows = head_tile_rows(config, max_rows);
  switch (config.head) {
    case HeadKind::kSampled:
      return sampled_head_bytes(config, tile_rows);
    case HeadKind::kAdaptive:
    case HeadKind::kClustered:
      return two_level_head_bytes(config, max_rows, tile_rows);
    case HeadKind::kCulled:
      return culled_head_bytes(config, tile_rows);
    case HeadKind::kFull:
      break;
  }
  return 0;
}

template std::unique_ptr<Head<float>> create_head(HeadKind);
template std::unique_ptr<Head<double>> create_head(HeadKind);

}  // namespace tied
