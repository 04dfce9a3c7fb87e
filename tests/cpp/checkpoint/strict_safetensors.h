// A reader of safetensors files that accepts exactly what the format specifies; it shares no code with the writer.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support.h"

namespace tied::test::inline checkpoint_tests {

// A JSON value: a string, a number, an array or an object.
struct Json {
  enum class Kind { kText, kNumber, kBoolean, kArray, kObject } kind = Kind::kText;
  std::string text;
  double number = 0;
  std::vector<Json> items;
  std::map<std::string, Json> fields;
  std::vector<std::string> order;  // of the fields

  const Json& at(const std::string& name) const {
    REQUIRE_MESSAGE(fields.contains(name), name);
    return fields.at(name);
  }
};

class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  // The whole text, except for trailing spaces.
  static Json read(const std::string& text) {
    JsonReader reader(text);
    Json json = reader.value();
    while (reader.at_ < text.size() && text[reader.at_] == ' ') ++reader.at_;
    REQUIRE(reader.at_ == text.size());
    return json;
  }

 private:
  char next() {
    REQUIRE(at_ < text_.size());
    return text_[at_++];
  }
  void expect(char c) { REQUIRE(next() == c); }
  bool skip(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool skip_word(const char* word) {
    if (text_.compare(at_, std::string(word).size(), word) != 0) return false;
    at_ += std::string(word).size();
    return true;
  }

  std::string quoted() {
    expect('"');
    std::string result;
    for (char c = next(); c != '"'; c = next()) {
      REQUIRE(static_cast<unsigned char>(c) >= 0x20);
      if (c == '\\') {
        c = next();
        if (c == 'u') {
          const std::string digits = text_.substr(at_, 4);
          at_ += 4;
          c = static_cast<char>(std::strtol(digits.c_str(), nullptr, 16));
          REQUIRE(static_cast<unsigned char>(c) < 0x20);
        } else {
          REQUIRE((c == '"' || c == '\\'));
        }
      }
      result += c;
    }
    return result;
  }

  Json value() {
    Json json;
    if (skip('{')) {
      json.kind = Json::Kind::kObject;
      if (skip('}')) return json;
      do {
        const std::string name = quoted();
        expect(':');
        REQUIRE_MESSAGE(!json.fields.contains(name), "twice: " << name);
        json.order.push_back(name);
        json.fields[name] = value();
      } while (skip(','));
      expect('}');
    } else if (skip('[')) {
      json.kind = Json::Kind::kArray;
      if (skip(']')) return json;
      do json.items.push_back(value());
      while (skip(','));
      expect(']');
    } else if (text_[at_] == '"') {
      json.text = quoted();
    } else if (const bool is_true = skip_word("true"); is_true || skip_word("false")) {
      json.kind = Json::Kind::kBoolean;
      json.number = is_true ? 1 : 0;
    } else {
      json.kind = Json::Kind::kNumber;
      char* end = nullptr;
      json.number = std::strtod(text_.c_str() + at_, &end);
      const auto size = static_cast<std::size_t>(end - text_.c_str()) - at_;
      REQUIRE(size > 0);
      REQUIRE(text_.substr(at_, size).find_first_not_of("0123456789.eE+-") == std::string::npos);
      REQUIRE_FALSE((size > 1 && text_[at_] == '0' && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9'));
      at_ += size;
    }
    return json;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

struct Tensor {
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
};

struct Safetensors {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

inline Safetensors read_strictly(std::span<const std::uint8_t> bytes) {
  REQUIRE(bytes.size() >= 8);
  REQUIRE(number_at(bytes, 4) == 0);  // no header of ours has 4 GB
  const std::size_t header_size = number_at(bytes, 0);
  REQUIRE(header_size <= bytes.size() - 8);
  REQUIRE(header_size % 8 == 0);
  REQUIRE(bytes[8] == '{');
  const Json header = JsonReader::read(text_of_bytes(bytes.subspan(8, header_size)));
  const std::span<const std::uint8_t> data = bytes.subspan(8 + header_size);
  Safetensors file;
  std::size_t end_of_last = 0;
  for (const std::string& name : header.order) {
    const Json& json = header.at(name);
    REQUIRE(json.kind == Json::Kind::kObject);
    if (name == "__metadata__") {
      for (const auto& [key, value] : json.fields) {
        REQUIRE(value.kind == Json::Kind::kText);
        file.metadata[key] = value.text;
      }
      continue;
    }
    CHECK(json.order == std::vector<std::string>{"dtype", "shape", "data_offsets"});
    CHECK(json.at("dtype").text == "F32");
    Tensor tensor;
    std::size_t size = 1;
    for (const Json& extent : json.at("shape").items) {
      tensor.shape.push_back(static_cast<std::uint64_t>(extent.number));
      size *= static_cast<std::size_t>(extent.number);
    }
    const std::vector<Json>& offsets = json.at("data_offsets").items;
    REQUIRE(offsets.size() == 2);
    REQUIRE(offsets[0].number == static_cast<double>(end_of_last));
    end_of_last += 4 * size;
    REQUIRE(offsets[1].number == static_cast<double>(end_of_last));
    REQUIRE(end_of_last <= data.size());
    for (std::size_t i = 0; i < size; ++i) {
      tensor.values.push_back(std::bit_cast<float>(number_at(data, end_of_last - 4 * size + 4 * i)));
    }
    file.tensors[name] = tensor;
  }
  REQUIRE(end_of_last == data.size());
  return file;
}

}  // namespace tied::test::inline checkpoint_tests
