// A trainer's file.
#pragma once

#include <cstdint>

#include "base/file_parts.h"
#include "base/hash.h"
#include "training/trainer.h"
#include "training/trainer_file_parts.h"

namespace tied {

// The complete state: both configurations, weights, initial weights, optimizer state, step, data and attachment. A
// loaded trainer continues bit for bit. Writing it takes no memory.
template <class T>
class TrainerFile final : public FileParts {
 public:
  // `of_copy`: without numbers, for a copy that computes shards and gets its weights from elsewhere.
  explicit TrainerFile(const Trainer<T>& trainer, bool of_copy = false) : trainer_(trainer), of_copy_(of_copy) {}

 protected:
  void write(ByteWriter& out) override;

 private:
  void write_state(ByteWriter& out);

  const Trainer<T>& trainer_;
  bool of_copy_;
  WrittenRows written_rows_;
  std::uint64_t hash_ = fnv1a_64({});  // of all parts so far
};

}  // namespace tied
