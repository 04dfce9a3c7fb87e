// Text to token ids and back: by characters, by words, by byte-level byte pair encoding (BPE) trained on the text, or
// by the scored tokens of a llama2.c file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/pair_index.h"
#include "text/string_index.h"

namespace tied {

// The values are part of the file format.
enum class TokenizerKind : std::uint32_t { kCharacter = 0, kWord = 1, kBpe = 2, kLlama2c = 3, kGpt2 = 4 };

// Where the vocabulary of kBpe starts: from all 256 bytes, so that it can encode anything, or from the bytes of the
// text, which leaves more of a small vocabulary for merges.
enum class Alphabet : std::uint32_t { kBytes = 0, kText = 1 };

struct TokenizerOptions {
  TokenizerKind kind = TokenizerKind::kCharacter;
  // Maximum number of tokens; the text may give fewer. Default: kCharacter all characters of the text, kWord 2,000,
  // kBpe 512. Minimum: kCharacter 2, kWord 2, kBpe 256 or, with Alphabet::kText, the number of distinct bytes of the
  // text. kBpe never has more than 65,536.
  std::optional<std::size_t> vocab_size = std::nullopt;
  Alphabet alphabet = Alphabet::kBytes;  // kBpe only
};

inline constexpr std::size_t kDefaultWordVocabSize = 2000;
inline constexpr std::size_t kDefaultBpeVocabSize = 512;
inline constexpr std::size_t kLargestBpeVocabSize = 65536;
// The 256 bytes, each a token, come before all merges.
inline constexpr std::size_t kSmallestBpeVocabSize = 256;
// The text that the unknown token decodes to.
inline constexpr std::string_view kUnknownToken = "<unk>";

// An immutable vocabulary with its rule for splitting text.
//
// kCharacter: one token per code point, ids in the order of code points. There is an unknown token (id 0) only if
//   vocab_size was too small for all characters; otherwise the vocabulary is exactly the characters of the text, and
//   encode refuses any other character, naming it. decode(encode(x)) == x if all characters are known.
// kWord: one token per word, number, mark or newline (text/word_pieces.h). Id 0 is the unknown token, the others follow
//   by descending frequency, ties by first appearance. A word is the same token everywhere, because ordinary spaces
//   are implied by the pieces on both sides; a missing or extra space is a token, "<join>" or a space.
//   decode(encode(x)) == x with every unknown piece replaced by "<unk>", and with ordinary spacing if the vocabulary
//   lacks those two tokens.
// kBpe: ids 0 to 255 are the bytes, the others the merges in the order in which they were learned. Any sequence of
//   bytes can be encoded, valid UTF-8 or not: decode(encode(x)) == x always. With the text's own alphabet, ids start
//   with its bytes in ascending order, and encode refuses any other byte, naming the character.
//   Source: Sennrich, Haddow, Birch, "Neural machine translation of rare words with subword units", ACL 2016,
//   section 3.2; over bytes as in Radford et al., "Language models are unsupervised multitask learners", 2019,
//   section 2.2.
// kLlama2c: read from a file, never trained. Ids 0 to 2 are the unknown token, the start and the end of a text, ids 3
//   to 258 the bytes, the others tokens with a score each. A text gets a leading space. It starts as characters (as
//   bytes, if they are not tokens), and neighbors merge if their concatenation is a token, the highest score first,
//   then leftmost. Any sequence of bytes can be encoded; encode adds no start token.
//   decode(start token, encode(x)) == x; without the start token the leading space remains.
//   Source: run.c and tokenizer.py of github.com/karpathy/llama2.c.
// kGpt2: byte-level BPE that another program learned, never trained here. Ids are those of its file; 256 tokens are the
//   bytes, each merge makes a token, and others, such as <|endoftext|>, are only decoded: a text that spells one out
//   gives its characters. Any sequence of bytes can be encoded: decode(encode(x)) == x always. Source: encoder.py of
//   github.com/openai/gpt-2.
class Tokenizer {
 public:
  TokenizerKind kind() const { return kind_; }
  std::size_t vocab_size() const { return tokens_.size(); }
  bool has_unknown() const { return has_unknown_; }
  // For kBpe.
  Alphabet alphabet() const { return bytes_.empty() ? Alphabet::kBytes : Alphabet::kText; }

  // The token at the start of every text, if there is one: models of such a tokenizer expect it before a prompt.
  std::optional<std::uint32_t> start_token() const;

  // The bytes of a token; id < vocab_size(). The join token of kWord is empty.
  std::string_view token(std::uint32_t id) const;
  // A visible form: as `token`, but a space is U+2423, a newline U+23CE, a tab U+21E5, other controls their pictures
  // (U+2400 and on), the join token "<join>", and bytes that are not a whole character "<0xE2>", as are the single-byte
  // tokens of kLlama2c.
  // Errors: kOutOfMemory.
  Result<std::string> printable(std::uint32_t id) const;
  // The printable forms of all tokens, each followed by a zero byte, which none contains. Errors: kOutOfMemory.
  Result<std::string> all_printable() const;

  // Errors: kInvalidArgument for a character that kCharacter does not know (without an unknown token), and for bytes
  // that are not UTF-8 with kCharacter or kWord, naming the position; kOutOfMemory. An empty text gives no ids.
  Result<std::vector<std::uint32_t>> encode(std::string_view text) const;
  // Errors: kInvalidArgument for an id that is not below vocab_size(), naming its index; kOutOfMemory. Parts of a
  // character, which kBpe or kLlama2c ids can hold, are decoded to their bytes.
  Result<std::string> decode(std::span<const std::uint32_t> ids) const;

  // Our own file format, described in tokenizer_file.cpp. Errors: kOutOfMemory.
  Result<std::string> save() const;

 private:
  friend class TokenizerBuilder;
  friend class TextEncoding;
  Tokenizer() = default;

  bool append_printable_token(std::string& out, std::uint32_t id) const;
  void decode_words(std::string& text, std::span<const std::uint32_t> ids) const;
  void decode_llama2c(std::string& text, std::span<const std::uint32_t> ids) const;

  TokenizerKind kind_ = TokenizerKind::kCharacter;
  bool has_unknown_ = false;
  StringIndex tokens_;                     // id -> bytes; kWord: bytes -> id
  std::vector<std::uint32_t> characters_;  // kCharacter: ascending; id = index (+ 1 with an unknown token)
  std::vector<TokenPair> merges_;          // kBpe: merge i creates token 256 + i; kGpt2: made_[i]
  PairIndex merged_;                       // kBpe, kGpt2: (left, right) -> i; kLlama2c: -> id
  std::vector<std::uint32_t> scores_;      // kLlama2c: per token, the bits of an f32
  std::string bytes_;                      // kLlama2c: all 256; kBpe: the text's own alphabet, ascending, or empty
  bool cuts_words_ = false;                // kLlama2c: see MergeRules
  std::vector<std::uint32_t> byte_ids_;    // kGpt2: [256]
  std::vector<std::uint32_t> made_;        // kGpt2: merge i, of merges_, makes this token
};

// Learns the vocabulary of `text`.
// Errors: kInvalidArgument for a text of fewer than two tokens, for a vocabulary of only one token, for a vocab_size
// below the kind's minimum, and for a text that is not UTF-8 with kCharacter or kWord; kOutOfMemory.
Result<Tokenizer> train_tokenizer(std::string_view text, const TokenizerOptions& options);

// Reads a file that `save` wrote. Errors: kBadFile, naming the fault and its byte; kOutOfMemory.
Result<Tokenizer> load_tokenizer(std::string_view bytes);

// Reads a tokenizer file of llama2.c (kLlama2c), little-endian: i32 length of the longest token, then per token f32
// score, i32 length, bytes. Errors: as load_tokenizer.
Result<Tokenizer> load_llama2c_tokenizer(std::string_view bytes);

}  // namespace tied
