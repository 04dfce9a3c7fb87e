// Learns the vocabulary of a text.
#include "text/tokenizer_training.h"

#include <algorithm>
#include <array>

#include "base/memory.h"
#include "text/bpe_pieces.h"
#include "text/key_heap.h"
#include "text/limits.h"
#include "text/tokenizer_builder.h"
#include "text/utf8.h"

namespace tied {
namespace {

// Numbers of `counts` by descending count, ties by the smaller number; at most `most` of them. Errors: kOutOfMemory.
Result<std::vector<std::uint32_t>> most_frequent(const std::vector<std::uint32_t>& counts, std::size_t most) {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> order;
  if (!try_reserve(keys, counts.size()) || !try_reserve(order, std::min(counts.size(), most))) {
    return out_of_memory("vocab_size", most);
  }
  for (std::uint32_t i = 0; i < counts.size(); ++i) keys.push_back(key_of(~counts[i], i));
  sort_keys(keys);
  for (std::size_t i = 0; i < keys.size() && i < most; ++i) order.push_back(number_of(keys[i]));
  return order;
}

Status text_too_poor(std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kInvalidArgument, "text", value, expected);
}

Status check_vocab_size(std::size_t vocab_size, std::size_t smallest, std::string_view expected) {
  if (vocab_size >= smallest) return {};
  return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size, expected);
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

}  // namespace

Status TokenizerTraining::start() {
  if (text_.empty()) return text_too_poor("empty", "at least two tokens");
  if (text_.size() > kLongestText) {
    return make_error(ErrorCode::kInvalidArgument, "text length", text_.size(), "at most 2147483647 bytes");
  }
  if (options_.kind != TokenizerKind::kBpe) {
    if (auto utf8 = check_utf8(text_); !utf8) return utf8;
  }
  switch (options_.kind) {
    case TokenizerKind::kCharacter:
      return check_vocab_size(vocab_size(2), 2, "at least 2 for characters");
    case TokenizerKind::kWord:
      return check_vocab_size(vocab_size(kDefaultWordVocabSize), 2,
                              "at least 2 for words: the unknown token and a word");
    case TokenizerKind::kBpe:
      return start_bpe();
    case TokenizerKind::kLlama2c:
    case TokenizerKind::kGpt2:
      break;
  }
  return make_error(ErrorCode::kInvalidArgument, "kind", static_cast<std::uint32_t>(options_.kind), "0, 1 or 2");
}

Status TokenizerTraining::start_bpe() {
  if (options_.alphabet == Alphabet::kText) alphabet_ = alphabet_of(text_);
  const std::size_t smallest = alphabet_.empty() ? kSmallestBpeVocabSize : std::max<std::size_t>(alphabet_.size(), 2);
  if (vocab_size(kDefaultBpeVocabSize) < smallest) {
    return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size(kDefaultBpeVocabSize),
                      "at least " + text_of(smallest) + " for bpe: every byte is a token");
  }
  if (text_.size() < 2) return text_too_poor("a single byte", "at least two bytes");
  return {};
}

double TokenizerTraining::share() const {
  const double cut = static_cast<double>(cursor_.position) / static_cast<double>(text_.size());
  if (options_.kind != TokenizerKind::kBpe) return cut;
  return (cut + (merges_ ? merges_->share() : 0)) / 2;
}

Status TokenizerTraining::advance(std::size_t bytes) {
  if (merges_) {
    if (!merges_->advance(bytes)) return out_of_memory("text length", text_.size());
    return {};
  }
  auto status = cut(cursor_.position + std::clamp<std::size_t>(bytes, 1, text_.size() - cursor_.position));
  if (!status) return status;
  return is_cut() && options_.kind == TokenizerKind::kBpe ? start_merging() : Status();
}

void TokenizerTraining::count(std::string_view piece) {
  if (!out_of_memory_) out_of_memory_ = !count_number(counts_, pieces_.add(piece));
  ++total_;
}

Status TokenizerTraining::cut(std::size_t end) {
  if (options_.kind == TokenizerKind::kWord) {
    for_each_word_token(text_, cursor_, end, [this](std::string_view piece) { count(piece); }, class_of_piece);
  } else {
    while (cursor_.position < end && !out_of_memory_) {
      const std::size_t begin = cursor_.position;
      cursor_.position = options_.kind == TokenizerKind::kCharacter ? begin + decode_character(text_, begin).size
                                                                    : end_of_bpe_piece(text_, begin);
      count(text_.substr(begin, cursor_.position - begin));
    }
  }
  if (out_of_memory_) return out_of_memory("text length", text_.size());
  return {};
}

Status TokenizerTraining::start_merging() {
  auto memory = check_memory("text length", text_.size(), MergeLearner::bytes_needed(pieces_));
  if (!memory) return memory;
  const std::size_t bytes = alphabet_.empty() ? kByteTokens : alphabet_.size();
  merges_.emplace(pieces_, counts_, std::min(vocab_size(kDefaultBpeVocabSize) - bytes, kMaxBpeMerges));
  return {};
}

Result<Tokenizer> TokenizerTraining::take_tokenizer() {
  TIED_ASSERT(finished());
  if (merges_) return bpe();
  return options_.kind == TokenizerKind::kWord ? words() : characters();
}

Result<Tokenizer> TokenizerTraining::characters() {
  if (pieces_.size() < 2) return text_too_poor("one and the same character throughout", "at least two different ones");
  // More than everything below takes. A text has few distinct characters.
  constexpr std::uint64_t kBytesPerCharacter = 64;
  if (auto memory = check_memory("text length", text_.size(), kBytesPerCharacter * pieces_.size()); !memory) {
    return memory;
  }
  // Ties go to the smaller code point, so code points are sorted before they are ranked.
  std::vector<std::uint64_t> ascending;
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
    ascending.push_back(key_of(static_cast<std::uint32_t>(decode_character(pieces_.at(i), 0).code_point), counts_[i]));
  }
  sort_keys(ascending);
  const std::size_t most = vocab_size(ascending.size());
  const bool has_unknown = most < ascending.size();
  std::vector<std::uint8_t> has_token(ascending.size(), has_unknown ? 0 : 1);
  if (has_unknown) {
    for (std::size_t i = 0; i < ascending.size(); ++i) counts_[i] = number_of(ascending[i]);
    auto frequent = most_frequent(counts_, most - 1);
    if (!frequent) return frequent.failure();
    for (const std::uint32_t i : frequent.value()) has_token[i] = 1;
  }
  std::vector<std::uint32_t> code_points;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    if (has_token[i] != 0) code_points.push_back(static_cast<char32_t>(ascending[i] >> 32));
  }
  return TokenizerBuilder::characters(std::move(code_points), has_unknown);
}

Result<Tokenizer> TokenizerTraining::words() {
  if (total_ < 2) return text_too_poor("a single word", "at least two words or marks");
  auto frequent = most_frequent(counts_, vocab_size(kDefaultWordVocabSize) - 1);
  if (!frequent) return frequent.failure();
  StringIndex tokens;
  tokens.append(kUnknownToken);
  for (const std::uint32_t word : frequent.value()) tokens.append(pieces_.at(word));
  return TokenizerBuilder::words(std::move(tokens));
}

Result<Tokenizer> TokenizerTraining::bpe() {
  auto merges = merges_->take_merges();
  const std::size_t bytes = alphabet_.empty() ? kByteTokens : alphabet_.size();
  if (bytes + merges.size() == 1) return text_too_poor("a single byte, again and again", "at least two tokens");
  return TokenizerBuilder::bpe(std::move(merges), std::move(alphabet_));
}

Result<Tokenizer> train_tokenizer(std::string_view text, const TokenizerOptions& options) {
  TokenizerTraining training(text, options);
  if (auto status = training.start(); !status) return status;
  // In parts, so it stops soon after memory runs out.
  constexpr std::size_t kPartBytes = std::size_t{1} << 20;
  while (!training.finished()) {
    if (auto status = training.advance(kPartBytes); !status) return status;
  }
  return training.take_tokenizer();
}

}  // namespace tied
