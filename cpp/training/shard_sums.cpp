// A sum in bytes, in the numbers of the machine (little-endian): a SumHeader; the bits of touched rows; the numbers,
// packed as in ParameterStore::packed.
#include "training/shard_sums.h"

#include <algorithm>
#include <cstring>

#include "base/allocate.h"

namespace tied {
namespace {

// "tiedgrad", and the size of a number.
template <class T>
constexpr std::uint64_t kSumMagic = 0x6461726764656974 + sizeof(T);

struct SumHeader {
  std::uint64_t magic = 0;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  ShardState state;
  double loss = 0;
  double position_square = 0;
  std::uint64_t bytes = 0;
};
constexpr std::size_t kHeaderWords = sizeof(SumHeader) / sizeof(std::uint64_t);
static_assert(sizeof(SumHeader) == kAlignmentBytes);

bool is_node(ShardNode sought, ShardNode in) {
  while (!(sought == in)) {
    if (in.is_leaf()) return false;
    in = sought.first < in.middle() ? in.left() : in.right();
  }
  return true;
}

bool is_within(ShardNode part, ShardNode node) { return node.first <= part.first && part.end <= node.end; }

// Bytes of the sum of gradients in these rows.
template <class T>
std::uint64_t bytes_of(const ParameterStore<T>& parameters, const std::uint64_t* touched) {
  return sizeof(SumHeader) + parameters.touched_rows().size_bytes() + parameters.packed(touched, nullptr) * sizeof(T);
}

// Whether no bit is set beyond the rows of a table.
bool are_rows(const ParameterTable& table, const std::uint64_t* touched) {
  for (const Parameter& parameter : table.list()) {
    const std::uint64_t last = parameter.units() % 64;
    if (!parameter.marks_rows || last == 0) continue;
    if (touched[static_cast<std::size_t>(parameter.touched_offset + parameter.units() / 64)] >> last != 0) return false;
  }
  return true;
}

}  // namespace

template <class T>
std::uint64_t ShardSums<T>::extent(const ParameterTable& table, std::uint64_t shards, std::uint64_t number_bytes) {
  const std::uint64_t words = kHeaderWords + table.touched_extent();
  return shard_levels(shards) * (words * sizeof(std::uint64_t) + table.gradient_extent() * number_bytes);
}

template <class T>
Status ShardSums<T>::allocate(const ParameterTable& table, std::uint64_t shards) {
  const std::uint64_t words = extent(table, 2, sizeof(T)) / sizeof(std::uint64_t);
  for (std::size_t i = 0; i < shard_levels(shards); ++i) {
    if (Status status = tied::allocate(kept_[i].words, words, Initially::kUnset); !status) return status;
  }
  return {};
}

template <class T>
const typename ShardSums<T>::Kept* ShardSums<T>::find(ShardNode node) const {
  for (const Kept& kept : kept_) {
    if (kept.node == node && node.end != 0) return &kept;
  }
  return nullptr;
}

// The sums that a node consists of, in the order of the tree.
template <class T>
typename ShardSums<T>::Facts ShardSums<T>::collect(ShardNode node, const ParameterStore<T>& parameters,
                                                   TreeSum<T>& sum) const {
  if (const Kept* const kept = find(node)) {
    SumHeader header;
    std::memcpy(&header, kept->words.data(), sizeof(SumHeader));
    const std::uint64_t* const touched = kept->words.data() + kHeaderWords;
    sum.add(touched, reinterpret_cast<const T*>(touched + parameters.touched_rows().size()));
    return {header.loss, header.position_square};
  }
  if (node == in_place_.node && is_in_place(parameters)) {
    sum.add(parameters.touched_rows().data(), nullptr);
    return {in_place_.loss, parameters.position_square()};
  }
  const Facts left = collect(node.left(), parameters, sum);
  const Facts right = collect(node.right(), parameters, sum);
  sum.add_sum();
  return {left.loss + right.loss, left.position_square + right.position_square};
}

template <class T>
double ShardSums<T>::read(ShardNode node, bool adds, ParameterStore<T>& parameters) const {
  const bool is_there = is_in_place(parameters) && is_within(in_place_.node, node);
  if (!adds && !is_there) parameters.zero_gradients();
  TreeSum<T> sum;
  if (adds) sum.add(parameters.touched_rows().data(), nullptr);
  Facts facts = collect(node, parameters, sum);
  if (adds) {
    sum.add_sum();
    facts.position_square += parameters.position_square();
  }
  sum.write_to(parameters);
  parameters.note_gradients(facts.position_square);
  return facts.loss;
}

namespace {

// Of the sum in `parameters`.
template <class T>
SumHeader header_of(ShardNode node, double loss, const ParameterStore<T>& parameters, const ShardState& state,
                    std::uint64_t bytes) {
  return {kSumMagic<T>,
          static_cast<std::uint32_t>(node.first),
          static_cast<std::uint32_t>(node.end),
          state,
          loss,
          parameters.position_square(),
          bytes};
}

}  // namespace

template <class T>
void ShardSums<T>::write(Kept& kept, ShardNode node, double loss, const ParameterStore<T>& parameters,
                         const ShardState& state) {
  const std::span<const std::uint64_t> rows = parameters.touched_rows();
  std::uint64_t* const touched = kept.words.data() + kHeaderWords;
  const SumHeader header = header_of(node, loss, parameters, state, kept.bytes);
  std::memcpy(kept.words.data(), &header, sizeof(SumHeader));
  std::copy(rows.begin(), rows.end(), touched);
  parameters.packed(touched, reinterpret_cast<T*>(touched + rows.size()));
  kept.node = node;
}

template <class T>
void ShardSums<T>::hold(std::size_t level, ShardNode node, double loss, ParameterStore<T>& parameters) {
  write(kept_[level], node, loss, parameters, {});
}

// ---------------------------------------------------------------- messages

template <class T>
Status ShardSums<T>::check(ShardNode node, std::uint64_t shards, bool may_contain,
                           const ParameterStore<T>& parameters) const {
  bool fits = node.first < node.end && node.end <= shards && is_node(node, {0, shards});
  const auto compare = [&](ShardNode other) {
    const bool apart = node.first >= other.end || other.first >= node.end;
    fits = fits && (apart || (may_contain && is_within(other, node)));
  };
  for (const Kept& kept : kept_) compare(kept.node);
  if (is_in_place(parameters)) compare(in_place_.node);
  if (fits) return {};
  return make_error(ErrorCode::kInvalidArgument, "shards", text_of(node.first) + " to " + text_of(node.end),
                    "a node of the tree of sums, none of it there yet");
}

// A free place with memory for so many bytes. Those of sparse gradients vary from step to step.
template <class T>
Status ShardSums<T>::make_room(Kept*& place, std::uint64_t bytes) {
  place =
      std::find_if(std::end(kept_) - kMaxShards, std::end(kept_), [](const Kept& kept) { return kept.node.end == 0; });
  const std::uint64_t words = (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
  place->bytes = static_cast<std::size_t>(bytes);
  return words <= place->words.size() ? Status() : tied::allocate(place->words, words, Initially::kUnset);
}

template <class T>
std::uint8_t* ShardSums<T>::room(std::uint64_t bytes) {
  Kept* place = nullptr;
  return make_room(place, bytes).ok() ? reinterpret_cast<std::uint8_t*>(place->words.data()) : nullptr;
}

template <class T>
void ShardSums<T>::leave(ShardNode node, double loss, const ParameterStore<T>& parameters) {
  for (Kept& kept : kept_) {
    if (is_within(kept.node, node)) kept.node = {};
  }
  in_place_ = {node, loss, parameters.gradient_changes()};
}

template <class T>
void ShardSums<T>::make_way(ShardNode node, ParameterStore<T>& parameters, const ShardState& state) {
  if (!is_in_place(parameters) || (is_within(in_place_.node, node) && has_all(node, parameters))) return;
  const std::span<const std::uint64_t> rows = parameters.touched_rows();
  Kept* place = nullptr;
  if (make_room(place, bytes_of(parameters, rows.data()))) {
    write(*place, in_place_.node, in_place_.loss, parameters, state);
  }
  in_place_ = {};
}

template <class T>
Status ShardSums<T>::take(ShardNode node, std::span<const std::uint8_t> message, ParameterStore<T>& parameters,
                          const ShardState& state) {
  SumHeader header;
  const char* wrong = "damaged";
  if (message.size() >= sizeof(SumHeader) + parameters.touched_rows().size_bytes()) {
    std::memcpy(&header, message.data(), sizeof(SumHeader));
    const bool whole = header.magic == kSumMagic<T> && header.bytes == message.size();
    if (whole && (header.first != node.first || header.end != node.end)) {
      wrong = "of other shards";
    } else if (whole && !(header.state == state)) {
      wrong = "of another state";
    } else if (whole) {
      Kept* place = nullptr;
      if (Status status = make_room(place, message.size()); !status) return status;
      // Unless it was received there.
      if (reinterpret_cast<const std::uint8_t*>(place->words.data()) != message.data()) {
        std::memcpy(place->words.data(), message.data(), message.size());
      }
      const std::uint64_t* const touched = place->words.data() + kHeaderWords;
      if (are_rows(parameters.table(), touched) && bytes_of(parameters, touched) == message.size()) {
        place->node = node;
        return {};
      }
    }
  }
  return make_error(ErrorCode::kBadFile, "message", wrong, "what computeShards wrote for these shards");
}

template <class T>
Result<ShardMessage> ShardSums<T>::message(ShardNode node, const ParameterStore<T>& parameters,
                                           const ShardState& state) {
  if (const Kept* const kept = find(node)) {
    return ShardMessage{{reinterpret_cast<const std::uint8_t*>(kept->words.data()), kept->bytes}, {}};
  }
  const std::span<const std::uint64_t> rows = parameters.touched_rows();
  if (head_.size() == 0) {
    if (Status status = tied::allocate(head_, kHeaderWords + rows.size(), Initially::kUnset); !status) return status;
  }
  const SumHeader header = header_of(node, in_place_.loss, parameters, state, bytes_of(parameters, rows.data()));
  std::memcpy(head_.data(), &header, sizeof(SumHeader));
  std::copy(rows.begin(), rows.end(), head_.data() + kHeaderWords);
  return ShardMessage{{reinterpret_cast<const std::uint8_t*>(head_.data()), head_.size_bytes()},
                      parameters.packed_runs(rows.data())};
}

template <class T>
void ShardSums<T>::clear() {
  for (Kept& kept : kept_) kept.node = {};
  in_place_ = {};
}

template class ShardSums<float>;
template class ShardSums<double>;

}  // namespace tied
