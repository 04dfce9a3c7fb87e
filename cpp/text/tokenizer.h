// Text to token ids and back: by characters, by words, or by byte-level byte pair encoding (BPE) trained on the
// text; or by the scored tokens of a llama2.c file.
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

// The numbers are those of the file format.
enum class TokenizerKind : std::uint32_t { kCharacter = 0, kWord = 1, kBpe = 2, kLlama2c = 3 };

// What a vocabulary of kBpe begins with: all 256 bytes, so that it can encode anything; or the bytes that the text has,
// which leaves more of a small vocabulary for what is learned.
enum class Alphabet : std::uint32_t { kAllBytes = 0, kText = 1 };

struct TokenizerOptions {
  TokenizerKind kind = TokenizerKind::kCharacter;
  // The most tokens wanted; fewer where the text has no more to give. Absent: kCharacter all characters of the text,
  // kWord 2,000, kBpe 512. Smallest: kCharacter 2, kWord 2, kBpe 256; kBpe never makes more than 65,536.
  // With Alphabet::kText the smallest is as many as the text has different bytes.
  std::optional<std::size_t> vocab_size = std::nullopt;
  Alphabet alphabet = Alphabet::kAllBytes;  // kBpe only
};

inline constexpr std::size_t kDefaultWordVocabSize = 2000;
inline constexpr std::size_t kDefaultBpeVocabSize = 512;
inline constexpr std::size_t kLargestBpeVocabSize = 65536;
// The 256 bytes, each a token of its own, come before anything that is learned.
inline constexpr std::size_t kSmallestBpeVocabSize = 256;
// What the unknown token decodes to.
inline constexpr std::string_view kUnknownToken = "<unk>";

// An immutable vocabulary with its rule for cutting text.
//
// kCharacter: one token a code point, ids in the order of code points. There is an unknown token (id 0) only where
//   vocab_size was too small for all characters, which keeps the vocabulary of a text exactly its characters; without
//   it, encode refuses a character it has never seen and names it. decode(encode(x)) == x where all characters are
//   known.
// kWord: one token a word, number, mark or newline (text/word_pieces.h). Id 0 is the unknown token, the others follow
//   by falling frequency, ties by first appearance. A word is the same token wherever it stands, because ordinary
//   spaces are implied by what stands on both sides; a space that is missing or that is one too many is a token,
//   "<join>" or a space. decode(encode(x)) == x with every unknown piece replaced by "<unk>"; where the vocabulary
//   lacks those two tokens, with ordinary spacing.
// kBpe: ids 0 to 255 are the bytes, the others the merges in the order in which they were learned. Any sequence of
//   bytes can be encoded, valid UTF-8 or not: decode(encode(x)) == x always. With the text's own alphabet ids begin
//   with its bytes in ascending order, and encode refuses a byte that it has never seen and names the character.
//   Source: Sennrich, Haddow, Birch, "Neural machine translation of rare words with subword units", ACL 2016,
//   section 3.2; over bytes as in Radford et al., "Language models are unsupervised multitask learners", 2019,
//   section 2.2.
// kLlama2c: read from a file, never trained. Ids 0 to 2 are the unknown token, the start and the end of a text, ids 3
//   to 258 the bytes, the others tokens with a score each. A text gets a space in front; its characters, those that are
//   no token as bytes, are merged wherever two neighbours joined are a token, the highest score first, then leftmost.
//   Any sequence of bytes can be encoded; encode puts no start token in front. decode(start token, encode(x)) == x;
//   without the start token the space in front stays.
//   Source: run.c and tokenizer.py of github.com/karpathy/llama2.c.
class Tokenizer {
 public:
  TokenizerKind kind() const { return kind_; }
  std::size_t vocab_size() const { return tokens_.size(); }
  bool has_unknown() const { return has_unknown_; }
  // Of kBpe.
  Alphabet alphabet() const { return bytes_.empty() ? Alphabet::kAllBytes : Alphabet::kText; }

  // The token that begins every text, where there is one: models of such a tokenizer expect it before a prompt.
  std::optional<std::uint32_t> start_token() const;

  // The bytes of a token; id < vocab_size(). The joining token of kWord is empty.
  std::string_view token(std::uint32_t id) const;
  // For people: as `token`, but a space is U+2423, a newline U+23CE, a tab U+21E5, other controls their pictures
  // (U+2400 and on), the joining token "<join>", and bytes that are no whole character "<0xE2>", as are the tokens of
  // kLlama2c that are one byte.
  std::string printable(std::uint32_t id) const;

  // Errors: kInvalidArgument where kCharacter meets an unknown character and has no unknown token, or where kCharacter
  // or kWord meet bytes that are not UTF-8 (both name the place); kOutOfMemory. An empty text gives no ids.
  Result<std::vector<std::uint32_t>> encode(std::string_view text) const;
  // Errors: kInvalidArgument for an id that is not below vocab_size(), naming its index. A part of a character that
  // kBpe or kLlama2c ids may hold comes out as the bytes it is.
  Result<std::string> decode(std::span<const std::uint32_t> ids) const;

  // A file of our own, described in tokenizer_file.cpp.
  std::string save() const;

 private:
  friend class TokenizerBuilder;
  Tokenizer() = default;

  Status encode_characters(std::vector<std::uint32_t>& ids, std::string_view text) const;
  Status leave_out_unknown_bytes(std::vector<std::uint32_t>& ids, std::string_view text) const;
  void encode_words(std::vector<std::uint32_t>& ids, std::string_view text) const;
  void decode_words(std::string& text, std::span<const std::uint32_t> ids) const;
  void decode_llama2c(std::string& text, std::span<const std::uint32_t> ids) const;

  TokenizerKind kind_ = TokenizerKind::kCharacter;
  bool has_unknown_ = false;
  StringIndex tokens_;                     // id -> bytes; kWord: bytes -> id
  std::vector<std::uint32_t> characters_;  // kCharacter: ascending; id = index (+ 1 with an unknown token)
  std::vector<TokenPair> merges_;          // kBpe: merge i makes token 256 + i
  PairIndex merged_;                       // kBpe: (left, right) -> i; kLlama2c: -> id
  std::vector<std::uint32_t> scores_;      // kLlama2c: of every token, the bits of an f32
  std::string bytes_;                      // kLlama2c: all 256; kBpe: the text's own alphabet, ascending, or none
  bool cuts_words_ = false;                // kLlama2c: see MergeRules
};

// Learns the vocabulary of `text`.
// Errors: kInvalidArgument for a text of fewer than two tokens, for a vocabulary that would have one token only, for a
// vocab_size below the kind's smallest, for a text of kCharacter or kWord that is not UTF-8; kOutOfMemory.
Result<Tokenizer> train_tokenizer(std::string_view text, const TokenizerOptions& options);

// What `save` wrote. Errors: kBadFile, naming what is wrong and at which byte, for anything else; kOutOfMemory.
Result<Tokenizer> load_tokenizer(std::string_view bytes);

// A tokenizer file of llama2.c (kLlama2c), little-endian: i32 length of the longest token, then of every token f32
// score, i32 length, bytes. Errors: as load_tokenizer.
Result<Tokenizer> load_llama2c_tokenizer(std::string_view bytes);

}  // namespace tied
