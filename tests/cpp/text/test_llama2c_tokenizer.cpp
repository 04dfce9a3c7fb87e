#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "support.h"

namespace tied {
namespace {

using test::decoded;
using test::encoded;
using Ids = std::vector<std::uint32_t>;

struct Entry {
  std::string text;
  float score;
};

void append_number(std::string& file, std::uint32_t number) {
  for (int i = 0; i < 4; ++i) file.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

void put(std::string& file, std::size_t offset, std::uint32_t number) {
  std::string bytes;
  append_number(bytes, number);
  file.replace(offset, 4, bytes);
}

std::string file_of(const std::vector<Entry>& entries, std::uint32_t longest) {
  std::string file;
  append_number(file, longest);
  for (const Entry& entry : entries) {
    append_number(file, std::bit_cast<std::uint32_t>(entry.score));
    append_number(file, static_cast<std::uint32_t>(entry.text.size()));
    file += entry.text;
  }
  return file;
}

// The 259 tokens at the start of every such file.
std::vector<Entry> first_entries() {
  std::vector<Entry> entries{{"<unk>", 0}, {"\n<s>\n", 0}, {"\n</s>\n", 0}};
  for (int byte = 0; byte < 256; ++byte) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    entries.push_back({std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 0});
  }
  return entries;
}

std::vector<Entry> entries_with(const std::vector<Entry>& more) {
  std::vector<Entry> entries = first_entries();
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

Tokenizer loaded(const std::vector<Entry>& entries) {
  auto tokenizer = load_llama2c_tokenizer(file_of(entries, 16));
  REQUIRE_MESSAGE(tokenizer.ok(), (tokenizer.ok() ? std::string() : tokenizer.error().message()));
  return std::move(tokenizer).value();
}

// The first token after those.
constexpr std::uint32_t kFirst = 259;

std::uint32_t id_of(const std::vector<Entry>& entries, std::string_view text) {
  for (std::uint32_t id = 0; id < entries.size(); ++id) {
    if (entries[id].text == text) return id;
  }
  return 0xFFFFFFFFu;
}

// The definition, literally: examine every pair of neighbors, merge the best, repeat. At least quadratic.
Ids encoded_slowly(const std::vector<Entry>& entries, std::string_view text) {
  Ids ids;
  if (text.empty()) return ids;
  const std::string spaced = " " + std::string(text);
  for (std::size_t position = 0; position < spaced.size();) {
    std::size_t size = 1;
    while (position + size < spaced.size() && (static_cast<unsigned char>(spaced[position + size]) & 0xC0) == 0x80)
      ++size;
    const std::uint32_t id = id_of(entries, spaced.substr(position, size));
    if (id != 0xFFFFFFFFu) {
      ids.push_back(id);
    } else {
      for (std::size_t i = 0; i < size; ++i) ids.push_back(3u + static_cast<unsigned char>(spaced[position + i]));
    }
    position += size;
  }
  for (;;) {
    std::size_t best = ids.size();
    std::uint32_t best_id = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const std::uint32_t id = id_of(entries, entries[ids[i]].text + entries[ids[i + 1]].text);
      if (id == 0xFFFFFFFFu) continue;
      if (best == ids.size() || entries[id].score > entries[best_id].score) {
        best = i;
        best_id = id;
      }
    }
    if (best == ids.size()) return ids;
    ids[best] = best_id;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST_CASE("the pair with the highest score is merged first, the leftmost if several are equal") {
  const std::vector<Entry> entries = entries_with(
      {{" ", -9}, {"a", -9}, {"b", -9}, {"c", -9}, {"ab", -2}, {"bc", -1}, {"aa", -3}, {" a", -4}, {"aab", -5}});
  const Tokenizer tokenizer = loaded(entries);
  CHECK(tokenizer.kind() == TokenizerKind::kLlama2c);
  CHECK(tokenizer.vocab_size() == entries.size());
  const auto ids = [](std::initializer_list<std::uint32_t> from_first) {
    Ids result;
    for (const std::uint32_t id : from_first) result.push_back(kFirst + id);
    return result;
  };
  CHECK(encoded(tokenizer, "abc") == ids({7, 5}));      // bc before ab, then the space merges with a
  CHECK(encoded(tokenizer, "aaa") == ids({0, 6, 1}));   // the left aa, and no second space for the last a
  CHECK(encoded(tokenizer, "caab") == ids({0, 3, 8}));  // ab before aa, then aab
  CHECK(encoded(tokenizer, "").empty());
  CHECK(tokenizer.encode("abc").value() == encoded_slowly(entries, "abc"));
}

TEST_CASE("0 and -0 are equal scores") {
  const std::vector<Entry> entries = entries_with({{"a", -9}, {"b", -9}, {"ab", -0.0F}, {"ba", 0}});
  CHECK(encoded(loaded(entries), "aba") == Ids{35, kFirst + 2, kFirst});
}

TEST_CASE("encoding with a heap equals examining all pairs") {
  Random random(4, stream_of("test"));
  int cut_into_words = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Entry> entries = first_entries();
    const std::vector<std::string> alphabet{" ", "a", "b", "\xC3\xA9", "c"};
    std::vector<std::string> texts = alphabet;
    if (random.below(2) == 0) texts.pop_back();  // characters that are not tokens
    if (random.below(2) == 0) texts.erase(texts.begin());
    const bool words_only = random.below(2) == 0;
    for (int i = 0; i < 25; ++i) {
      const std::string text = texts[random.below(static_cast<std::uint32_t>(texts.size()))] +
                               texts[random.below(static_cast<std::uint32_t>(texts.size()))];
      if (text.size() > 16 || std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
      if (words_only && text.find(' ', 1) != std::string::npos) continue;
      texts.push_back(text);
    }
    cut_into_words += words_only ? 1 : 0;
    for (const std::string& text : texts) entries.push_back({text, -static_cast<float>(random.below(12))});
    const Tokenizer tokenizer = loaded(entries);
    for (int i = 0; i < 10; ++i) {
      std::string text;
      for (std::uint32_t size = random.below(40); size > 0; --size) text += alphabet[random.below(5)];
      REQUIRE(encoded(tokenizer, text) == encoded_slowly(entries, text));
      Ids with_start{1};
      for (const std::uint32_t id : encoded(tokenizer, text)) with_start.push_back(id);
      REQUIRE(decoded(tokenizer, with_start) == text);
    }
  }
  CHECK(cut_into_words > 100);
}

TEST_CASE("arbitrary bytes round-trip after a start token") {
  Random random(5, stream_of("test"));
  const Tokenizer tokenizer = loaded(entries_with({{" ", 0}, {"e", 0}, {" e", -1}, {"\xC3\xA9", -2}}));
  REQUIRE(tokenizer.start_token() == 1u);
  for (int round = 0; round < 200; ++round) {
    const std::string text =
        round % 2 == 0 ? test::random_bytes(random, random.below(60)) : test::random_text(random, 30);
    Ids ids{1};
    for (const std::uint32_t id : encoded(tokenizer, text)) ids.push_back(id);
    CHECK(decoded(tokenizer, ids) == text);
  }
}

TEST_CASE("decoding strips one space after a start token and no other") {
  const Tokenizer tokenizer = loaded(entries_with({{" ", 0}, {"e", 0}, {" e", -1}}));
  CHECK(decoded(tokenizer, Ids{1, 261, 261}) == "e e");
  CHECK(decoded(tokenizer, Ids{261, 261}) == " e e");
  CHECK(decoded(tokenizer, Ids{1, 259, 259}) == " ");
  CHECK(decoded(tokenizer, Ids{1}).empty());
  CHECK(decoded(tokenizer, Ids{261, 1, 261}) == " e\n<s>\ne");
  CHECK(decoded(tokenizer, Ids{3 + 0xC3, 3 + 0xA9}) == "\xC3\xA9");
  CHECK(decoded(tokenizer, Ids{3 + 0xA9}) == "\xA9");
  CHECK_FALSE(tokenizer.decode(Ids{262}).ok());
}

TEST_CASE("tokens are their bytes, and are printed by name") {
  const Tokenizer tokenizer = loaded(entries_with({{" e", -1}}));
  CHECK(tokenizer.token(3 + 'A') == "A");
  CHECK(tokenizer.printable(3 + 'A').value() == "<0x41>");
  CHECK(tokenizer.token(kFirst) == " e");
  CHECK(tokenizer.printable(kFirst).value() ==
        "\xE2\x90\xA3"
        "e");
  CHECK(tokenizer.printable(0).value() == "<unk>");
  CHECK_FALSE(tokenizer.has_unknown());
  CHECK_FALSE(test::trained("ab", TokenizerKind::kCharacter).start_token().has_value());
}

TEST_CASE("saved in our own format, it loads as the same tokenizer") {
  const Tokenizer before = loaded(entries_with({{" ", 0}, {"e", -0.5F}, {" e", -1}, {"ee", -1e-30F}}));
  const std::string file = before.save().value();
  const auto after = load_tokenizer(file);
  REQUIRE(after.ok());
  CHECK(after.value().save().value() == file);
  CHECK(after.value().kind() == TokenizerKind::kLlama2c);
  CHECK(encoded(after.value(), "eee e") == encoded(before, "eee e"));
  for (std::size_t size = 0; size < file.size(); size += 7) {
    const auto refused = load_tokenizer(file.substr(0, size));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kBadFile);
  }
}

std::string refusal(const std::string& file) {
  const auto refused = load_llama2c_tokenizer(file);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kBadFile);
  CHECK(refused.error().argument == "tokenizer file");
  return refused.error().value + "; " + refused.error().expected;
}

TEST_CASE("malformed files are refused with the fault") {
  const std::string whole = file_of(first_entries(), 7);
  CHECK(load_llama2c_tokenizer(whole).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) refusal(whole.substr(0, size));
  CHECK(refusal("") == "truncated at byte 0; all entries that it announces");
  CHECK(refusal(whole.substr(0, whole.size() - 14)) == "truncated at byte 3614; at least 259 tokens");
  CHECK(refusal(file_of(first_entries(), 0)) == "longest token 0 at byte 0; 1 to 256 bytes");
  CHECK(refusal(file_of(first_entries(), 0xFFFFFFFFu)) == "longest token 4294967295 at byte 0; 1 to 256 bytes");
  CHECK(refusal(file_of(first_entries(), 5)).starts_with("token 2 at byte 30; 1 byte"));
  for (const std::uint32_t length : {0u, 8u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    std::string file = whole;
    put(file, 8, length);
    CHECK(refusal(file) == "token 0 at byte 4; 1 byte to the length of the longest");
  }
  for (const float score : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::string file = whole;
    put(file, 4, std::bit_cast<std::uint32_t>(score));
    CHECK(refusal(file) == "token 0 at byte 4; a finite score");
  }
  std::vector<Entry> swapped = first_entries();
  std::swap(swapped[3], swapped[4]);
  CHECK(refusal(file_of(swapped, 7)) == "token 3 at byte 44; the bytes <0x00> to <0xFF> as tokens 3 to 258");
}

TEST_CASE("hostile files are refused or give a tokenizer that works") {
  Random random(6, stream_of("test"));
  const std::string whole = file_of(entries_with({{" ", 0}, {"e", -0.5F}, {" e", -1}, {"ee", -1}}), 16);
  int accepted = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string file = whole;
    const auto tail = static_cast<std::uint32_t>(round % 2 == 0 ? file.size() : 60);
    for (std::uint32_t change = 1 + random.below(3); change > 0; --change) {
      const std::size_t place = file.size() - 1 - random.below(std::min(tail, static_cast<std::uint32_t>(file.size())));
      switch (random.below(3)) {
        case 0:
          file[place] = static_cast<char>(random.below(256));
          break;
        case 1:
          file.erase(place, 1 + random.below(8));
          break;
        default:
          file.insert(place, 1 + random.below(8), static_cast<char>(random.below(256)));
      }
    }
    const auto tokenizer = load_llama2c_tokenizer(file);
    if (!tokenizer.ok()) {
      if (tokenizer.error().code != ErrorCode::kBadFile) FAIL(tokenizer.error().message());
      continue;
    }
    ++accepted;
    Ids ids{1};
    for (const std::uint32_t id : encoded(tokenizer.value(), "see e\xC3\xA9")) ids.push_back(id);
    REQUIRE(decoded(tokenizer.value(), ids) == "see e\xC3\xA9");
  }
  CHECK(accepted > 100);
}

TEST_CASE("the tokenizer of stories260k encodes as run.c does") {
  const std::string file = test::data_file("tokenizers/llama2c-tok512.bin");
  if (file.empty()) return;
  const auto tokenizer = load_llama2c_tokenizer(file);
  REQUIRE(tokenizer.ok());
  CHECK(tokenizer.value().vocab_size() == 512);
  CHECK(encoded(tokenizer.value(), "Once upon a time") == Ids{403, 407, 261, 378});
  CHECK(decoded(tokenizer.value(), Ids{1, 403, 407, 261, 378}) == "Once upon a time");
}

TEST_CASE("stories and plays round-trip through both llama2.c tokenizers") {
  const std::string text = test::corpus("tiny-shakespeare.txt");
  for (const char* name : {"tokenizers/llama2c-tok512.bin", "tokenizers/llama2c-tok4096.bin"}) {
    const std::string file = test::data_file(name);
    if (text.empty() || file.empty()) continue;
    const auto tokenizer = load_llama2c_tokenizer(file);
    REQUIRE(tokenizer.ok());
    Ids ids{1};
    for (const std::uint32_t id : encoded(tokenizer.value(), text)) ids.push_back(id);
    CHECK((decoded(tokenizer.value(), ids) == text));
    // The quadratic definition, on a part that it can handle.
    std::vector<Entry> entries;
    for (std::size_t position = 4; position < file.size();) {
      const auto number = [&](std::size_t at) {
        std::uint32_t result = 0;
        for (std::size_t i = 0; i < 4; ++i)
          result |= std::uint32_t{static_cast<unsigned char>(file[at + i])} << (8 * i);
        return result;
      };
      const std::uint32_t size = number(position + 4);
      entries.push_back({file.substr(position + 8, size), std::bit_cast<float>(number(position))});
      position += 8 + size;
    }
    const std::string beginning = text.substr(0, 300);
    CHECK(encoded(tokenizer.value(), beginning) == encoded_slowly(entries, beginning));
  }
}

}  // namespace
}  // namespace tied
