#include "character_bpe.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace tied::experiments {
namespace {

enum class Kind : std::uint8_t { kSpace, kLetter, kMark };

Kind kind_of(char c) {
  if (c == ' ' || (c >= '\t' && c <= '\r')) return Kind::kSpace;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? Kind::kLetter : Kind::kMark;
}

std::size_t end_of_piece(std::string_view text, std::size_t position) {
  std::size_t first = position;
  if (text[first] == ' ' && first + 1 < text.size() && kind_of(text[first + 1]) != Kind::kSpace) ++first;
  const Kind kind = kind_of(text[first]);
  std::size_t end = first + 1;
  if (kind == Kind::kSpace) return end;
  while (end < text.size() && kind_of(text[end]) == kind) ++end;
  return end;
}

using Ids = std::vector<std::uint32_t>;

struct Piece {
  std::size_t count = 0;
  Ids ids;
};

void merge(Ids& ids, std::uint32_t left, std::uint32_t right, std::uint32_t merged) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool matches = ids[i] == left && i + 1 < ids.size() && ids[i + 1] == right;
    ids[size++] = matches ? merged : ids[i];
    if (matches) ++i;
  }
  ids.resize(size);
}

}  // namespace

Encoded encode_by_characters(std::string_view text, std::size_t vocab_size) {
  std::array<bool, 256> occurs{};
  for (const char c : text) occurs[static_cast<unsigned char>(c)] = true;
  std::array<std::uint32_t, 256> id_of{};
  Encoded result;
  for (std::size_t c = 0; c < occurs.size(); ++c) {
    if (!occurs[c]) continue;
    id_of[c] = static_cast<std::uint32_t>(result.bytes_of.size());
    result.bytes_of.push_back(1);
  }

  std::map<std::string_view, Piece> pieces;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = end_of_piece(text, begin);
    Piece& piece = pieces[text.substr(begin, end - begin)];
    if (++piece.count > 1) continue;
    for (std::size_t i = begin; i < end; ++i) piece.ids.push_back(id_of[static_cast<unsigned char>(text[i])]);
  }

  std::vector<std::size_t> counts(vocab_size * vocab_size);  // of left * vocab_size + right
  while (result.bytes_of.size() < vocab_size) {
    std::fill(counts.begin(), counts.end(), 0);
    for (const auto& [bytes, piece] : pieces) {
      for (std::size_t i = 0; i + 1 < piece.ids.size(); ++i) {
        counts[piece.ids[i] * vocab_size + piece.ids[i + 1]] += piece.count;
      }
    }
    const auto best = std::max_element(counts.begin(), counts.end());
    if (best == counts.end() || *best == 0) break;
    const auto pair = static_cast<std::size_t>(best - counts.begin());
    const auto left = static_cast<std::uint32_t>(pair / vocab_size);
    const auto right = static_cast<std::uint32_t>(pair % vocab_size);
    const auto merged = static_cast<std::uint32_t>(result.bytes_of.size());
    for (auto& [bytes, piece] : pieces) merge(piece.ids, left, right, merged);
    result.bytes_of.push_back(static_cast<std::uint8_t>(result.bytes_of[left] + result.bytes_of[right]));
  }
  result.vocab_size = result.bytes_of.size();
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = end_of_piece(text, begin);
    const Ids& ids = pieces[text.substr(begin, end - begin)].ids;
    result.token_ids.insert(result.token_ids.end(), ids.begin(), ids.end());
  }
  return result;
}

}  // namespace tied::experiments
