// What the tests of this folder share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "text/tokenizer.h"

namespace tied::test {

// FNV-1a, 64 bits: the same number here, sanitized and as wasm shows that the bytes are the same.
std::uint64_t hash_of(std::string_view bytes);
std::uint64_t hash_of(std::span<const std::uint32_t> numbers);

// A file of ../shared/data beside the project; empty where there is none, after a line that says so.
std::string data_file(const std::string& name);
// A file of its folder `corpora`.
std::string corpus(const char* name);

// `characters` characters from an alphabet of letters, spaces, newlines, marks, digits, accents, ideographs, combining
// marks and emoji.
std::string random_text(Random& random, std::size_t characters);
// Any bytes at all.
std::string random_bytes(Random& random, std::size_t size);

// Must succeed.
Tokenizer trained(std::string_view text, TokenizerKind kind, std::optional<std::size_t> vocab_size = std::nullopt);
std::vector<std::uint32_t> encoded(const Tokenizer& tokenizer, std::string_view text);
std::string decoded(const Tokenizer& tokenizer, std::span<const std::uint32_t> ids);
std::string round_trip(const Tokenizer& tokenizer, std::string_view text);

}  // namespace tied::test
