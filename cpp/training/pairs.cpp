#include "training/pairs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/allocate.h"
#include "base/token_ids.h"
#include "training/batches.h"

namespace tied {
namespace {

constexpr auto kInvalid = ErrorCode::kInvalidArgument;

std::string element_name(std::string_view name, const char* list, std::size_t i) {
  return std::string(name) + "." + list + "[" + text_of(i) + "]";
}

Status copy(Sequences& to, const GivenSequences& from) {
  if (from.sizes.empty()) return {};
  if (Status status = allocate(to.starts, std::uint64_t{from.sizes.size()} + 1); !status) return status;
  for (std::size_t i = 0; i < from.sizes.size(); ++i) to.starts[i + 1] = to.starts[i] + from.sizes[i];
  TIED_ASSERT(to.starts[from.sizes.size()] == from.ids.size());
  if (Status status = allocate(to.ids, from.ids.size()); !status) return status;
  std::copy(from.ids.begin(), from.ids.end(), to.ids.begin());
  return {};
}

Status check_sequence(const std::string& name, std::span<const std::uint32_t> ids, std::uint64_t most,
                      const char* of_model, std::uint64_t vocab_size) {
  if (ids.empty()) return make_error(kInvalid, name + ".length", 0, "at least one token");
  if (ids.size() > most) {
    return make_error(kInvalid, name + ".length", ids.size(), of_model + text_of(most));
  }
  return check_token_ids(name, ids, vocab_size);
}

}  // namespace

Status check_pairs(std::string_view name, const Pairs& pairs, const ModelConfig& model) {
  if (pairs.targets.size() != pairs.size()) {
    return make_error(ErrorCode::kShapeMismatch, std::string(name) + ".target.length", pairs.targets.size(),
                      "as many targets as sources, " + text_of(pairs.size()));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (Status status = check_sequence(element_name(name, "source", i), pairs.sources[i], model.source_length,
                                       "at most the source_length of the model, ", model.vocab_size);
        !status) {
      return status;
    }
    const std::string target = element_name(name, "target", i);
    if (Status status = check_sequence(target, pairs.targets[i], model.context_length - 1,
                                       "at most the context_length of the model minus 1, ", model.vocab_size);
        !status) {
      return status;
    }
    for (const std::uint32_t id : pairs.targets[i]) {
      if (id != model.start_token && id != model.end_token) continue;
      return make_error(kInvalid, target, id, "tokens other than the model's start and end token");
    }
  }
  return {};
}

Result<Pairs> pairs_from(std::string_view name, const GivenSequences& sources, const GivenSequences& targets,
                         const ModelConfig& model) {
  Pairs pairs;
  if (Status status = copy(pairs.sources, sources); !status) return status;
  if (Status status = copy(pairs.targets, targets); !status) return status;
  if (Status status = check_pairs(name, pairs, model); !status) return status;
  return pairs;
}

// ---------------------------------------------------------------- batches

std::uint64_t PairBatcher::extent(std::uint64_t size, const ModelConfig& model) {
  return size * (model.source_length + 2 * model.context_length) + 2 * (size + 1);
}

Status PairBatcher::allocate(std::size_t size, const ModelConfig& model) {
  const std::uint64_t count = size;
  for (auto [buffer, length] :
       {std::pair{&sources_, count * model.source_length}, std::pair{&inputs_, count * model.context_length},
        std::pair{&targets_, count * model.context_length}, std::pair{&source_starts_, count + 1},
        std::pair{&target_starts_, count + 1}}) {
    if (Status status = tied::allocate(*buffer, length); !status) return status;
  }
  start_token_ = static_cast<std::uint32_t>(model.start_token);
  end_token_ = static_cast<std::uint32_t>(model.end_token);
  return {};
}

void PairBatcher::add(const Pairs& pairs, std::size_t i) {
  TIED_ASSERT(size_ < capacity());
  const std::span<const std::uint32_t> source = pairs.sources[i];
  const std::span<const std::uint32_t> target = pairs.targets[i];
  const std::uint32_t first_source = source_starts_[size_];
  const std::uint32_t first_target = target_starts_[size_];
  std::copy(source.begin(), source.end(), sources_.begin() + first_source);
  inputs_[first_target] = start_token_;
  std::copy(target.begin(), target.end(), inputs_.begin() + first_target + 1);
  std::copy(target.begin(), target.end(), targets_.begin() + first_target);
  targets_[first_target + target.size()] = end_token_;
  ++size_;
  source_starts_[size_] = first_source + static_cast<std::uint32_t>(source.size());
  target_starts_[size_] = first_target + static_cast<std::uint32_t>(target.size()) + 1;
}

PairBatch PairBatcher::batch() const {
  PairBatch batch;
  batch.size = size_;
  batch.sources = sources_.data();
  batch.source_starts = source_starts_.data();
  batch.inputs = inputs_.data();
  batch.targets = targets_.data();
  batch.target_starts = target_starts_.data();
  return batch;
}

PairBatch PairBatcher::draw(const Pairs& pairs, std::uint64_t seed, std::uint64_t steps_done, std::uint64_t part) {
  clear();
  StepDraws draws(seed, steps_done, part * capacity());
  for (std::size_t i = 0; i < capacity(); ++i) add(pairs, draws.below(static_cast<std::uint32_t>(pairs.size())));
  return batch();
}

}  // namespace tied
