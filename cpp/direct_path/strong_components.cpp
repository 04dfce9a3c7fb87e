#include "direct_path/strong_components.h"

#include <algorithm>

#include "base/allocate.h"

namespace tied {

Status StrongComponents::start(std::size_t tokens) {
  for (auto* buffer : {&components_, &order_, &earliest_, &columns_, &path_, &open_}) {
    if (Status status = allocate(*buffer, tokens); !status) return status;
  }
  return {};
}

Status StrongComponents::advance(const Joint& joint, std::size_t entries) {
  const std::size_t tokens = joint.size();
  if (order_.size() == 0) {
    if (Status status = start(tokens); !status) return status;
  }
  while (entries > 0 && !finished_) {
    if (path_size_ == 0) {
      while (root_ < tokens && order_[root_] != 0) ++root_;
      finished_ = root_ == tokens;
      if (!finished_) enter(static_cast<std::uint32_t>(root_));
      continue;
    }
    const std::uint32_t token = path_[path_size_ - 1];
    std::uint32_t& column = columns_[token];
    bool deeper = false;
    while (column < tokens && entries > 0 && !deeper) {
      const std::uint32_t next = column++;
      --entries;
      if (!(joint(token, next) > 0)) continue;
      if (order_[next] == 0) {
        enter(next);
        deeper = true;
      } else if (components_[next] == 0) {
        earliest_[token] = std::min(earliest_[token], order_[next]);
      }
    }
    if (!deeper && column == tokens) leave(token);
  }
  return {};
}

void StrongComponents::enter(std::uint32_t token) {
  order_[token] = earliest_[token] = ++entered_;
  path_[path_size_++] = token;
  open_[open_size_++] = token;
}

// All of the token's row has been read.
void StrongComponents::leave(std::uint32_t token) {
  --path_size_;
  if (path_size_ > 0) {
    std::uint32_t& before = earliest_[path_[path_size_ - 1]];
    before = std::min(before, earliest_[token]);
  }
  if (earliest_[token] != order_[token]) return;
  ++found_;
  std::size_t size = 0;
  for (std::uint32_t member = token + 1; member != token; ++size) {
    member = open_[--open_size_];
    components_[member] = found_;
  }
  largest_ = std::max(largest_, size);
}

}  // namespace tied
