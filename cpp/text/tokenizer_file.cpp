// The file of a tokenizer. All numbers are little-endian, 32 bits.
//
//   offset  what
//   0       "tied-tok"
//   8       version, 1
//   12      kind (TokenizerKind)
//   16      1 where there is an unknown token, else 0
//   20      number of entries
//   24      bytes of all entries
//   28      FNV-1a hash of everything but these four bytes
//   32      entries
//             kCharacter: code points, ascending
//             kWord: length and bytes of every token, the unknown token first
//             kBpe: left id, right id of every merge
#include <cstring>

#include "text/bpe.h"
#include "text/memory.h"
#include "text/tokenizer.h"
#include "text/tokenizer_builder.h"
#include "text/utf8.h"

namespace tied {
namespace {

constexpr std::string_view kMagic = "tied-tok";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHashOffset = 28;
constexpr std::size_t kHeaderBytes = 32;

void append_number(std::string& out, std::uint32_t number) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

std::uint32_t hash_of_file(std::string_view bytes) {
  std::uint32_t hash = 2166136261u;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i >= kHashOffset && i < kHeaderBytes) continue;
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 16777619u;
  }
  return hash;
}

// Reads from the front. What is not there reads as nothing and sets `failed`.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(std::size_t size) {
    if (size > bytes_.size() - position_) {
      failed_ = true;
      size = 0;
    }
    position_ += size;
    return bytes_.substr(position_ - size, size);
  }
  std::uint32_t number() {
    const std::string_view bytes = take(4);
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      result |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return result;
  }
  std::size_t position() const { return position_; }
  bool failed() const { return failed_; }
  bool at_end() const { return position_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

Error bad_file(std::string_view what, std::size_t position, std::string_view expected) {
  return Error{ErrorCode::kBadFile, "tokenizer file", std::string(what) + " at byte " + text_of(position),
               std::string(expected)};
}

Error ended(const Reader& reader) {
  return bad_file("at its end too early", reader.position(), "all entries that it announces");
}

Result<Tokenizer> read_characters(Reader reader, std::uint32_t entries, bool has_unknown) {
  std::vector<char32_t> code_points;
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t position = reader.position();
    const std::uint32_t code_point = reader.number();
    if (reader.failed()) return ended(reader);
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
      return bad_file("code point " + text_of(code_point), position, "a character of Unicode");
    }
    if (i > 0 && code_point <= code_points.back()) {
      return bad_file("code point " + text_of(code_point), position, "code points in ascending order");
    }
    code_points.push_back(static_cast<char32_t>(code_point));
  }
  if (!reader.at_end()) return bad_file("more bytes", reader.position(), "its end after the last entry");
  return TokenizerBuilder::characters(std::move(code_points), has_unknown);
}

Result<Tokenizer> read_words(Reader reader, std::uint32_t entries) {
  StringIndex tokens;
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t position = reader.position();
    const std::string_view token = reader.take(reader.number());
    if (reader.failed()) return ended(reader);
    if (first_invalid_byte(token) != token.size()) return bad_file("a token", position, "UTF-8");
    if (i == 0 && token != kUnknownToken) return bad_file("the first token", position, "<unk>");
    if (tokens.add(token) != i) return bad_file("a token", position, "every token once");
  }
  if (!reader.at_end()) return bad_file("more bytes", reader.position(), "its end after the last entry");
  return TokenizerBuilder::words(std::move(tokens));
}

Result<Tokenizer> read_merges(Reader reader, std::uint32_t entries) {
  std::vector<TokenPair> merges;
  std::vector<std::size_t> lengths(kByteTokens, 1);
  PairIndex known;
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t position = reader.position();
    TokenPair pair;
    pair.left = reader.number();
    pair.right = reader.number();
    if (reader.failed()) return ended(reader);
    if (pair.left >= lengths.size() || pair.right >= lengths.size()) {
      return bad_file("merge " + text_of(i), position, "a merge of two tokens that come before it");
    }
    const std::size_t length = lengths[pair.left] + lengths[pair.right];
    if (length > kLongestBpeToken) return bad_file("merge " + text_of(i), position, "tokens of at most 256 bytes");
    if (known.find_or_insert(pair, i) != i) return bad_file("merge " + text_of(i), position, "every pair once");
    lengths.push_back(length);
    merges.push_back(pair);
  }
  if (!reader.at_end()) return bad_file("more bytes", reader.position(), "its end after the last entry");
  return TokenizerBuilder::bpe(std::move(merges));
}

}  // namespace

std::string Tokenizer::save() const {
  std::string entries;
  std::size_t count = 0;
  switch (kind_) {
    case TokenizerKind::kCharacter:
      count = characters_.size();
      for (const char32_t code_point : characters_) append_number(entries, static_cast<std::uint32_t>(code_point));
      break;
    case TokenizerKind::kWord:
      count = tokens_.size();
      for (std::uint32_t id = 0; id < count; ++id) {
        append_number(entries, static_cast<std::uint32_t>(token(id).size()));
        entries += token(id);
      }
      break;
    case TokenizerKind::kBpe:
      count = merges_.size();
      for (const TokenPair& merge : merges_) {
        append_number(entries, merge.left);
        append_number(entries, merge.right);
      }
      break;
  }
  std::string file(kMagic);
  append_number(file, kVersion);
  append_number(file, static_cast<std::uint32_t>(kind_));
  append_number(file, has_unknown_ ? 1 : 0);
  append_number(file, static_cast<std::uint32_t>(count));
  append_number(file, static_cast<std::uint32_t>(entries.size()));
  append_number(file, 0);
  file += entries;
  std::string hash;
  append_number(hash, hash_of_file(file));
  file.replace(kHashOffset, hash.size(), hash);
  return file;
}

Result<Tokenizer> load_tokenizer(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.take(kMagic.size()) != kMagic) return bad_file("not marked as one", 0, "a file that begins with tied-tok");
  if (bytes.size() < kHeaderBytes) return bad_file("at its end too early", bytes.size(), "a header of 32 bytes");
  if (const std::uint32_t version = reader.number(); version != kVersion) {
    return bad_file("version " + text_of(version), 8, "version 1");
  }
  const std::uint32_t kind = reader.number();
  const std::uint32_t has_unknown = reader.number();
  const std::uint32_t entries = reader.number();
  const std::uint32_t entry_bytes = reader.number();
  const std::uint32_t hash = reader.number();
  if (kind > 2) return bad_file("kind " + text_of(kind), 12, "0, 1 or 2");
  const auto which = static_cast<TokenizerKind>(kind);
  const bool may_have_unknown = which != TokenizerKind::kBpe;
  const bool must_have_unknown = which == TokenizerKind::kWord;
  if (has_unknown > (may_have_unknown ? 1 : 0) || (must_have_unknown && has_unknown == 0)) {
    return bad_file("unknown token " + text_of(has_unknown), 16, "0 or 1 as the kind allows");
  }
  if (entry_bytes != bytes.size() - kHeaderBytes) {
    return bad_file(text_of(bytes.size() - kHeaderBytes) + " bytes of entries", 24,
                    text_of(entry_bytes) + " bytes as announced");
  }
  if (hash != hash_of_file(bytes)) return bad_file("changed", kHashOffset, "the bytes that were saved");
  if (entries + (which == TokenizerKind::kCharacter ? has_unknown : 0) < 2 && which != TokenizerKind::kBpe) {
    return bad_file(text_of(entries) + " entries", 20, "at least two tokens");
  }
  // Tokens cost more in memory than in the file: a merge of 8 bytes can make 256.
  const std::uint64_t cost = which == TokenizerKind::kBpe ? kLongestBpeToken / 8 : 8;
  if (auto memory = check_memory("tokenizer file length", bytes.size(), cost * entry_bytes); !memory)
    return memory.error();

  switch (which) {
    case TokenizerKind::kCharacter:
      return read_characters(reader, entries, has_unknown == 1);
    case TokenizerKind::kWord:
      return read_words(reader, entries);
    case TokenizerKind::kBpe:
      return read_merges(reader, entries);
  }
  return bad_file("kind " + text_of(kind), 12, "0, 1 or 2");
}

}  // namespace tied
