#include "text/tokenizer.h"

#include "base/memory.h"
#include "base/token_ids.h"
#include "text/bpe.h"
#include "text/limits.h"
#include "text/text_encoding.h"
#include "text/tokenizer_builder.h"
#include "text/utf8.h"
#include "text/word_pieces.h"

namespace tied {
namespace {

constexpr std::uint32_t kLlama2cStart = 1;

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) out.push_back("0123456789ABCDEF"[value >> (4 * i) & 15]);
}

void append_printable(std::string& out, char32_t code_point) {
  constexpr char32_t kControlPictures = 0x2400;
  switch (code_point) {
    case U' ':
      append_character(out, 0x2423);
      return;
    case U'\n':
      append_character(out, 0x23CE);
      return;
    case U'\t':
      append_character(out, 0x21E5);
      return;
    case 0x7F:
      append_character(out, 0x2421);
      return;
    default:
      append_character(out, code_point < 0x20 ? kControlPictures + code_point : code_point);
  }
}

}  // namespace

Status unknown_character(char32_t code_point, std::size_t position) {
  std::string value;
  append_printable(value, code_point);
  value += " (U+";
  append_hex(value, static_cast<std::uint32_t>(code_point), code_point > 0xFFFF ? 6 : 4);
  value += ") at byte " + text_of(position);
  return make_error(ErrorCode::kInvalidArgument, "text", value,
                    "characters of the text that the tokenizer was trained on");
}

Status check_utf8(std::string_view text) {
  const std::size_t position = first_invalid_byte(text);
  if (position == text.size()) return {};
  std::string value = "0x";
  append_hex(value, static_cast<unsigned char>(text[position]), 2);
  value += " at byte " + text_of(position);
  return make_error(ErrorCode::kInvalidArgument, "text", value, "UTF-8");
}

Result<Tokenizer> TokenizerBuilder::characters(std::vector<std::uint32_t> ascending, bool has_unknown) {
  Tokenizer tokenizer;
  tokenizer.kind_ = TokenizerKind::kCharacter;
  tokenizer.has_unknown_ = has_unknown;
  if (has_unknown) tokenizer.tokens_.append(kUnknownToken);
  std::string bytes;
  for (const char32_t code_point : ascending) {
    bytes.clear();
    append_character(bytes, code_point);
    tokenizer.tokens_.append(bytes);
  }
  tokenizer.characters_ = std::move(ascending);
  return complete(std::move(tokenizer));
}

Result<Tokenizer> TokenizerBuilder::words(StringIndex tokens) {
  Tokenizer tokenizer;
  tokenizer.kind_ = TokenizerKind::kWord;
  tokenizer.has_unknown_ = true;
  tokenizer.tokens_ = std::move(tokens);
  return complete(std::move(tokenizer));
}

Result<Tokenizer> TokenizerBuilder::bpe(std::vector<TokenPair> merges, std::string alphabet) {
  Tokenizer tokenizer;
  tokenizer.kind_ = TokenizerKind::kBpe;
  StringIndex all;
  for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
    const char text = static_cast<char>(byte);
    all.append({&text, 1});
  }
  std::string bytes;
  for (std::uint32_t i = 0; i < merges.size() && !all.out_of_memory(); ++i) {
    bytes = all.at(merges[i].left);
    bytes += all.at(merges[i].right);
    all.append(bytes);
    tokenizer.merged_.find_or_insert(merges[i], i);
  }
  if (all.out_of_memory()) return out_of_memory("vocab_size", kByteTokens + merges.size());
  if (alphabet.empty()) {
    tokenizer.tokens_ = std::move(all);
  } else {
    for (std::size_t i = 0; i < alphabet.size(); ++i) tokenizer.tokens_.append({alphabet.data() + i, 1});
    for (std::uint32_t id = kByteTokens; id < all.size(); ++id) tokenizer.tokens_.append(all.at(id));
  }
  tokenizer.bytes_ = std::move(alphabet);
  tokenizer.merges_ = std::move(merges);
  return complete(std::move(tokenizer));
}

Result<Tokenizer> TokenizerBuilder::llama2c(StringIndex tokens, std::vector<std::uint32_t> scores) {
  Tokenizer tokenizer;
  tokenizer.kind_ = TokenizerKind::kLlama2c;
  tokenizer.cuts_words_ = true;
  for (std::uint32_t id = 0; id < tokens.size() && !tokenizer.merged_.out_of_memory(); ++id) {
    const std::string_view text = tokens.at(id);
    // Of several tokens with the same text, only the first counts: it is the one that `find` returns.
    for (std::size_t i = 1; i < text.size() && tokens.find(text) == id; ++i) {
      const TokenPair pair{tokens.find(text.substr(0, i)), tokens.find(text.substr(i))};
      if (pair.left == StringIndex::kNone || pair.right == StringIndex::kNone) continue;
      tokenizer.merged_.find_or_insert(pair, id);
      if (text[i] == ' ' && text[i - 1] != ' ') tokenizer.cuts_words_ = false;
    }
  }
  for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) tokenizer.bytes_.push_back(static_cast<char>(byte));
  tokenizer.tokens_ = std::move(tokens);
  tokenizer.scores_ = std::move(scores);
  return complete(std::move(tokenizer));
}

Result<Tokenizer> TokenizerBuilder::gpt2(StringIndex tokens, std::vector<TokenPair> merges,
                                         std::vector<std::uint32_t> made) {
  Tokenizer tokenizer;
  tokenizer.kind_ = TokenizerKind::kGpt2;
  for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
    const char text = static_cast<char>(byte);
    tokenizer.byte_ids_.push_back(tokens.find({&text, 1}));
  }
  for (std::uint32_t i = 0; i < merges.size() && !tokenizer.merged_.out_of_memory(); ++i) {
    tokenizer.merged_.find_or_insert(merges[i], i);
  }
  tokenizer.tokens_ = std::move(tokens);
  tokenizer.merges_ = std::move(merges);
  tokenizer.made_ = std::move(made);
  return complete(std::move(tokenizer));
}

// The tokenizer, unless memory ran out while its indexes were filled.
Result<Tokenizer> TokenizerBuilder::complete(Tokenizer tokenizer) {
  if (tokenizer.tokens_.out_of_memory() || tokenizer.merged_.out_of_memory()) {
    return out_of_memory("vocab_size", tokenizer.vocab_size());
  }
  return tokenizer;
}

std::optional<std::uint32_t> Tokenizer::start_token() const {
  if (kind_ != TokenizerKind::kLlama2c) return std::nullopt;
  return kLlama2cStart;
}

std::string_view Tokenizer::token(std::uint32_t id) const {
  const std::uint32_t byte = id - kFirstScoredByte;
  if (kind_ == TokenizerKind::kLlama2c && byte < bytes_.size()) return {bytes_.data() + byte, 1};
  return tokens_.at(id);
}

// False if memory runs out.
bool Tokenizer::append_printable_token(std::string& out, std::uint32_t id) const {
  const std::string_view bytes = tokens_.at(id);
  // Enough for any of the parts that are appended below.
  constexpr std::size_t kMaxPart = 8;
  if (!try_reserve(out, kMaxPart)) return false;
  if (kind_ == TokenizerKind::kWord && bytes.empty()) {
    out += "<join>";
    return true;
  }
  if (has_unknown_ && id == kUnknownId) {
    out += kUnknownToken;
    return true;
  }
  for (std::size_t position = 0; position < bytes.size();) {
    if (!try_reserve(out, kMaxPart)) return false;
    const DecodedCharacter character = decode_character(bytes, position);
    if (character.valid) {
      append_printable(out, character.code_point);
    } else {
      out += "<0x";
      append_hex(out, static_cast<unsigned char>(bytes[position]), 2);
      out += '>';
    }
    position += character.size;
  }
  return true;
}

Result<std::string> Tokenizer::printable(std::uint32_t id) const {
  std::string text;
  if (!append_printable_token(text, id)) return out_of_memory("id", id);
  return text;
}

Result<std::string> Tokenizer::all_printable() const {
  std::string all;
  for (std::uint32_t id = 0; id < vocab_size(); ++id) {
    if (!append_printable_token(all, id) || !try_reserve(all)) return out_of_memory("vocab_size", vocab_size());
    all += '\0';
  }
  return all;
}

Result<std::vector<std::uint32_t>> Tokenizer::encode(std::string_view text) const {
  TextEncoding encoding(*this, text);
  if (auto status = encoding.start(); !status) return status;
  while (!encoding.finished()) {
    if (auto status = encoding.advance(text.size()); !status) return status;
  }
  return encoding.take_ids();
}

Result<std::string> Tokenizer::decode(std::span<const std::uint32_t> ids) const {
  if (auto status = check_token_ids("ids", ids, vocab_size()); !status) return status;
  std::uint64_t size = 0;
  for (const std::uint32_t id : ids) size += token(id).size() + 1;
  if (auto memory = check_memory("ids length", ids.size(), size); !memory) return memory;
  std::string text;
  text.reserve(static_cast<std::size_t>(size));
  if (kind_ == TokenizerKind::kWord) {
    decode_words(text, ids);
  } else if (kind_ == TokenizerKind::kLlama2c) {
    decode_llama2c(text, ids);
  } else {
    for (const std::uint32_t id : ids) text += token(id);
  }
  return text;
}

void Tokenizer::decode_words(std::string& text, std::span<const std::uint32_t> ids) const {
  SpacingRule rule;
  std::size_t spaces = 0;
  bool spacing_is_given = false;
  for (const std::uint32_t id : ids) {
    const std::string_view piece = token(id);
    if (piece == kJoinPiece || piece == kSpacePiece) {
      spaces += piece.size();
      spacing_is_given = true;
      continue;
    }
    const PieceClass piece_class = id == kUnknownId ? PieceClass::kWord : class_of_piece(piece);
    text.append(spacing_is_given ? spaces : rule.expected_before(piece_class), ' ');
    text += piece;
    rule.advance(piece_class);
    spaces = 0;
    spacing_is_given = false;
  }
  text.append(spaces, ' ');
}

// A start token removes the space that encoding adds, and is itself nothing at the start of a text.
void Tokenizer::decode_llama2c(std::string& text, std::span<const std::uint32_t> ids) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i == 0 && ids[i] == kLlama2cStart) continue;
    std::string_view piece = token(ids[i]);
    if (i > 0 && ids[i - 1] == kLlama2cStart && piece[0] == ' ') piece.remove_prefix(1);
    text += piece;
  }
}

}  // namespace tied
