// Applies merges.
#include "base/memory.h"
#include "text/bpe.h"
#include "text/bpe_pieces.h"
#include "text/key_heap.h"
#include "text/utf8.h"

namespace tied {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

// Longer pieces are rare and seldom repeat.
constexpr std::size_t kLongestCachedPiece = 64;
constexpr std::size_t kMaxCachedPieces = std::size_t{1} << 16;

// Ascending as scores descend; 0 and -0 are equal.
std::uint32_t order_of_score(std::uint32_t bits) {
  constexpr std::uint32_t kSign = 0x80000000u;
  return bits > kSign ? bits : ~(bits | kSign);
}

}  // namespace

std::uint32_t BpeEncoder::order_of(std::uint32_t number) const {
  return has_scores() ? order_of_score(rules_.scores[number]) : number;
}

// False if memory runs out.
bool BpeEncoder::encode_piece(std::vector<std::uint32_t>& ids, std::string_view piece) {
  const std::size_t first = ids.size();
  // No token is shorter than a byte.
  if (!try_reserve(ids, piece.size())) return false;
  append_parts(ids, piece);
  const std::size_t size = ids.size() - first;
  if (size <= 1) return true;
  nodes_.clear();
  if (!try_reserve(nodes_, size)) return false;
  start({ids.data() + first, size});
  while (!heap_.empty() && !out_of_memory_) {
    // First in order, then leftmost. Entries whose pair has changed since are skipped.
    const std::uint64_t best = heap_.pop();
    const Node& node = nodes_[number_of(best)];
    if (node.merge != kNone && order_of(node.merge) == best >> 32) merge(number_of(best));
  }
  ids.resize(first);
  for (std::uint32_t place = 0; place != kNone; place = nodes_[place].next) ids.push_back(nodes_[place].id);
  return !out_of_memory_;
}

void BpeEncoder::append_parts(std::vector<std::uint32_t>& ids, std::string_view piece) {
  for (std::size_t position = 0; position < piece.size();) {
    std::size_t end = position + 1;
    std::uint32_t id = kNone;
    if (has_scores()) {
      end = position + decode_character(piece, position).size;
      id = rules_.tokens->find(piece.substr(position, end - position));
    }
    if (id != kNone) {
      ids.push_back(id);
      position = end;
    }
    const std::uint32_t first_byte = has_scores() ? kFirstScoredByte : 0;
    for (; position < end; ++position) {
      const auto byte = static_cast<unsigned char>(piece[position]);
      ids.push_back(rules_.byte_ids.empty() ? first_byte + byte : rules_.byte_ids[byte]);
    }
  }
}

void BpeEncoder::start(std::span<const std::uint32_t> ids) {
  const auto size = static_cast<std::uint32_t>(ids.size());
  nodes_.resize(size);
  heap_.clear();
  for (std::uint32_t i = 0; i < size; ++i) nodes_[i] = {ids[i], i - 1, i + 1 < size ? i + 1 : kNone, kNone};
  for (std::uint32_t i = 0; i + 1 < size; ++i) look_up(i);
}

void BpeEncoder::look_up(std::uint32_t place) {
  Node& node = nodes_[place];
  node.merge = node.next == kNone ? kNone : rules_.merged.find({node.id, nodes_[node.next].id});
  if (node.merge == kNone) return;
  if (!heap_.push(key_of(order_of(node.merge), place))) out_of_memory_ = true;
}

void BpeEncoder::merge(std::uint32_t place) {
  Node& left = nodes_[place];
  Node& right = nodes_[left.next];
  left.id = rules_.made.empty() ? left.merge + (has_scores() ? 0 : kByteTokens) : rules_.made[left.merge];
  right.merge = kNone;
  left.next = right.next;
  if (left.next != kNone) nodes_[left.next].previous = place;
  look_up(place);
  if (left.previous != kNone) look_up(left.previous);
}

std::size_t BpeEncoder::end_of_piece(std::string_view text, std::size_t begin) const {
  if (!rules_.byte_ids.empty()) return end_of_gpt2_piece(text, begin);
  if (!has_scores()) return end_of_bpe_piece(text, begin);
  if (!rules_.cuts_words) return text.size();
  std::size_t end = begin + 1;
  while (end < text.size() && (text[end] != ' ' || text[end - 1] == ' ')) ++end;
  return end;
}

bool BpeEncoder::encode(std::vector<std::uint32_t>& ids, std::string_view text, std::size_t& position,
                        std::size_t end) {
  while (position < end && !out_of_memory_) {
    const std::size_t end_of_this = end_of_piece(text, position);
    const std::string_view piece = text.substr(position, end_of_this - position);
    position = end_of_this;
    std::uint32_t number = kNone;
    if (piece.size() <= kLongestCachedPiece) {
      number = cache_.size() < kMaxCachedPieces ? cache_.add(piece) : cache_.find(piece);
    }
    // Without a number the piece is too long for the cache, or the cache is full.
    out_of_memory_ = number == kNone ? !encode_piece(ids, piece) : !append_cached(ids, piece, number);
  }
  return !out_of_memory_;
}

// Appends the ids of piece `number` of the cache, which are new to it if the number is. False if memory runs out.
bool BpeEncoder::append_cached(std::vector<std::uint32_t>& ids, std::string_view piece, std::uint32_t number) {
  if (number == cached_ends_.size()) {
    if (!try_reserve(cached_ends_) || !encode_piece(cached_ids_, piece)) return false;
    cached_ends_.push_back(static_cast<std::uint32_t>(cached_ids_.size()));
  }
  const std::size_t begin = number == 0 ? 0 : cached_ends_[number - 1];
  if (!try_reserve(ids, cached_ends_[number] - begin)) return false;
  for (std::size_t i = begin; i < cached_ends_[number]; ++i) ids.push_back(cached_ids_[i]);
  return true;
}

}  // namespace tied
