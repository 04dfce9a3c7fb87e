// A message, in the numbers of the machine (little-endian): a Header; a bit per row of each sparse name (see
// Gradients); of each name in the order of the table, the numbers of the rows whose bit is set, and of a name that is
// not sparse all.
#include "training/shard_messages.h"

#include <cstring>
#include <string>
#include <utility>

namespace tied {
namespace {

// "tiedgrad"
constexpr std::uint64_t kMagic = 0x6461726764656974;

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t number_bytes = 0;
  ShardState state;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  double loss = 0;
  double position_square = 0;
};
static_assert(sizeof(Header) == kAlignmentBytes);

Header header_of(const std::uint8_t* message) {
  Header header;
  std::memcpy(&header, message, sizeof(Header));
  return header;
}

std::size_t bits_bytes(const ParameterTable& table) {
  return static_cast<std::size_t>(table.touched_extent()) * sizeof(std::uint64_t);
}

// `message`: on a cache line, of at least a header and the bits.
template <class T>
PackedGradients<T> packed_in(const std::uint8_t* message, const ParameterTable& table) {
  const std::uint8_t* const bits = message + sizeof(Header);
  return {reinterpret_cast<const std::uint64_t*>(bits), reinterpret_cast<const T*>(bits + bits_bytes(table)),
          header_of(message).position_square};
}

std::string text_of_range(std::uint64_t first, std::uint64_t end) { return text_of(first) + " to " + text_of(end); }

Status bad_message(std::string_view found, std::string_view expected) {
  return make_error(ErrorCode::kBadFile, "message", found, expected);
}

bool is_node(ShardNode sought, ShardNode in) {
  while (sought != in) {
    if (in.is_leaf()) return false;
    in = sought.first < in.middle() ? in.left() : in.right();
  }
  return true;
}

}  // namespace

template <class T>
Status ShardMessages<T>::check(ShardNode node, std::uint64_t shards) const {
  const auto refused = [&](const std::string& expected) {
    return make_error(ErrorCode::kInvalidArgument, "shards", text_of_range(node.first, node.end), expected);
  };
  if (node.first >= node.end || node.end > shards || !is_node(node, {0, shards})) {
    return refused("a node of the tree of " + text_of(shards) + " shards");
  }
  for (const Kept& kept : kept_) {
    if (node.first < kept.node.end && kept.node.first < node.end) {
      return refused("no shards that are there, as " + text_of_range(kept.node.first, kept.node.end) + " are");
    }
  }
  return {};
}

// A free place with memory for so many bytes. Sizes of sparse gradients vary from step to step.
template <class T>
Result<typename ShardMessages<T>::Kept*> ShardMessages<T>::free_with(std::size_t size) {
  Kept* found = nullptr;
  for (Kept& kept : kept_) {
    if (kept.node.end != 0) continue;
    if (found == nullptr || kept.bytes.size() > found->bytes.size()) found = &kept;
  }
  if (found == nullptr) found = &kept_.emplace_back();
  if (found->bytes.size() < size) {
    found->bytes = {};
    auto made = AlignedBuffer<std::uint8_t>::create(size + size / 8, Initially::kUnset);
    if (!made) return made.failure();
    found->bytes = std::move(made).value();
  }
  found->size = size;
  return found;
}

template <class T>
Result<std::span<const std::uint8_t>> ShardMessages<T>::keep(ShardNode node, double loss,
                                                             const ParameterStore<T>& parameters,
                                                             const ShardState& state) {
  const Gradients<T>& gradients = parameters.gradients();
  const std::size_t bits = bits_bytes(parameters.table());
  const std::size_t numbers =
      static_cast<std::size_t>(packed_size(parameters.table(), gradients.touched.data())) * sizeof(T);
  auto made = free_with(sizeof(Header) + bits + numbers);
  if (!made) return made.failure();
  Kept& kept = *made.value();
  const Header header{kMagic,
                      sizeof(T),
                      state,
                      static_cast<std::uint32_t>(node.first),
                      static_cast<std::uint32_t>(node.end),
                      loss,
                      gradients.position_square};
  std::memcpy(kept.bytes.data(), &header, sizeof(Header));
  if (bits != 0) std::memcpy(kept.bytes.data() + sizeof(Header), gradients.touched.data(), bits);
  parameters.pack_gradients(reinterpret_cast<T*>(kept.bytes.data() + sizeof(Header) + bits));
  kept.node = node;
  return message(node);
}

template <class T>
Status ShardMessages<T>::take(ShardNode node, std::span<const std::uint8_t> message, const ParameterTable& table,
                              const ShardState& state) {
  const std::size_t bits = bits_bytes(table);
  if (message.size() < sizeof(Header) + bits) {
    return bad_message(text_of(message.size()) + " bytes", "what compute_shards returned");
  }
  const Header header = header_of(message.data());
  if (header.magic != kMagic || header.number_bytes != sizeof(T)) {
    return bad_message("something else", "what compute_shards returned");
  }
  if (header.first != node.first || header.end != node.end) {
    return bad_message("shards " + text_of_range(header.first, header.end), text_of_range(node.first, node.end));
  }
  if (header.state.shards != state.shards || header.state.steps_done != state.steps_done) {
    return bad_message(
        "of step " + text_of(header.state.steps_done) + " with " + text_of(header.state.shards) + " shards",
        "step " + text_of(state.steps_done) + " with " + text_of(state.shards));
  }
  if (header.state.hash != state.hash) {
    return bad_message("of another state", "one of a trainer with the same weights and options");
  }
  auto made = free_with(message.size());
  if (!made) return made.failure();
  Kept& kept = *made.value();
  std::memcpy(kept.bytes.data(), message.data(), message.size());
  const auto* const touched = reinterpret_cast<const std::uint64_t*>(kept.bytes.data() + sizeof(Header));
  if (!are_rows(table, touched)) return bad_message("rows that the tables do not have", "what compute_shards returned");
  const std::uint64_t size = sizeof(Header) + bits + packed_size(table, touched) * sizeof(T);
  if (size != message.size()) {
    return bad_message(text_of(message.size()) + " bytes", text_of(size) + " bytes for its rows");
  }
  kept.node = node;
  return {};
}

template <class T>
bool ShardMessages<T>::find(ShardNode node, const ParameterTable& table, Sum& sum) const {
  const std::uint8_t* const found = message(node).data();
  if (found == nullptr) return false;
  sum = {node, header_of(found).loss, packed_in<T>(found, table)};
  return true;
}

template <class T>
std::span<const std::uint8_t> ShardMessages<T>::message(ShardNode node) const {
  for (const Kept& kept : kept_) {
    if (kept.node == node) return {kept.bytes.data(), kept.size};
  }
  return {};
}

template <class T>
void ShardMessages<T>::clear() {
  for (Kept& kept : kept_) kept.node = {};
}

template class ShardMessages<float>;
template class ShardMessages<double>;

}  // namespace tied
