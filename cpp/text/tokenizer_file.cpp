// The file format of a tokenizer. All numbers are little-endian, 32 bits.
//
//   offset  content
//   0       "tied-tok"
//   8       version, 1
//   12      kind (TokenizerKind)
//   16      1 if there is an unknown token, else 0
//             kBpe: number of bytes of its own alphabet, 0 = all 256
//             kGpt2: number of merges
//   20      number of entries
//   24      bytes of all entries
//   28      FNV-1a hash of the file without these four bytes
//   32      entries
//             kCharacter: code points, ascending
//             kWord: length and bytes of every token, the unknown token first
//             kBpe: the bytes of its own alphabet, one number each, ascending; left id and right id of every merge, in
//               ids of the alphabet of all bytes
//             kLlama2c: score (f32), length and bytes of every token, as in a file of llama2.c
//             kGpt2: length and bytes of every token; then, not counted as entries, for every merge the left id, the
//               right id and the id of the token that they make
#include <algorithm>

#include "base/byte_stream.h"
#include "base/hash.h"
#include "base/memory.h"
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

// Hash of all bytes except the hash itself.
std::uint32_t hash_of_file(std::string_view file) {
  const std::span<const std::uint8_t> bytes = bytes_of(file);
  return fnv1a_32(bytes.subspan(kHeaderBytes), fnv1a_32(bytes.first(kHashOffset)));
}

// A fault in a file, in a form that is cheap to return: "<what> <number> at byte <position>".
struct Fault {
  const char* what = nullptr;  // null if there is no fault
  std::uint32_t number = 0;
  std::size_t position = 0;
  const char* expected = nullptr;  // null if memory ran out
};

constexpr Fault kOutOfMemory = {"out of memory"};

Status error_of(const Fault& fault, std::size_t file_bytes) {
  if (fault.expected == nullptr) return out_of_memory("tokenizer file length", file_bytes);
  std::string value = fault.what;
  if (value.back() == ' ') value += text_of(fault.number);
  value += " at byte ";
  value += text_of(fault.position);
  return make_error(ErrorCode::kBadFile, "tokenizer file", value, fault.expected);
}

struct Parts {
  std::uint32_t kind = 0;
  std::uint32_t has_unknown = 0;
  std::vector<std::uint32_t> characters;
  StringIndex words;
  std::vector<TokenPair> merges;
  std::string alphabet;
  std::vector<std::uint32_t> scores;
  std::vector<std::uint32_t> made;
};

Fault read_character(Parts& parts, ByteReader& reader, std::uint32_t) {
  const std::size_t position = reader.position();
  const std::uint32_t code_point = reader.read<std::uint32_t>();
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    return {"code point ", code_point, position, "a character of Unicode"};
  }
  if (!parts.characters.empty() && code_point <= parts.characters.back()) {
    return {"code point ", code_point, position, "code points in ascending order"};
  }
  if (!try_reserve(parts.characters)) return kOutOfMemory;
  parts.characters.push_back(static_cast<char32_t>(code_point));
  return {};
}

Fault read_word(Parts& parts, ByteReader& reader, std::uint32_t entry) {
  const std::size_t position = reader.position();
  const std::string_view token = reader.read_text(reader.read<std::uint32_t>());
  if (reader.failed()) return {};
  if (first_invalid_byte(token) != token.size()) return {"token ", entry, position, "UTF-8"};
  if (entry == 0 && token != kUnknownToken) return {"token ", entry, position, "<unk>"};
  const std::uint32_t number = parts.words.add(token);
  if (number == StringIndex::kNone) return kOutOfMemory;
  if (number != entry) return {"token ", entry, position, "every token once"};
  return {};
}

// Lengths of tokens in bytes, 0 for those outside the alphabet. As in learning, at most kLongestBpeToken.
struct MergeChecks {
  std::vector<std::uint32_t> lengths;
  PairIndex known;
};

Fault read_merge(Parts& parts, MergeChecks& checks, ByteReader& reader, std::uint32_t entry) {
  const std::size_t position = reader.position();
  TokenPair pair;
  pair.left = reader.read<std::uint32_t>();
  pair.right = reader.read<std::uint32_t>();
  if (pair.left >= checks.lengths.size() || pair.right >= checks.lengths.size() || checks.lengths[pair.left] == 0 ||
      checks.lengths[pair.right] == 0) {
    return {"merge ", entry, position, "a merge of two tokens that come before it"};
  }
  const std::uint32_t length = checks.lengths[pair.left] + checks.lengths[pair.right];
  if (length > kLongestBpeToken) return {"merge ", entry, position, "tokens of at most 256 bytes"};
  const std::uint32_t number = checks.known.find_or_insert(pair, entry);
  if (number == PairIndex::kNone || !try_reserve(checks.lengths) || !try_reserve(parts.merges)) return kOutOfMemory;
  if (number != entry) return {"merge ", entry, position, "every pair once"};
  checks.lengths.push_back(length);
  parts.merges.push_back(pair);
  return {};
}

// The exponent of an f32: all ones if it is infinite or NaN.
constexpr std::uint32_t kExponent = 0x7F800000u;
constexpr std::uint32_t kFewestScoredTokens = kFirstScoredByte + kByteTokens;

Fault read_scored_token(Parts& parts, ByteReader& reader, std::uint32_t longest) {
  const auto entry = static_cast<std::uint32_t>(parts.scores.size());
  const std::size_t position = reader.position();
  const std::uint32_t score = reader.read<std::uint32_t>();
  const std::uint32_t length = reader.read<std::uint32_t>();
  if (reader.failed()) return {};
  if ((score & kExponent) == kExponent) return {"token ", entry, position, "a finite score"};
  if (length < 1 || length > longest) return {"token ", entry, position, "1 byte to the length of the longest"};
  const std::string_view token = reader.read_text(length);
  if (reader.failed()) return {};
  const std::uint32_t byte = entry - kFirstScoredByte;
  if (byte < kByteTokens) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const char name[] = {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
    if (token != std::string_view(name, sizeof(name))) {
      return {"token ", entry, position, "the bytes <0x00> to <0xFF> as tokens 3 to 258"};
    }
  }
  if (parts.words.append(token) == StringIndex::kNone || !try_reserve(parts.scores)) return kOutOfMemory;
  parts.scores.push_back(score);
  return {};
}

constexpr std::uint32_t kMaxGpt2Merges = 1u << 24;
constexpr std::uint32_t kLongestGpt2Token = 1u << 16;

Fault read_gpt2_token(Parts& parts, ByteReader& reader, std::uint32_t entry) {
  const std::size_t position = reader.position();
  const std::uint32_t length = reader.read<std::uint32_t>();
  if (reader.failed()) return {};
  if (length < 1 || length > kLongestGpt2Token) return {"token ", entry, position, "1 to 65536 bytes"};
  const std::string_view token = reader.read_text(length);
  if (reader.failed()) return {};
  return parts.words.append(token) == StringIndex::kNone ? kOutOfMemory : Fault{};
}

// Merges come after all tokens.
Fault read_gpt2_merges(Parts& parts, ByteReader& reader, std::uint32_t merges) {
  for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
    const char text = static_cast<char>(byte);
    if (parts.words.find({&text, 1}) == StringIndex::kNone) {
      return {"no token for byte ", byte, reader.position(), "a token for each of the 256 bytes"};
    }
  }
  PairIndex known;
  std::string joined;
  for (std::uint32_t merge = 0; merge < merges; ++merge) {
    const std::size_t position = reader.position();
    TokenPair pair;
    pair.left = reader.read<std::uint32_t>();
    pair.right = reader.read<std::uint32_t>();
    const std::uint32_t made = reader.read<std::uint32_t>();
    if (reader.failed()) return {};
    const std::size_t size = parts.words.size();
    if (pair.left >= size || pair.right >= size || made >= size) {
      return {"merge ", merge, position, "a merge of two tokens that makes a third"};
    }
    joined = parts.words.at(pair.left);
    joined += parts.words.at(pair.right);
    if (parts.words.at(made) != joined) return {"merge ", merge, position, "a token with the bytes of both"};
    const std::uint32_t number = known.find_or_insert(pair, merge);
    if (number == PairIndex::kNone || !try_reserve(parts.merges) || !try_reserve(parts.made)) return kOutOfMemory;
    if (number != merge) return {"merge ", merge, position, "every pair once"};
    parts.merges.push_back(pair);
    parts.made.push_back(made);
  }
  return {};
}

constexpr Fault too_early(const ByteReader& reader) {
  return {"truncated", 0, reader.position(), "all entries that it announces"};
}

Fault read_alphabet(Parts& parts, MergeChecks& checks, ByteReader& reader) {
  const bool has_own = parts.kind == 2 && parts.has_unknown > 0;
  checks.lengths.assign(kByteTokens, has_own ? 0 : 1);
  for (std::uint32_t i = 0; has_own && i < parts.has_unknown; ++i) {
    const std::size_t position = reader.position();
    const std::uint32_t byte = reader.read<std::uint32_t>();
    if (reader.failed()) return too_early(reader);
    const bool ascends = i == 0 || byte > static_cast<unsigned char>(parts.alphabet.back());
    if (byte >= kByteTokens || !ascends) return {"byte ", byte, position, "bytes in ascending order"};
    checks.lengths[byte] = 1;
    parts.alphabet.push_back(static_cast<char>(byte));
  }
  return {};
}

Fault read_entries(Parts& parts, ByteReader& reader, std::uint32_t entries) {
  MergeChecks checks;
  if (const Fault fault = read_alphabet(parts, checks, reader); fault.what != nullptr) return fault;
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    const Fault fault = parts.kind == 0   ? read_character(parts, reader, entry)
                        : parts.kind == 1 ? read_word(parts, reader, entry)
                        : parts.kind == 2 ? read_merge(parts, checks, reader, entry)
                        : parts.kind == 4 ? read_gpt2_token(parts, reader, entry)
                                          : read_scored_token(parts, reader, kLongestBpeToken);
    if (reader.failed()) return too_early(reader);
    if (fault.what != nullptr) return fault;
  }
  if (parts.kind == 4) {
    const Fault fault = read_gpt2_merges(parts, reader, parts.has_unknown);
    if (reader.failed()) return too_early(reader);
    if (fault.what != nullptr) return fault;
  }
  if (reader.remaining() != 0) return {"more bytes", 0, reader.position(), "its end after the last entry"};
  return {};
}

Fault read_file(Parts& parts, std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.read_text(kMagic.size()) != kMagic) return {"not marked as one", 0, 0, "a file that begins with tied-tok"};
  if (bytes.size() < kHeaderBytes) return {"truncated", 0, bytes.size(), "a header of 32 bytes"};
  if (const std::uint32_t version = reader.read<std::uint32_t>(); version != kVersion) {
    return {"version ", version, 8, "version 1"};
  }
  parts.kind = reader.read<std::uint32_t>();
  parts.has_unknown = reader.read<std::uint32_t>();
  const std::uint32_t entries = reader.read<std::uint32_t>();
  const std::uint32_t entry_bytes = reader.read<std::uint32_t>();
  const std::uint32_t hash = reader.read<std::uint32_t>();
  const bool is_word = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kWord);
  const bool is_bpe = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kBpe);
  const bool is_scored = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kLlama2c);
  const bool is_gpt2 = parts.kind == static_cast<std::uint32_t>(TokenizerKind::kGpt2);
  if (parts.kind > 4) return {"kind ", parts.kind, 12, "0, 1, 2, 3 or 4"};
  if (parts.has_unknown > (is_gpt2     ? kMaxGpt2Merges
                           : is_bpe    ? kByteTokens
                           : is_scored ? 0u
                                       : 1u) ||
      parts.has_unknown < (is_word ? 1u : 0u)) {
    return {"unknown token or alphabet ", parts.has_unknown, 16, "what the kind allows"};
  }
  if (entry_bytes != bytes.size() - kHeaderBytes) {
    return {"bytes of entries ", entry_bytes, 24, "as many as there are"};
  }
  if (hash != hash_of_file(bytes)) return {"changed", 0, kHashOffset, "the bytes that were saved"};
  const std::uint32_t fewest = is_gpt2                             ? kByteTokens
                               : is_scored                         ? kFewestScoredTokens
                               : is_word || parts.has_unknown == 0 ? 2
                                                                   : 1;
  const bool is_too_few = is_bpe ? parts.has_unknown == 1 && entries == 0 : entries < fewest;
  if (is_too_few || (is_bpe && entries > kMaxBpeMerges)) {
    return {"entries ", entries, 20, "as many tokens as the kind allows"};
  }
  return read_entries(parts, reader, entries);
}

// Tokens take more memory than their entries: a merge of 8 bytes can create a token of 256.
Status check_file_memory(std::string_view bytes) {
  constexpr std::uint64_t kBytesPerByte = 8 + kLongestBpeToken / 8;
  const std::uint64_t most =
      std::min(kBytesPerByte * bytes.size(), std::uint64_t{8} * bytes.size() + kLongestBpeToken * kLargestBpeVocabSize);
  return check_memory("tokenizer file length", bytes.size(), most);
}

// The tokens of a vocabulary and all their splits into two tokens take more memory than their bytes.
Result<Tokenizer> scored_tokenizer(Parts& parts) {
  constexpr std::uint64_t kMemoryPerByte = 80;
  const std::size_t size = parts.words.total_bytes();
  if (auto memory = check_memory("tokenizer file length", size, kMemoryPerByte * size); !memory) return memory;
  return TokenizerBuilder::llama2c(std::move(parts.words), std::move(parts.scores));
}

}  // namespace

Result<std::string> Tokenizer::save() const {
  const auto number = [](ByteWriter& out, std::size_t value) { out.write(static_cast<std::uint32_t>(value)); };
  const auto text = [&](ByteWriter& out, std::string_view token) {
    number(out, token.size());
    out.write_text(token);
  };
  // Returns the number of entries.
  const auto write_entries = [&](ByteWriter& out) -> std::size_t {
    switch (kind_) {
      case TokenizerKind::kCharacter:
        for (const char32_t code_point : characters_) number(out, code_point);
        return characters_.size();
      case TokenizerKind::kWord:
        for (std::uint32_t id = 0; id < tokens_.size(); ++id) text(out, token(id));
        return tokens_.size();
      case TokenizerKind::kBpe:
        for (const char byte : bytes_) number(out, static_cast<unsigned char>(byte));
        for (const TokenPair& merge : merges_) {
          number(out, merge.left);
          number(out, merge.right);
        }
        return merges_.size();
      case TokenizerKind::kGpt2:
        for (std::uint32_t id = 0; id < tokens_.size(); ++id) text(out, token(id));
        for (std::size_t i = 0; i < merges_.size(); ++i) {
          number(out, merges_[i].left);
          number(out, merges_[i].right);
          number(out, made_[i]);
        }
        return tokens_.size();
      case TokenizerKind::kLlama2c:
        break;
    }
    for (std::uint32_t id = 0; id < scores_.size(); ++id) {
      number(out, scores_[id]);
      text(out, tokens_.at(id));
    }
    return scores_.size();
  };
  ByteWriter counter;
  const std::size_t entries = write_entries(counter);
  const auto entry_bytes = static_cast<std::size_t>(counter.size());
  const std::size_t size = kHeaderBytes + entry_bytes;
  if (auto memory = check_memory("vocab_size", vocab_size(), size); !memory) return memory;
  std::string file(size, '\0');
  const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(file.data()), file.size());
  ByteWriter out(bytes);
  out.write_text(kMagic);
  number(out, kVersion);
  number(out, static_cast<std::size_t>(kind_));
  number(out, kind_ == TokenizerKind::kBpe    ? bytes_.size()
              : kind_ == TokenizerKind::kGpt2 ? merges_.size()
              : has_unknown_                  ? 1
                                              : 0);
  number(out, entries);
  number(out, entry_bytes);
  number(out, 0);
  write_entries(out);
  ByteWriter(bytes.subspan(kHashOffset)).write(hash_of_file(file));
  return file;
}

Result<Tokenizer> load_tokenizer(std::string_view bytes) {
  if (auto memory = check_file_memory(bytes); !memory) return memory;
  Parts parts;
  const Fault fault = read_file(parts, bytes);
  if (fault.what != nullptr) return error_of(fault, bytes.size());
  switch (static_cast<TokenizerKind>(parts.kind)) {
    case TokenizerKind::kCharacter:
      return TokenizerBuilder::characters(std::move(parts.characters), parts.has_unknown == 1);
    case TokenizerKind::kWord:
      return TokenizerBuilder::words(std::move(parts.words));
    case TokenizerKind::kBpe:
      break;
    case TokenizerKind::kLlama2c:
      return scored_tokenizer(parts);
    case TokenizerKind::kGpt2:
      return TokenizerBuilder::gpt2(std::move(parts.words), std::move(parts.merges), std::move(parts.made));
  }
  return TokenizerBuilder::bpe(std::move(parts.merges), std::move(parts.alphabet));
}

Result<Tokenizer> load_llama2c_tokenizer(std::string_view bytes) {
  if (auto memory = check_file_memory(bytes); !memory) return memory;
  Parts parts;
  ByteReader reader(bytes);
  const std::uint32_t longest = reader.read<std::uint32_t>();
  Fault fault;
  if (longest < 1 || longest > kLongestBpeToken) fault = {"longest token ", longest, 0, "1 to 256 bytes"};
  while (fault.what == nullptr && !reader.failed() && reader.remaining() != 0) {
    fault = read_scored_token(parts, reader, longest);
  }
  // A truncated number reads as 0: then the fault is the end of the file.
  if (reader.failed()) fault = too_early(reader);
  if (fault.what == nullptr && parts.scores.size() < kFewestScoredTokens) {
    fault = {"truncated", 0, reader.position(), "at least 259 tokens"};
  }
  if (fault.what != nullptr) return error_of(fault, bytes.size());
  return scored_tokenizer(parts);
}

}  // namespace tied
