#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "text/bpe_pieces.h"
#include "text/tokenizer.h"
#include "text/tokenizer_builder.h"
#include "text/unicode_class.h"

namespace tied {
namespace {

std::vector<std::string> gpt2_pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_gpt2_piece(text, begin);
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

// The bytes in descending order, then the tokens that the merges make, then a token that no text is encoded to.
Tokenizer small() {
  StringIndex tokens;
  for (int byte = 255; byte >= 0; --byte) {
    const char text = static_cast<char>(byte);
    tokens.append({&text, 1});
  }
  for (const char* more : {"ab", "abc", " a", "<end>"}) tokens.append(more);
  const auto id = [](char byte) { return 255u - static_cast<unsigned char>(byte); };
  return TokenizerBuilder::gpt2(std::move(tokens), {{id('a'), id('b')}, {256, id('c')}, {id(' '), id('a')}},
                                {256, 257, 258})
      .value();
}

TEST_CASE("classes of characters are Unicode's") {
  CHECK(unicode_class(U'a') == UnicodeClass::kLetter);
  CHECK(unicode_class(U'0') == UnicodeClass::kNumber);
  CHECK(unicode_class(U' ') == UnicodeClass::kSpace);
  CHECK(unicode_class(U'.') == UnicodeClass::kOther);
  CHECK(unicode_class(0) == UnicodeClass::kOther);
  CHECK(unicode_class(0x85) == UnicodeClass::kSpace);
  CHECK(unicode_class(0xBD) == UnicodeClass::kNumber);   // one half
  CHECK(unicode_class(0x301) == UnicodeClass::kOther);   // a combining accent
  CHECK(unicode_class(0x663) == UnicodeClass::kNumber);  // an Arabic digit
  CHECK(unicode_class(0x3000) == UnicodeClass::kSpace);
  CHECK(unicode_class(0x4E2D) == UnicodeClass::kLetter);
  CHECK(unicode_class(0xFEFF) == UnicodeClass::kOther);
  CHECK(unicode_class(0x1F600) == UnicodeClass::kOther);
  CHECK(unicode_class(0x1D49C) == UnicodeClass::kLetter);
  CHECK(unicode_class(0x10FFFF) == UnicodeClass::kOther);
}

TEST_CASE("a text is cut into GPT-2's pieces") {
  CHECK(gpt2_pieces_of("it's  12 caf\xC3\xA9s!\n\n x") ==
        std::vector<std::string>{"it", "'s", " ", " 12", " caf\xC3\xA9s", "!", "\n\n", " x"});
  CHECK(gpt2_pieces_of(std::string(5000, 'a')).size() == 1);
  CHECK(gpt2_pieces_of("a\xFF\xFE"
                       "b") == std::vector<std::string>{"a", "\xFF\xFE", "b"});
  CHECK(gpt2_pieces_of("  ") == std::vector<std::string>{"  "});
}

TEST_CASE("ids and merges of GPT-2 tokenizers are those of the file") {
  const Tokenizer tokenizer = small();
  CHECK(tokenizer.kind() == TokenizerKind::kGpt2);
  CHECK(tokenizer.vocab_size() == 260);
  // In " ab", the merge of a and b comes first.
  CHECK(tokenizer.encode("abc ab a").value() == std::vector<std::uint32_t>{257, 255u - ' ', 256, 258});
  CHECK(tokenizer.encode("<end>").value().size() == 5);
  CHECK(tokenizer.decode(std::vector<std::uint32_t>{257, 259}).value() == "abc<end>");
  CHECK(!tokenizer.start_token());
  const std::string file = tokenizer.save().value();
  const auto loaded = load_tokenizer(file);
  REQUIRE(loaded.ok());
  CHECK(loaded.value().save().value() == file);
  CHECK(loaded.value().encode("abc ab a").value() == tokenizer.encode("abc ab a").value());
}

TEST_CASE("an altered or truncated file of a GPT-2 tokenizer is refused") {
  const std::string file = small().save().value();
  for (std::size_t i = 0; i < file.size(); ++i) {
    std::string changed = file;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    CHECK_FALSE(load_tokenizer(changed).ok());
    CHECK_FALSE(load_tokenizer(file.substr(0, i)).ok());
  }
}

}  // namespace
}  // namespace tied
