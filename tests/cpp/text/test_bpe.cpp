#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "support.h"
#include "text/bpe.h"
#include "text/bpe_pieces.h"
#include "text/tokenizer_builder.h"

namespace tied {
namespace {

using test::decoded;
using test::encoded;
using test::round_trip;
using test::trained;

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t end = end_of_bpe_piece(text, position);
    REQUIRE(end > position);
    REQUIRE(end <= text.size());
    pieces.emplace_back(text.substr(position, end - position));
    position = end;
  }
  return pieces;
}

std::string joined(std::string_view text) {
  std::string result;
  for (const std::string& piece : pieces_of(text)) result += piece + "|";
  return result;
}

// The definition, literally: count all pairs, merge the best one everywhere, repeat.
std::vector<TokenPair> plain_merges(std::string_view text, std::size_t max_merges) {
  std::vector<std::vector<std::uint32_t>> pieces;
  std::vector<std::size_t> lengths(256, 1);
  for (const std::string& piece : pieces_of(text)) {
    pieces.emplace_back();
    for (const char byte : piece) pieces.back().push_back(static_cast<unsigned char>(byte));
  }
  std::vector<TokenPair> merges;
  while (merges.size() < max_merges) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counts;
    for (const auto& piece : pieces) {
      for (std::size_t i = 0; i + 1 < piece.size(); ++i) ++counts[{piece[i], piece[i + 1]}];
    }
    std::size_t best_count = 1;
    std::pair<std::uint32_t, std::uint32_t> best;
    for (const auto& [pair, count] : counts) {
      if (count > best_count && lengths[pair.first] + lengths[pair.second] <= kLongestBpeToken) {
        best = pair;
        best_count = count;
      }
    }
    if (best_count < 2) break;
    const auto token = static_cast<std::uint32_t>(256 + merges.size());
    for (auto& piece : pieces) {
      std::vector<std::uint32_t> merged;
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const bool here = i + 1 < piece.size() && piece[i] == best.first && piece[i + 1] == best.second;
        merged.push_back(here ? token : piece[i]);
        i += here ? 1 : 0;
      }
      piece = merged;
    }
    lengths.push_back(lengths[best.first] + lengths[best.second]);
    merges.push_back({best.first, best.second});
  }
  return merges;
}

// Applies every merge in turn to every piece.
std::vector<std::uint32_t> plain_encode(std::string_view text, const std::vector<TokenPair>& merges) {
  std::vector<std::uint32_t> ids;
  for (const std::string& piece : pieces_of(text)) {
    std::vector<std::uint32_t> tokens;
    for (const char byte : piece) tokens.push_back(static_cast<unsigned char>(byte));
    for (std::uint32_t merge = 0; merge < merges.size(); ++merge) {
      std::vector<std::uint32_t> merged;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool here =
            i + 1 < tokens.size() && tokens[i] == merges[merge].left && tokens[i + 1] == merges[merge].right;
        merged.push_back(here ? 256 + merge : tokens[i]);
        i += here ? 1 : 0;
      }
      tokens = merged;
    }
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }
  return ids;
}

TEST_CASE("bpe: text is split as in GPT-2") {
  CHECK(joined("Hello world, it's 42 o'clock!!") == "Hello| world|,| it|'s| 42| o|'|clock|!!|");
  CHECK(joined("we'll they've I'd 'tis") == "we|'ll| they|'ve| I|'d| '|tis|");
  CHECK(joined("a  b") == "a| | b|");
  CHECK(joined("a\n\nb") == "a|\n|\n|b|");
  CHECK(joined("end \n") == "end| \n|");
  CHECK(joined("caf\xC3\xA9 \xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80") ==
        "caf\xC3\xA9| \xE4\xB8\xAD\xE6\x96\x87| \xF0\x9F\x98\x80|");
  CHECK(joined("a\xFF\xFE b") == "a|\xFF\xFE| b|");
  CHECK(joined("  ") == "  |");
  // Runs end after 1,024 bytes, never inside a character.
  const auto long_run =
      pieces_of(std::string(1023, 'x') + "\xC3\xA9" + std::string(2000, 'y') + std::string(3000, ' '));
  REQUIRE(long_run.size() == 6);
  CHECK(long_run[0] == std::string(1023, 'x') + "\xC3\xA9");
  CHECK(long_run[1] == std::string(1024, 'y'));
  CHECK(long_run[2] == std::string(976, 'y'));
  CHECK(long_run[3] == std::string(1024, ' '));
  CHECK(long_run[5] == std::string(952, ' '));
}

TEST_CASE("bpe: merges are those of the definition") {
  Random random(6, stream_of("test"));
  for (int round = 0; round < 30; ++round) {
    // Few letters give many ties and overlaps; every third text is arbitrary.
    std::string text = "aaaa";
    if (round % 3 == 0) {
      text += test::random_text(random, 400);
    } else {
      for (int i = 0; i < 600; ++i) text += "aab  c\n"[random.below(7)];
    }
    const auto expected = plain_merges(text, 60);
    const Tokenizer tokenizer = trained(text, TokenizerKind::kBpe, 256 + 60);
    CHECK(TokenizerBuilder::merges_of(tokenizer) == expected);
    CHECK(encoded(tokenizer, text) == plain_encode(text, expected));
    const std::string other = test::random_text(random, 200) + "aaaaabaabaaab";
    CHECK(encoded(tokenizer, other) == plain_encode(other, expected));
  }
}

TEST_CASE("bpe: ties go to the smaller left id, then to the smaller right id") {
  // Each pair occurs twice, all within words, so spaces do not matter.
  const Tokenizer ties = trained("cd.cd.ab.ab.ax.ax", TokenizerKind::kBpe, 256 + 3);
  CHECK(TokenizerBuilder::merges_of(ties) == std::vector<TokenPair>{{'a', 'b'}, {'a', 'x'}, {'c', 'd'}});
}

TEST_CASE("bpe: runs of one letter merge from the left") {
  const Tokenizer runs = trained("aaaaaaaaa", TokenizerKind::kBpe, 256 + 3);
  CHECK(TokenizerBuilder::merges_of(runs) == std::vector<TokenPair>{{'a', 'a'}, {256, 256}});
  const Tokenizer tokenizer = trained("aaaaaaaaaaaaaaaa aaa", TokenizerKind::kBpe, 258);
  CHECK(encoded(tokenizer, "aaaaaaa") == std::vector<std::uint32_t>{257, 256, 'a'});
}

TEST_CASE("bpe: learning ends when no pair occurs twice, and reports the size reached") {
  const Tokenizer tokenizer = trained("abab", TokenizerKind::kBpe, 100000);
  CHECK(tokenizer.vocab_size() == 257);
  CHECK(tokenizer.token(256) == "ab");
  CHECK(trained("abcdefg", TokenizerKind::kBpe).vocab_size() == 256);
  CHECK(trained("ab", TokenizerKind::kBpe, 256).vocab_size() == 256);
}

TEST_CASE("bpe: no token is longer than 256 bytes") {
  const Tokenizer tokenizer = trained(std::string(100000, 'a'), TokenizerKind::kBpe, 400);
  std::size_t longest = 0;
  for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) longest = std::max(longest, tokenizer.token(id).size());
  CHECK(longest == 256);
  CHECK(round_trip(tokenizer, std::string(99999, 'a')) == std::string(99999, 'a'));
}

TEST_CASE("bpe: arbitrary bytes round-trip exactly") {
  Random random(7, stream_of("test"));
  for (int round = 0; round < 100; ++round) {
    const std::string text = "ab" + (round % 2 == 0 ? test::random_bytes(random, 300) : test::random_text(random, 300));
    const Tokenizer tokenizer = trained(text, TokenizerKind::kBpe, 256 + random.below(200));
    CHECK(round_trip(tokenizer, text) == text);
    const std::string other = test::random_bytes(random, random.below(100));
    CHECK(round_trip(tokenizer, other) == other);
  }
}

TEST_CASE("bpe: learning and encoding agree on long lines without spaces") {
  Random random(8, stream_of("test"));
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "acgt"[random.below(4)];
  const Tokenizer tokenizer = trained(text, TokenizerKind::kBpe, 600);
  CHECK(tokenizer.vocab_size() == 600);
  const auto ids = encoded(tokenizer, text);
  CHECK(test::decoded(tokenizer, ids) == text);
  CHECK(ids.size() < text.size() / 3);
}

TEST_CASE("bpe: empty texts, single bytes and vocabularies below the 256 bytes are refused") {
  CHECK(train_tokenizer("", {.kind = TokenizerKind::kBpe}).error().argument == "text");
  CHECK(train_tokenizer("a", {.kind = TokenizerKind::kBpe}).error().argument == "text");
  const auto refused = train_tokenizer("some text", {.kind = TokenizerKind::kBpe, .vocab_size = 255});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().argument == "vocab_size");
  CHECK(refused.error().value == "255");
}

// ---------------------------------------------------------------- the text's own alphabet

Tokenizer trained_on_own_alphabet(std::string_view text, std::size_t vocab_size) {
  auto tokenizer =
      train_tokenizer(text, {.kind = TokenizerKind::kBpe, .vocab_size = vocab_size, .alphabet = Alphabet::kText});
  REQUIRE(tokenizer);
  return std::move(tokenizer).value();
}

TEST_CASE("with the text's own alphabet the vocabulary is its bytes and the merges") {
  const std::string text = "the thin thing thinks of the other thing, then thinks again";
  const std::string alphabet = " ,aefghiknorst";
  const Tokenizer own = trained_on_own_alphabet(text, alphabet.size() + 5);
  const Tokenizer all = trained(text, TokenizerKind::kBpe, 256 + 5);
  REQUIRE(own.vocab_size() == alphabet.size() + 5);
  for (std::uint32_t id = 0; id < alphabet.size(); ++id) CHECK(own.token(id) == alphabet.substr(id, 1));
  // The same merges as with all bytes, in the same order.
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(own.token(static_cast<std::uint32_t>(alphabet.size()) + i) == all.token(256 + i));
  }
  const auto ids = encoded(own, text);
  CHECK(ids.size() == encoded(all, text).size());
  CHECK(decoded(own, ids) == text);
  CHECK(own.alphabet() == Alphabet::kText);
  CHECK(all.alphabet() == Alphabet::kBytes);
}

TEST_CASE("with the text's own alphabet any other character is refused by name") {
  const Tokenizer own = trained_on_own_alphabet("caf\xC3\xA9 au lait, caf\xC3\xA9 noir", 20);
  CHECK(round_trip(own, "un caf\xC3\xA9") == "un caf\xC3\xA9");
  const auto unknown = own.encode("a caf\xC3\xA8");  // its first byte is known
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message().find("(U+00E8) at byte 5") != std::string::npos);
  CHECK_FALSE(own.encode("b"));
}

TEST_CASE("a vocabulary smaller than the text's own alphabet is refused, one as large has no merges") {
  const auto refused =
      train_tokenizer("abcabc", {.kind = TokenizerKind::kBpe, .vocab_size = 2, .alphabet = Alphabet::kText});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("at least 3") != std::string::npos);
  CHECK(trained_on_own_alphabet("abcabc", 3).vocab_size() == 3);
  CHECK_FALSE(train_tokenizer("\xFF", {.kind = TokenizerKind::kBpe, .vocab_size = 5, .alphabet = Alphabet::kText}));
}

TEST_CASE("random texts round-trip through the text's own alphabet, saved and loaded") {
  Random random(7, 3);
  for (int round = 0; round < 30; ++round) {
    const std::string text = test::random_text(random, 50 + random.below(400));
    const Tokenizer own = trained_on_own_alphabet(text, 300);
    CHECK(round_trip(own, text) == text);
    const std::string file = own.save().value();
    const auto loaded = load_tokenizer(file);
    REQUIRE(loaded);
    CHECK(loaded.value().save().value() == file);
    CHECK(encoded(loaded.value(), text) == encoded(own, text));
    for (std::size_t size = 0; size < file.size(); size += 7) CHECK_FALSE(load_tokenizer(file.substr(0, size)));
  }
}

}  // namespace
}  // namespace tied
