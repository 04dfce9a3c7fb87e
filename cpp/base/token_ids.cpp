#include "base/token_ids.h"

#include <string>

namespace tied {

Status check_token_ids(std::string_view argument, std::span<const std::uint32_t> token_ids, std::uint64_t vocab_size) {
  for (std::size_t i = 0; i < token_ids.size(); ++i) {
    if (token_ids[i] < vocab_size) continue;
    return make_error(ErrorCode::kInvalidArgument, std::string(argument) + "[" + text_of(i) + "]", token_ids[i],
                      "a token id below " + text_of(vocab_size));
  }
  return {};
}

}  // namespace tied
