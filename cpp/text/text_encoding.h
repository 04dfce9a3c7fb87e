// Encoding a text in parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/bpe.h"
#include "text/tokenizer.h"
#include "text/word_pieces.h"

namespace tied {

// Does what `Tokenizer::encode` does, a part of the text at a time. Tokenizer and text must outlive it and not move.
class TextEncoding {
 public:
  TextEncoding(const Tokenizer& tokenizer, std::string_view text);

  // To be called first. Errors: as Tokenizer::encode.
  Status start();
  bool finished() const { return cursor_.position == text_.size(); }
  // Progress from 0 to 1.
  double share() const;
  // Encodes about `bytes` more bytes, at least one token. Errors: as Tokenizer::encode; after an error, only the
  // destructor may be called.
  Status advance(std::size_t bytes);
  // Once finished: all ids.
  std::vector<std::uint32_t> take_ids() { return std::move(ids_); }

 private:
  std::uint32_t id_of_character(char32_t code_point) const;
  Status encode_characters(std::size_t end);
  Status encode_words(std::size_t end);
  Status map_to_alphabet(std::size_t first_id, std::size_t position);

  const Tokenizer& tokenizer_;
  std::string spaced_;  // kLlama2c: the text with its space in front
  std::string_view text_;
  WordCursor cursor_;
  std::array<std::uint32_t, 128> ascii_{};          // kCharacter: ids, or StringIndex::kNone
  std::array<std::uint32_t, kByteTokens> bytes_{};  // kBpe with the text's own alphabet
  BpeEncoder merges_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace tied
