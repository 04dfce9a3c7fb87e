// Learns the vocabulary of a text.
#include <algorithm>
#include <array>
#include <string>

#include "text/bpe.h"
#include "text/key_heap.h"
#include "text/limits.h"
#include "text/tokenizer.h"
#include "text/tokenizer_builder.h"
#include "text/utf8.h"
#include "text/word_pieces.h"

namespace tied {
namespace {

// Numbers of `counts` by descending count, ties by the smaller number; at most `most` of them.
std::vector<std::uint32_t> most_frequent(const std::vector<std::uint32_t>& counts, std::size_t most) {
  std::vector<std::uint64_t> keys;
  for (std::uint32_t i = 0; i < counts.size(); ++i) keys.push_back(key_of(~counts[i], i));
  sort_keys(keys);
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < keys.size() && i < most; ++i) order.push_back(number_of(keys[i]));
  return order;
}

void count_piece(std::vector<std::uint32_t>& counts, std::uint32_t piece) {
  if (piece == counts.size()) counts.push_back(0);
  ++counts[piece];
}

Status text_too_poor(std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kInvalidArgument, "text", value, expected);
}

Status check_vocab_size(std::size_t vocab_size, std::size_t smallest, std::string_view expected) {
  if (vocab_size >= smallest) return {};
  return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size, expected);
}

Result<Tokenizer> train_characters(std::string_view text, std::optional<std::size_t> vocab_size) {
  if (vocab_size) {
    auto status = check_vocab_size(*vocab_size, 2, "at least 2 for characters");
    if (!status) return status;
  }
  StringIndex seen;
  std::vector<std::uint32_t> counts;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t size = decode_character(text, position).size;
    count_piece(counts, seen.add(text.substr(position, size)));
    position += size;
  }
  if (seen.size() < 2) return text_too_poor("one and the same character throughout", "at least two different ones");
  // Ties go to the smaller code point, so code points are sorted before they are ranked.
  std::vector<std::uint64_t> ascending;
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    ascending.push_back(key_of(static_cast<std::uint32_t>(decode_character(seen.at(i), 0).code_point), counts[i]));
  }
  sort_keys(ascending);
  const bool has_unknown = vocab_size && *vocab_size < ascending.size();
  std::vector<std::uint8_t> has_token(ascending.size(), has_unknown ? 0 : 1);
  if (has_unknown) {
    for (std::size_t i = 0; i < ascending.size(); ++i) counts[i] = number_of(ascending[i]);
    for (const std::uint32_t i : most_frequent(counts, *vocab_size - 1)) has_token[i] = 1;
  }
  std::vector<std::uint32_t> code_points;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    if (has_token[i] != 0) code_points.push_back(static_cast<char32_t>(ascending[i] >> 32));
  }
  return TokenizerBuilder::characters(std::move(code_points), has_unknown);
}

Result<Tokenizer> train_words(std::string_view text, std::size_t vocab_size) {
  auto status = check_vocab_size(vocab_size, 2, "at least 2 for words: the unknown token and a word");
  if (!status) return status;
  // Memory of the index of words and their counts for a text without repeated words, including growth. Most words of a
  // long text repeat.
  constexpr std::uint64_t kBytesPerByte = 24;
  constexpr std::uint64_t kMaxBytes = std::uint64_t{768} << 20;
  if (auto memory = check_memory("text length", text.size(), std::min(kMaxBytes, kBytesPerByte * text.size()));
      !memory) {
    return memory;
  }
  StringIndex words;
  std::vector<std::uint32_t> counts;
  std::size_t total = 0;
  const auto emit = [&](std::string_view piece) {
    count_piece(counts, words.add(piece));
    ++total;
  };
  for_each_word_token(text, emit, class_of_piece);
  if (total < 2) return text_too_poor("a single word", "at least two words or marks");
  StringIndex tokens;
  tokens.append(kUnknownToken);
  for (const std::uint32_t word : most_frequent(counts, vocab_size - 1)) tokens.append(words.at(word));
  return TokenizerBuilder::words(std::move(tokens));
}

// The distinct bytes of a text, ascending.
std::string alphabet_of(std::string_view text) {
  std::array<bool, kByteTokens> occurs{};
  for (const char byte : text) occurs[static_cast<unsigned char>(byte)] = true;
  std::string alphabet;
  for (std::size_t byte = 0; byte < occurs.size(); ++byte) {
    if (occurs[byte]) alphabet.push_back(static_cast<char>(byte));
  }
  return alphabet;
}

Result<Tokenizer> train_bpe(std::string_view text, const TokenizerOptions& options) {
  const std::size_t vocab_size = options.vocab_size.value_or(kDefaultBpeVocabSize);
  std::string alphabet;
  if (options.alphabet == Alphabet::kText) alphabet = alphabet_of(text);
  const std::size_t smallest = alphabet.empty() ? kSmallestBpeVocabSize : std::max<std::size_t>(alphabet.size(), 2);
  if (vocab_size < smallest) {
    return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size,
                      "at least " + text_of(smallest) + " for bpe: every byte is a token");
  }
  if (text.size() < 2) return text_too_poor("a single byte", "at least two bytes");
  const std::size_t bytes = alphabet.empty() ? kByteTokens : alphabet.size();
  auto merges = learn_merges(text, std::min(vocab_size - bytes, kMaxBpeMerges));
  if (!merges) return merges.failure();
  if (bytes + merges.value().size() == 1) return text_too_poor("a single byte, again and again", "at least two tokens");
  return TokenizerBuilder::bpe(std::move(merges).value(), std::move(alphabet));
}

}  // namespace

Result<Tokenizer> train_tokenizer(std::string_view text, const TokenizerOptions& options) {
  if (text.empty()) return text_too_poor("empty", "at least two tokens");
  if (text.size() > kLongestText) {
    return make_error(ErrorCode::kInvalidArgument, "text length", text.size(), "at most 2147483647 bytes");
  }
  if (options.kind != TokenizerKind::kBpe) {
    if (auto utf8 = check_utf8(text); !utf8) return utf8;
  }
  switch (options.kind) {
    case TokenizerKind::kCharacter:
      return train_characters(text, options.vocab_size);
    case TokenizerKind::kWord:
      return train_words(text, options.vocab_size.value_or(kDefaultWordVocabSize));
    case TokenizerKind::kBpe:
      return train_bpe(text, options);
    case TokenizerKind::kLlama2c:
      break;
  }
  return make_error(ErrorCode::kInvalidArgument, "kind", static_cast<std::uint32_t>(options.kind), "0, 1 or 2");
}

}  // namespace tied
