// Assembles a tokenizer from its parts, learned or loaded. The parts must be valid. Errors: kOutOfMemory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace tied {

// Errors: kInvalidArgument, naming the first byte that is not UTF-8.
Status check_utf8(std::string_view text);
// Error: kInvalidArgument, naming a character that a tokenizer does not know, and its position.
Status unknown_character(char32_t code_point, std::size_t position);

// The id of the unknown token, if there is one.
inline constexpr std::uint32_t kUnknownId = 0;

class TokenizerBuilder {
 public:
  // Code points in ascending order.
  static Result<Tokenizer> characters(std::vector<std::uint32_t> ascending, bool has_unknown);
  // Tokens in the order of ids, the unknown token first.
  static Result<Tokenizer> words(StringIndex tokens);
  // Merges of two earlier tokens, without duplicates, in ids of the alphabet of all bytes. `alphabet`: the text's own
  // bytes, ascending, including all merged ones; empty = all 256.
  static Result<Tokenizer> bpe(std::vector<TokenPair> merges, std::string alphabet);
  // The first 3 + 256 tokens as in kLlama2c; per token the bits of an f32 score.
  static Result<Tokenizer> llama2c(StringIndex tokens, std::vector<std::uint32_t> scores);

  // Tokens in the order of ids, among them all bytes; merges of two of them, each pair once, and the tokens they make.
  static Result<Tokenizer> gpt2(StringIndex tokens, std::vector<TokenPair> merges, std::vector<std::uint32_t> made);

  static const std::vector<std::uint32_t>& characters_of(const Tokenizer& tokenizer) { return tokenizer.characters_; }
  static const std::vector<TokenPair>& merges_of(const Tokenizer& tokenizer) { return tokenizer.merges_; }
  static const std::string& alphabet_of(const Tokenizer& tokenizer) { return tokenizer.bytes_; }
  static bool has_unknown(const Tokenizer& tokenizer) { return tokenizer.has_unknown_; }

 private:
  static Result<Tokenizer> complete(Tokenizer tokenizer);
};

}  // namespace tied
