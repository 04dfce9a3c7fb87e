#include "base/fields.h"

#include "base/byte_stream.h"
#include "base/hash.h"

namespace tied {

std::string path_of(const Field& field) {
  if (field.path != nullptr) return field.path;
  std::string path;
  for (const char* at = field.name; *at != 0; ++at) {
    if (*at == '_') {
      ++at;
      path += static_cast<char>(*at - 'a' + 'A');
    } else {
      path += *at;
    }
  }
  return path;
}

Status out_of_range(const Field& field, std::string_view value) {
  const auto text = [&](double number) {
    return field.kind == FieldKind::kReal ? text_of(number) : text_of(static_cast<std::uint64_t>(number));
  };
  return make_error(ErrorCode::kInvalidArgument, field.name, value, text(field.least) + " to " + text(field.most));
}

std::uint64_t hash_of(std::span<const Field> fields, std::uint64_t before) {
  for (const Field& field : fields) {
    const auto kind = static_cast<std::uint8_t>(field.kind);
    before = fnv1a_64({&kind, 1}, fnv1a_64(bytes_of(field.name), before));
  }
  return before;
}

}  // namespace tied
