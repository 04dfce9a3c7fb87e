#include <doctest/doctest.h>

#include "support.h"

namespace tied {
namespace {

using test::decoded;
using test::encoded;
using test::round_trip;
using test::trained;

TEST_CASE("characters: the vocabulary is exactly the text's characters, in the order of code points") {
  const Tokenizer tokenizer = trained("hello, W\xC3\xB6rld\n", TokenizerKind::kCharacter);
  CHECK(tokenizer.vocab_size() == 11);
  CHECK_FALSE(tokenizer.has_unknown());
  std::string all;
  for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) all += tokenizer.token(id);
  CHECK(all == "\n ,Wdehlor\xC3\xB6");
  CHECK(encoded(tokenizer, "he\n") == std::vector<std::uint32_t>{5 + 1, 5, 0});
}

TEST_CASE("characters: any text of known characters round-trips exactly") {
  Random random(3, stream_of("test"));
  for (int round = 0; round < 20; ++round) {
    const std::string text = "ab" + test::random_text(random, 500);
    const Tokenizer tokenizer = trained(text, TokenizerKind::kCharacter);
    CHECK(round_trip(tokenizer, text) == text);
    CHECK(round_trip(tokenizer, "") == "");
    CHECK(round_trip(tokenizer, "ba") == "ba");
  }
}

TEST_CASE("characters: an unknown character is refused by name and position, and encoding works afterwards") {
  const Tokenizer tokenizer = trained("abc", TokenizerKind::kCharacter);
  const auto refused = tokenizer.encode("ab\xF0\x9F\x98\x80");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().value == "\xF0\x9F\x98\x80 (U+01F600) at byte 2");
  CHECK(tokenizer.encode("abd").error().value == "d (U+0064) at byte 2");
  CHECK(tokenizer.encode("a\nb").error().value == "\xE2\x8F\x8E (U+000A) at byte 1");
  CHECK(round_trip(tokenizer, "cab") == "cab");
}

TEST_CASE("characters: a vocabulary too small for the text has the most frequent characters and an unknown token") {
  const Tokenizer tokenizer = trained("aaaa bbb cc dd e", TokenizerKind::kCharacter, 4);
  CHECK(tokenizer.vocab_size() == 4);
  CHECK(tokenizer.has_unknown());
  // The space and 'a' occur four times, 'b' three times.
  CHECK(tokenizer.token(0) == "<unk>");
  CHECK(tokenizer.token(1) == " ");
  CHECK(tokenizer.token(2) == "a");
  CHECK(tokenizer.token(3) == "b");
  CHECK(round_trip(tokenizer, "a cab!") == "a <unk>ab<unk>");
  // Ties go to the smaller code point: of c and d, only c fits.
  CHECK(trained("aaaa bbb cc dd e", TokenizerKind::kCharacter, 5).token(4) == "c");
  CHECK_FALSE(trained("aaaa bbb cc dd e", TokenizerKind::kCharacter, 6).has_unknown());
}

TEST_CASE("characters: texts without two different characters are refused") {
  for (const std::string_view text : {"", "a", "aaaa", "\n", "\xC3\xA9\xC3\xA9"}) {
    const auto refused = train_tokenizer(text, {.kind = TokenizerKind::kCharacter});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    CHECK(refused.error().argument == "text");
  }
  for (const std::size_t size : {0, 1}) {
    const auto refused = train_tokenizer("abc", {.kind = TokenizerKind::kCharacter, .vocab_size = size});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().argument == "vocab_size");
    CHECK(refused.error().value == std::to_string(size));
  }
}

TEST_CASE("characters and words: bytes that are not UTF-8 are refused with their position") {
  for (const auto kind : {TokenizerKind::kCharacter, TokenizerKind::kWord}) {
    const auto refused = train_tokenizer("some text \xFF", {.kind = kind});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().value == "0xFF at byte 10");
    CHECK_FALSE(trained("some text", kind).encode("some\xC3").ok());
  }
}

TEST_CASE("decoding refuses an id outside the vocabulary, naming its index") {
  for (const auto kind : {TokenizerKind::kCharacter, TokenizerKind::kWord, TokenizerKind::kBpe}) {
    const Tokenizer tokenizer = trained("some text, some words", kind);
    const auto size = static_cast<std::uint32_t>(tokenizer.vocab_size());
    const std::vector<std::uint32_t> ids{1, 1, size};
    const auto refused = tokenizer.decode(ids);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().argument == "ids[2]");
    CHECK(refused.error().value == std::to_string(size));
    CHECK(tokenizer.decode(std::vector<std::uint32_t>{0xFFFFFFFFu}).error().argument == "ids[0]");
    CHECK(decoded(tokenizer, std::vector<std::uint32_t>{}) == "");
  }
}

TEST_CASE("printable forms show spaces, newlines, controls and parts of characters") {
  const Tokenizer characters = trained("a \n\t\x01\x7F\xC3\xA9", TokenizerKind::kCharacter);
  std::string shown;
  for (std::uint32_t id = 0; id < characters.vocab_size(); ++id) shown += characters.printable(id).value() + "|";
  CHECK(shown == "\xE2\x90\x81|\xE2\x87\xA5|\xE2\x8F\x8E|\xE2\x90\xA3|a|\xE2\x90\xA1|\xC3\xA9|");
  const Tokenizer bpe = trained("ab ab", TokenizerKind::kBpe, 257);
  CHECK(bpe.printable(0xE2).value() == "<0xE2>");
  CHECK(bpe.printable(' ').value() == "\xE2\x90\xA3");
  CHECK(bpe.printable(256).value() == "ab");
}

}  // namespace
}  // namespace tied
