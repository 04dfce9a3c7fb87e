// Learning the vocabulary of a text.
#include <algorithm>
#include <array>

#include "text/bpe.h"
#include "text/memory.h"
#include "text/tokenizer.h"
#include "text/tokenizer_builder.h"
#include "text/utf8.h"
#include "text/word_pieces.h"

namespace tied {
namespace {

// Numbers of `counts` by falling count, ties by the smaller number.
std::vector<std::uint32_t> by_frequency(const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> order(counts.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  return order;
}

Error text_too_poor(std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kInvalidArgument, "text", value, expected);
}

Status check_vocab_size(std::size_t vocab_size, std::size_t smallest, std::string_view expected) {
  if (vocab_size >= smallest) return {};
  return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size, expected);
}

// The different characters of a text and how often they occur.
struct CharacterCounts {
  std::vector<char32_t> code_points;  // ascending
  std::vector<std::uint32_t> counts;
};

CharacterCounts count_characters(std::string_view text) {
  std::array<std::uint32_t, 128> ascii{};
  StringIndex others;
  std::vector<std::uint32_t> other_counts;
  for (std::size_t position = 0; position < text.size();) {
    const DecodedCharacter character = decode_character(text, position);
    if (character.size == 1) {
      ++ascii[character.code_point];
    } else {
      const std::uint32_t number = others.add(text.substr(position, character.size));
      if (number == other_counts.size()) other_counts.push_back(0);
      ++other_counts[number];
    }
    position += character.size;
  }
  CharacterCounts result;
  const auto push = [&](char32_t code_point, std::uint32_t count) {
    result.code_points.push_back(code_point);
    result.counts.push_back(count);
  };
  for (std::uint32_t c = 0; c < ascii.size(); ++c) {
    if (ascii[c] != 0) push(static_cast<char32_t>(c), ascii[c]);
  }
  // The order of UTF-8 bytes is the order of code points.
  std::vector<std::uint32_t> order(others.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return others.at(a) < others.at(b); });
  for (const std::uint32_t i : order) push(decode_character(others.at(i), 0).code_point, other_counts[i]);
  return result;
}

Result<Tokenizer> train_characters(std::string_view text, std::optional<std::size_t> vocab_size) {
  if (vocab_size) {
    const auto status = check_vocab_size(*vocab_size, 2, "at least 2 for characters");
    if (!status) return status.error();
  }
  CharacterCounts all = count_characters(text);
  if (all.code_points.size() < 2)
    return text_too_poor("one and the same character throughout", "at least two different ones");
  if (!vocab_size || all.code_points.size() <= *vocab_size) {
    return TokenizerBuilder::characters(std::move(all.code_points), false);
  }
  std::vector<std::uint32_t> kept = by_frequency(all.counts);
  kept.resize(*vocab_size - 1);
  std::vector<char32_t> code_points;
  for (const std::uint32_t i : kept) code_points.push_back(all.code_points[i]);
  std::sort(code_points.begin(), code_points.end());
  return TokenizerBuilder::characters(std::move(code_points), true);
}

Result<Tokenizer> train_words(std::string_view text, std::size_t vocab_size) {
  const auto status = check_vocab_size(vocab_size, 2, "at least 2 for words: the unknown token and a word");
  if (!status) return status.error();
  StringIndex words;
  std::vector<std::uint32_t> counts;
  std::size_t total = 0;
  const auto emit = [&](std::string_view piece) {
    const std::uint32_t word = words.add(piece);
    if (word == counts.size()) counts.push_back(0);
    ++counts[word];
    ++total;
  };
  for_each_word_token(text, emit, class_of_piece);
  if (total < 2) return text_too_poor("a single word", "at least two words or marks");
  StringIndex tokens;
  tokens.append(kUnknownToken);
  for (const std::uint32_t word : by_frequency(counts)) {
    if (tokens.size() == vocab_size) break;
    tokens.append(words.at(word));
  }
  return TokenizerBuilder::words(std::move(tokens));
}

Result<Tokenizer> train_bpe(std::string_view text, std::size_t vocab_size) {
  const auto status =
      check_vocab_size(vocab_size, kSmallestBpeVocabSize, "at least 256 for bpe: every byte is a token");
  if (!status) return status.error();
  if (text.size() < 2) return text_too_poor("a single byte", "at least two bytes");
  auto merges = learn_merges(text, vocab_size - kByteTokens);
  if (!merges) return merges.error();
  return TokenizerBuilder::bpe(std::move(merges).value());
}

}  // namespace

Result<Tokenizer> train_tokenizer(std::string_view text, const TokenizerOptions& options) {
  if (text.empty()) return text_too_poor("empty", "at least two tokens");
  if (text.size() > kLongestText) {
    return make_error(ErrorCode::kInvalidArgument, "text length", text.size(), "at most 2147483647 bytes");
  }
  if (options.kind != TokenizerKind::kBpe) {
    if (auto utf8 = check_utf8(text); !utf8) return utf8.error();
  }
  switch (options.kind) {
    case TokenizerKind::kCharacter:
      return train_characters(text, options.vocab_size);
    case TokenizerKind::kWord:
      return train_words(text, options.vocab_size.value_or(kDefaultWordVocabSize));
    case TokenizerKind::kBpe:
      return train_bpe(text, options.vocab_size.value_or(kDefaultBpeVocabSize));
  }
  return make_error(ErrorCode::kInvalidArgument, "kind", static_cast<std::uint32_t>(options.kind), "0, 1 or 2");
}

}  // namespace tied
