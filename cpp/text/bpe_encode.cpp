// Applying merges.
#include "text/bpe.h"
#include "text/bpe_pieces.h"
#include "text/key_heap.h"
#include "text/string_index.h"

namespace tied {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

// Longer pieces are rare and seldom seen again.
constexpr std::size_t kLongestCachedPiece = 64;
constexpr std::size_t kMostCachedPieces = std::size_t{1} << 16;

class PieceEncoder {
 public:
  explicit PieceEncoder(const PairIndex& merged) : merged_(merged) {}

  void encode(std::vector<std::uint32_t>& ids, std::string_view piece) {
    if (piece.size() == 1) {
      ids.push_back(static_cast<unsigned char>(piece[0]));
      return;
    }
    start(piece);
    while (!heap_.empty()) {
      // Learned first, then leftmost. Places whose pair has changed since are passed over.
      const std::uint64_t best = heap_.pop();
      if (nodes_[number_of(best)].merge == best >> 32) merge(number_of(best));
    }
    for (std::uint32_t place = 0; place != kNone; place = nodes_[place].next) ids.push_back(nodes_[place].id);
  }

 private:
  struct Node {
    std::uint32_t id;
    std::uint32_t previous;
    std::uint32_t next;
    std::uint32_t merge;  // of this token and the next one; kNone where there is none
  };
  void start(std::string_view piece) {
    const auto size = static_cast<std::uint32_t>(piece.size());
    nodes_.resize(size);
    heap_.clear();
    for (std::uint32_t i = 0; i < size; ++i) {
      nodes_[i] = {static_cast<unsigned char>(piece[i]), i - 1, i + 1 < size ? i + 1 : kNone, kNone};
    }
    for (std::uint32_t i = 0; i + 1 < size; ++i) look_up(i);
  }

  void look_up(std::uint32_t place) {
    Node& node = nodes_[place];
    node.merge = node.next == kNone ? kNone : merged_.find({node.id, nodes_[node.next].id});
    if (node.merge == kNone) return;
    heap_.push(key_of(node.merge, place));
  }

  void merge(std::uint32_t place) {
    Node& left = nodes_[place];
    Node& right = nodes_[left.next];
    left.id = kByteTokens + left.merge;
    right.merge = kNone;
    left.next = right.next;
    if (left.next != kNone) nodes_[left.next].previous = place;
    look_up(place);
    if (left.previous != kNone) look_up(left.previous);
  }

  const PairIndex& merged_;
  std::vector<Node> nodes_;
  KeyHeap heap_;
};

}  // namespace

void encode_bpe(std::vector<std::uint32_t>& ids, std::string_view text, const PairIndex& merged) {
  PieceEncoder encoder(merged);
  StringIndex cache;
  std::vector<std::uint32_t> cached_ids;
  std::vector<std::uint32_t> cached_ends;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t end = end_of_bpe_piece(text, position);
    const std::string_view piece = text.substr(position, end - position);
    position = end;
    if (piece.size() > kLongestCachedPiece) {
      encoder.encode(ids, piece);
      continue;
    }
    const std::uint32_t number = cache.size() < kMostCachedPieces ? cache.add(piece) : cache.find(piece);
    if (number == StringIndex::kNone) {
      encoder.encode(ids, piece);
      continue;
    }
    if (number == cached_ends.size()) {
      encoder.encode(cached_ids, piece);
      cached_ends.push_back(static_cast<std::uint32_t>(cached_ids.size()));
    }
    const std::size_t begin = number == 0 ? 0 : cached_ends[number - 1];
    for (std::size_t i = begin; i < cached_ends[number]; ++i) ids.push_back(cached_ids[i]);
  }
}

}  // namespace tied
