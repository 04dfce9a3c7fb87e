#include "text/text_encoding.h"

#include <algorithm>

#include "base/memory.h"
#include "text/limits.h"
#include "text/tokenizer_builder.h"
#include "text/utf8.h"

namespace tied {

TextEncoding::TextEncoding(const Tokenizer& tokenizer, std::string_view text)
    : tokenizer_(tokenizer),
      text_(text),
      merges_({.merged = tokenizer.merged_,
               .scores = tokenizer.scores_,
               .tokens = tokenizer.scores_.empty() ? nullptr : &tokenizer.tokens_,
               .cuts_words = tokenizer.cuts_words_,
               .byte_ids = tokenizer.byte_ids_,
               .made = tokenizer.made_}) {}

Status TextEncoding::start() {
  const TokenizerKind kind = tokenizer_.kind_;
  if (text_.size() > kLongestText) {
    return make_error(ErrorCode::kInvalidArgument, "text length", text_.size(), "at most 2147483647 bytes");
  }
  if (kind == TokenizerKind::kCharacter || kind == TokenizerKind::kWord) {
    if (auto utf8 = check_utf8(text_); !utf8) return utf8;
  }
  // Ids and, for scored tokens, the text with its space and, if that is one piece, the data that merging stores per
  // byte.
  const std::uint64_t bytes_per_byte = kind != TokenizerKind::kLlama2c ? 4 : tokenizer_.cuts_words_ ? 5 : 48;
  if (auto memory = check_memory("text length", text_.size(), bytes_per_byte * text_.size()); !memory) return memory;
  if (kind == TokenizerKind::kLlama2c && !text_.empty()) {
    spaced_.reserve(1 + text_.size());
    text_ = spaced_.append(1, ' ').append(text_);
  }
  // Reserved, since a growing vector would need half as much again while it copies.
  ids_.reserve(text_.size());
  for (std::uint32_t c = 0; c < ascii_.size(); ++c) ascii_[c] = id_of_character(c);
  bytes_.fill(StringIndex::kNone);
  for (std::uint32_t i = 0; i < tokenizer_.bytes_.size(); ++i) {
    bytes_[static_cast<unsigned char>(tokenizer_.bytes_[i])] = i;
  }
  return {};
}

double TextEncoding::share() const {
  return finished() ? 1 : static_cast<double>(cursor_.position) / static_cast<double>(text_.size());
}

Status TextEncoding::advance(std::size_t bytes) {
  const std::size_t begin = cursor_.position;
  const std::size_t end = begin + std::clamp<std::size_t>(bytes, 1, text_.size() - begin);
  switch (tokenizer_.kind_) {
    case TokenizerKind::kCharacter:
      return encode_characters(end);
    case TokenizerKind::kWord:
      return encode_words(end);
    case TokenizerKind::kBpe:
    case TokenizerKind::kLlama2c:
    case TokenizerKind::kGpt2:
      break;
  }
  const std::size_t first_id = ids_.size();
  if (!merges_.encode(ids_, text_, cursor_.position, end)) return out_of_memory("text length", text_.size());
  if (tokenizer_.kind_ == TokenizerKind::kLlama2c || tokenizer_.bytes_.empty()) return {};
  return map_to_alphabet(first_id, begin);
}

std::uint32_t TextEncoding::id_of_character(char32_t code_point) const {
  const auto& known = tokenizer_.characters_;
  const bool has_unknown = tokenizer_.has_unknown_;
  const auto found = std::lower_bound(known.begin(), known.end(), code_point);
  if (found == known.end() || *found != code_point) return has_unknown ? kUnknownId : StringIndex::kNone;
  return static_cast<std::uint32_t>(found - known.begin()) + (has_unknown ? 1 : 0);
}

Status TextEncoding::encode_characters(std::size_t end) {
  while (cursor_.position < end) {
    const DecodedCharacter character = decode_character(text_, cursor_.position);
    const char32_t code_point = character.code_point;
    const std::uint32_t id = code_point < ascii_.size() ? ascii_[code_point] : id_of_character(code_point);
    if (id == StringIndex::kNone) return unknown_character(code_point, cursor_.position);
    // `start` has reserved as many ids as there are bytes.
    ids_.push_back(id);
    cursor_.position += character.size;
  }
  return {};
}

Status TextEncoding::encode_words(std::size_t end) {
  const StringIndex& tokens = tokenizer_.tokens_;
  bool has_capacity = true;
  std::uint32_t id = kUnknownId;
  const auto shown = [&](std::string_view piece) {
    id = tokens.find(piece);
    return id == StringIndex::kNone ? PieceClass::kWord : class_of_piece(piece);
  };
  const auto emit = [&](std::string_view piece) {
    // Join tokens have no bytes, so there can be more ids than `start` has reserved.
    has_capacity = has_capacity && try_reserve(ids_);
    if (!has_capacity) return;
    if (piece == kJoinPiece || piece == kSpacePiece) {
      // Spacing tokens that are not in the vocabulary are dropped: the rule decides.
      const std::uint32_t spacing = tokens.find(piece);
      if (spacing != StringIndex::kNone) ids_.push_back(spacing);
    } else {
      ids_.push_back(id == StringIndex::kNone ? kUnknownId : id);
    }
  };
  for_each_word_token(text_, cursor_, end, emit, shown);
  if (!has_capacity) return out_of_memory("text length", text_.size());
  return {};
}

// Maps ids of the alphabet of all bytes to ids of the text's own alphabet, from index `first_id` on, whose token is at
// `position`.
Status TextEncoding::map_to_alphabet(std::size_t first_id, std::size_t position) {
  const auto first_merge = static_cast<std::uint32_t>(tokenizer_.bytes_.size());
  for (std::size_t i = first_id; i < ids_.size(); ++i) {
    std::uint32_t& id = ids_[i];
    id = id < kByteTokens ? bytes_[id] : id - kByteTokens + first_merge;
    if (id == StringIndex::kNone) {
      // The first byte of a character can be known even if its others are not.
      while (position > 0 && (text_[position] & 0xC0) == 0x80) --position;
      return unknown_character(decode_character(text_, position).code_point, position);
    }
    position += tokenizer_.tokens_.at(id).size();
  }
  return {};
}

}  // namespace tied
