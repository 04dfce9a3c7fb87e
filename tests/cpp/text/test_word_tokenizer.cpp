#include <doctest/doctest.h>

#include "support.h"
#include "text/word_pieces.h"

namespace tied {
namespace {

using test::encoded;
using test::round_trip;
using test::trained;

// The pieces of `text`, each followed by a bar; "<join>" and "<space>" for spacing.
std::string barred_pieces(std::string_view text) {
  std::string result;
  const auto emit = [&](std::string_view piece) {
    result += piece == kJoinPiece ? "<join>" : piece == kSpacePiece ? "<space>" : piece;
    result += '|';
  };
  WordCursor cursor;
  for_each_word_token(text, cursor, text.size(), emit, class_of_piece);
  return result;
}

TEST_CASE("words: ordinary prose needs no tokens for spaces") {
  CHECK(barred_pieces("New York, New York: it's a half-way house (no. 3.14).") ==
        "New|York|,|New|York|:|it's|a|half-way|house|(|no|.|3.14|)|.|");
  CHECK(barred_pieces("She said, \"Come in!\" and \"sit down,\" twice.\n\"Well?\"") ==
        "She|said|,|\"|Come|in|!|\"|and|\"|sit|down|,|\"|twice|.|\n|\"|Well|?|\"|");
  CHECK(barred_pieces("one--two 50% of $7, and/or...") == "one|--|two|50|%|of|$|7|,|and|/|or|...|");
  CHECK(barred_pieces("\xE2\x80\x9CWell\xE2\x80\x9D said he \xE2\x80\x94 no") ==
        "\xE2\x80\x9C|Well|\xE2\x80\x9D|said|he|<space>|\xE2\x80\x94|<space>|no|");
  CHECK(barred_pieces("\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82") == "\xE4\xB8\xAD|\xE6\x96\x87|\xE3\x80\x82|");
}

TEST_CASE("words: unusual spacing has its own tokens") {
  CHECK(barred_pieces("a  b") == "a|<space>|<space>|b|");
  CHECK(barred_pieces("a.b") == "a|.|<join>|b|");
  CHECK(barred_pieces(" a ,b ") == "<space>|a|<space>|,|<join>|b|<space>|");
  CHECK(barred_pieces("  ") == "<space>|<space>|");
  CHECK(barred_pieces("a\r\nb\t c") == "a|\r|\n|b|\t|<space>|c|");
  // The straight quotation mark opens again on every line, so an unclosed one does not affect later lines.
  CHECK(barred_pieces("\"a\n\"b\" c") == "\"|a|\n|\"|b|\"|c|");
}

TEST_CASE("words: the vocabulary holds the unknown token and the most frequent words, ties by first appearance") {
  const Tokenizer tokenizer = trained("to be or not to be, that is", TokenizerKind::kWord, 5);
  CHECK(tokenizer.vocab_size() == 5);
  CHECK(tokenizer.token(0) == "<unk>");
  CHECK(tokenizer.token(1) == "to");
  CHECK(tokenizer.token(2) == "be");
  CHECK(tokenizer.token(3) == "or");
  CHECK(tokenizer.token(4) == "not");
  CHECK(encoded(tokenizer, "or not to see") == std::vector<std::uint32_t>{3, 4, 1, 0});
  CHECK(round_trip(tokenizer, "or not to see") == "or not to <unk>");
}

TEST_CASE("words: a word is the same token everywhere") {
  const Tokenizer tokenizer = trained("New York. \"New York\"\nNew York (New York)", TokenizerKind::kWord);
  const std::uint32_t new_id = encoded(tokenizer, "New").at(0);
  const std::uint32_t york_id = encoded(tokenizer, "York").at(0);
  int both = 0;
  const auto ids = encoded(tokenizer, "New York. \"New York\"\nNew York (New York)");
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) both += ids[i] == new_id && ids[i + 1] == york_id;
  CHECK(both == 4);
}

TEST_CASE("words: a text of known pieces round-trips exactly, including spaces") {
  Random random(4, stream_of("test"));
  for (int round = 0; round < 50; ++round) {
    const std::string text = "a  b.c\n" + test::random_text(random, 300);
    const Tokenizer tokenizer = trained(text, TokenizerKind::kWord, 100000);
    CHECK((round_trip(tokenizer, text) == text));
    CHECK((round_trip(tokenizer, text + "\n" + text) == text + "\n" + text));
  }
}

TEST_CASE("words: spacing around unknown words is correct") {
  const Tokenizer tokenizer = trained("he said, \"yes\" (and no).", TokenizerKind::kWord);
  CHECK(round_trip(tokenizer, "he shouted, \"never\" (and no).") == "he <unk>, \"<unk>\" (and no).");
  // Spacing that the training text never had becomes ordinary.
  CHECK(round_trip(tokenizer, "he  said,yes") == "he said, yes");
}

TEST_CASE("words: any sequence of ids decodes") {
  Random random(5, stream_of("test"));
  const Tokenizer tokenizer = trained("a  b.c, \"d\" \n (e) f", TokenizerKind::kWord);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> ids(random.below(12));
    for (auto& id : ids) id = random.below(static_cast<std::uint32_t>(tokenizer.vocab_size()));
    std::size_t bytes = 0;
    for (const auto id : ids) bytes += tokenizer.token(id).size();
    // Only expected spaces are added, at most one before each piece.
    const std::size_t size = test::decoded(tokenizer, ids).size();
    CHECK(size >= bytes);
    CHECK(size <= bytes + ids.size());
  }
}

TEST_CASE("words: empty texts and texts of one word are refused, sizes below two as well") {
  for (const std::string_view text : {"", "word", "\n", " "}) {
    const auto refused = train_tokenizer(text, {.kind = TokenizerKind::kWord});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().argument == "text");
  }
  CHECK(train_tokenizer("word word", {.kind = TokenizerKind::kWord}).ok());
  CHECK(train_tokenizer("two words", {.kind = TokenizerKind::kWord, .vocab_size = 1}).error().argument == "vocab_size");
  CHECK(train_tokenizer("two words", {.kind = TokenizerKind::kWord, .vocab_size = 2}).ok());
  CHECK(trained("two words", TokenizerKind::kWord, 1000000000).vocab_size() == 3);
}

}  // namespace
}  // namespace tied
