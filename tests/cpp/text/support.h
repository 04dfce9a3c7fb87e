// Shared by the tests of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "text/tokenizer.h"

namespace tied::test::inline text_tests {

// FNV-1a, 64 bits: equal hashes in all builds show that the bytes are equal.
std::uint64_t hash_of(std::string_view bytes);
std::uint64_t hash_of(std::span<const std::uint32_t> numbers);

// Reads a file of ../shared/data next to the project; empty, after a message, if there is none.
std::string data_file(const std::string& name);
// A file of the folder `corpora` there.
std::string corpus(const char* name);

// `characters` characters from an alphabet of letters, spaces, newlines, marks, digits, accents, ideographs, combining
// marks and emoji.
std::string random_text(Random& random, std::size_t characters);
// Arbitrary bytes.
std::string random_bytes(Random& random, std::size_t size);

// Requires success.
Tokenizer trained(std::string_view text, TokenizerKind kind, std::optional<std::size_t> vocab_size = std::nullopt);
std::vector<std::uint32_t> encoded(const Tokenizer& tokenizer, std::string_view text);
std::string decoded(const Tokenizer& tokenizer, std::span<const std::uint32_t> ids);
std::string round_trip(const Tokenizer& tokenizer, std::string_view text);

}  // namespace tied::test::inline text_tests
