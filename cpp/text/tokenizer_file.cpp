// The file of a tokenizer. All numbers are little-endian, 32 bits.
//
//   offset  what
//   0       "tied-tok"
//   8       version, 1
//   12      kind (TokenizerKind)
//   16      1 where there is an unknown token, else 0; kBpe: bytes of its own alphabet, 0 = all 256
//   20      number of entries
//   24      bytes of all entries
//   28      FNV-1a hash of everything but these four bytes
//   32      entries
//             kCharacter: code points, ascending
//             kWord: length and bytes of every token, the unknown token first
//             kBpe: the bytes of its own alphabet, one number each, ascending; left id, right id of every merge, ids
//               being those of the alphabet of all bytes
//             kLlama2c: score (f32), length and bytes of every token, as in a file of llama2.c
#include <algorithm>

#include "text/bpe.h"
#include "text/limits.h"
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

// What is wrong with a file, in a form that costs little to return: "<what> <number> at byte <position>".
struct Complaint {
  const char* what = nullptr;  // null where nothing is wrong
  std::uint32_t number = 0;
  std::size_t position = 0;
  const char* expected = nullptr;
};

Status error_of(const Complaint& complaint) {
  std::string value = complaint.what;
  if (value.back() == ' ') value += text_of(complaint.number);
  value += " at byte ";
  value += text_of(complaint.position);
  return make_error(ErrorCode::kBadFile, "tokenizer file", value, complaint.expected);
}

struct Parts {
  std::uint32_t kind = 0;
  std::uint32_t has_unknown = 0;
  std::vector<std::uint32_t> characters;
  StringIndex words;
  std::vector<TokenPair> merges;
  std::string alphabet;
  std::vector<std::uint32_t> scores;
};

Complaint read_character(Parts& parts, Reader& reader, std::uint32_t) {
  const std::size_t position = reader.position();
  const std::uint32_t code_point = reader.number();
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    return {"code point ", code_point, position, "a character of Unicode"};
  }
  if (!parts.characters.empty() && code_point <= parts.characters.back()) {
    return {"code point ", code_point, position, "code points in ascending order"};
  }
  parts.characters.push_back(static_cast<char32_t>(code_point));
  return {};
}

Complaint read_word(Parts& parts, Reader& reader, std::uint32_t entry) {
  const std::size_t position = reader.position();
  const std::string_view token = reader.take(reader.number());
  if (reader.failed()) return {};
  if (first_invalid_byte(token) != token.size()) return {"token ", entry, position, "UTF-8"};
  if (entry == 0 && token != kUnknownToken) return {"token ", entry, position, "<unk>"};
  if (parts.words.add(token) != entry) return {"token ", entry, position, "every token once"};
  return {};
}

// Bytes of tokens, 0 of those outside of the alphabet: as in learning, none may be longer than kLongestBpeToken.
struct MergeChecks {
  std::vector<std::uint32_t> lengths;
  PairIndex known;
};

Complaint read_merge(Parts& parts, MergeChecks& checks, Reader& reader, std::uint32_t entry) {
  const std::size_t position = reader.position();
  TokenPair pair;
  pair.left = reader.number();
  pair.right = reader.number();
  if (pair.left >= checks.lengths.size() || pair.right >= checks.lengths.size() || checks.lengths[pair.left] == 0 ||
      checks.lengths[pair.right] == 0) {
    return {"merge ", entry, position, "a merge of two tokens that come before it"};
  }
  const std::uint32_t length = checks.lengths[pair.left] + checks.lengths[pair.right];
  if (length > kLongestBpeToken) return {"merge ", entry, position, "tokens of at most 256 bytes"};
  if (checks.known.find_or_insert(pair, entry) != entry) return {"merge ", entry, position, "every pair once"};
  checks.lengths.push_back(length);
  parts.merges.push_back(pair);
  return {};
}

// Of an f32: all ones where it is infinite or NaN.
constexpr std::uint32_t kExponent = 0x7F800000u;
constexpr std::uint32_t kFewestScoredTokens = kFirstScoredByte + kByteTokens;

Complaint read_scored_token(Parts& parts, Reader& reader, std::uint32_t longest) {
  const auto entry = static_cast<std::uint32_t>(parts.scores.size());
  const std::size_t position = reader.position();
  const std::uint32_t score = reader.number();
  const std::uint32_t length = reader.number();
  if (reader.failed()) return {};
  if ((score & kExponent) == kExponent) return {"token ", entry, position, "a finite score"};
  if (length < 1 || length > longest) return {"token ", entry, position, "1 byte to the length of the longest"};
  const std::string_view token = reader.take(length);
  if (reader.failed()) return {};
  const std::uint32_t byte = entry - kFirstScoredByte;
  if (byte < kByteTokens) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const char name[] = {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
    if (token != std::string_view(name, sizeof(name))) {
      return {"token ", entry, position, "the bytes <0x00> to <0xFF> as tokens 3 to 258"};
    }
  }
  parts.words.append(token);
  parts.scores.push_back(score);
  return {};
}

constexpr Complaint too_early(const Reader& reader) {
  return {"at its end too early", 0, reader.position(), "all entries that it announces"};
}

Complaint read_alphabet(Parts& parts, MergeChecks& checks, Reader& reader) {
  const bool has_own = parts.kind == 2 && parts.has_unknown > 0;
  checks.lengths.assign(kByteTokens, has_own ? 0 : 1);
  for (std::uint32_t i = 0; has_own && i < parts.has_unknown; ++i) {
    const std::size_t position = reader.position();
    const std::uint32_t byte = reader.number();
    if (reader.failed()) return too_early(reader);
    const bool ascends = i == 0 || byte > static_cast<unsigned char>(parts.alphabet.back());
    if (byte >= kByteTokens || !ascends) return {"byte ", byte, position, "bytes in ascending order"};
    checks.lengths[byte] = 1;
    parts.alphabet.push_back(static_cast<char>(byte));
  }
  return {};
}

Complaint read_entries(Parts& parts, Reader& reader, std::uint32_t entries) {
  MergeChecks checks;
  if (const Complaint complaint = read_alphabet(parts, checks, reader); complaint.what != nullptr) return complaint;
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    const Complaint complaint = parts.kind == 0   ? read_character(parts, reader, entry)
                                : parts.kind == 1 ? read_word(parts, reader, entry)
                                : parts.kind == 2 ? read_merge(parts, checks, reader, entry)
                                                  : read_scored_token(parts, reader, kLongestBpeToken);
    if (reader.failed()) return too_early(reader);
    if (complaint.what != nullptr) return complaint;
  }
  if (!reader.at_end()) return {"more bytes", 0, reader.position(), "its end after the last entry"};
  return {};
}

Complaint read_file(Parts& parts, std::string_view bytes) {
  Reader reader(bytes);
  if (reader.take(kMagic.size()) != kMagic) return {"not marked as one", 0, 0, "a file that begins with tied-tok"};
  if (bytes.size() < kHeaderBytes) return {"at its end too early", 0, bytes.size(), "a header of 32 bytes"};
  if (const std::uint32_t version = reader.number(); version != kVersion) {
    return {"version ", version, 8, "version 1"};
  }
  parts.kind = reader.number();
  parts.has_unknown = reader.number();
  const std::uint32_t entries = reader.number();
  const std::uint32_t entry_bytes = reader.number();
  const std::uint32_t hash = reader.number();
  const bool is_word = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kWord);
  const bool is_bpe = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kBpe);
  const bool is_scored = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kLlama2c);
  if (parts.kind > 3) return {"kind ", parts.kind, 12, "0, 1, 2 or 3"};
  if (parts.has_unknown > (is_bpe ? kByteTokens : is_scored ? 0u : 1u) || parts.has_unknown < (is_word ? 1u : 0u)) {
    return {"unknown token or alphabet ", parts.has_unknown, 16, "what the kind allows"};
  }
  if (entry_bytes != bytes.size() - kHeaderBytes) {
    return {"bytes of entries ", entry_bytes, 24, "as many as there are"};
  }
  if (hash != hash_of_file(bytes)) return {"changed", 0, kHashOffset, "the bytes that were saved"};
  const std::uint32_t fewest = is_scored ? kFewestScoredTokens : is_word || parts.has_unknown == 0 ? 2 : 1;
  const bool is_too_few = is_bpe ? parts.has_unknown == 1 && entries == 0 : entries < fewest;
  if (is_too_few || (is_bpe && entries > kMostBpeMerges)) {
    return {"entries ", entries, 20, "as many tokens as the kind allows"};
  }
  return read_entries(parts, reader, entries);
}

// Tokens take more memory than their entries: a merge of 8 bytes can make a token of 256.
Status check_file_memory(std::string_view bytes) {
  constexpr std::uint64_t kBytesPerByte = 8 + kLongestBpeToken / 8;
  const std::uint64_t most =
      std::min(kBytesPerByte * bytes.size(), std::uint64_t{8} * bytes.size() + kLongestBpeToken * kLargestBpeVocabSize);
  return check_memory("tokenizer file length", bytes.size(), most);
}

// The tokens of a vocabulary and every way to split one into two take more memory than their bytes.
Result<Tokenizer> scored_tokenizer(Parts& parts) {
  constexpr std::uint64_t kMemoryPerByte = 80;
  const std::size_t size = parts.words.total_bytes();
  if (auto memory = check_memory("tokenizer file length", size, kMemoryPerByte * size); !memory) return memory;
  return TokenizerBuilder::llama2c(std::move(parts.words), std::move(parts.scores));
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
      for (const char byte : bytes_) append_number(entries, static_cast<unsigned char>(byte));
      for (const TokenPair& merge : merges_) {
        append_number(entries, merge.left);
        append_number(entries, merge.right);
      }
      break;
    case TokenizerKind::kLlama2c:
      count = scores_.size();
      for (std::uint32_t id = 0; id < count; ++id) {
        append_number(entries, scores_[id]);
        append_number(entries, static_cast<std::uint32_t>(tokens_.at(id).size()));
        entries += tokens_.at(id);
      }
      break;
  }
  std::string file(kMagic);
  append_number(file, kVersion);
  append_number(file, static_cast<std::uint32_t>(kind_));
  append_number(file, kind_ == TokenizerKind::kBpe ? static_cast<std::uint32_t>(bytes_.size()) : has_unknown_ ? 1 : 0);
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
  if (auto memory = check_file_memory(bytes); !memory) return memory;
  Parts parts;
  const Complaint complaint = read_file(parts, bytes);
  if (complaint.what != nullptr) return error_of(complaint);
  switch (static_cast<TokenizerKind>(parts.kind)) {
    case TokenizerKind::kCharacter:
      return TokenizerBuilder::characters(std::move(parts.characters), parts.has_unknown == 1);
    case TokenizerKind::kWord:
      return TokenizerBuilder::words(std::move(parts.words));
    case TokenizerKind::kBpe:
      break;
    case TokenizerKind::kLlama2c:
      return scored_tokenizer(parts);
  }
  return TokenizerBuilder::bpe(std::move(parts.merges), std::move(parts.alphabet));
}

Result<Tokenizer> load_llama2c_tokenizer(std::string_view bytes) {
  if (auto memory = check_file_memory(bytes); !memory) return memory;
  Parts parts;
  Reader reader(bytes);
  const std::uint32_t longest = reader.number();
  Complaint complaint;
  if (longest < 1 || longest > kLongestBpeToken) complaint = {"longest token ", longest, 0, "1 to 256 bytes"};
  while (complaint.what == nullptr && !reader.failed() && !reader.at_end()) {
    complaint = read_scored_token(parts, reader, longest);
  }
  // A number that is cut reads as 0: that the file has ended is what is wrong then.
  if (reader.failed()) complaint = too_early(reader);
  if (complaint.what == nullptr && parts.scores.size() < kFewestScoredTokens) {
    complaint = {"at its end too early", 0, reader.position(), "at least 259 tokens"};
  }
  if (complaint.what != nullptr) return error_of(complaint);
  return scored_tokenizer(parts);
}

}  // namespace tied
