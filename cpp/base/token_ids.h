// Validation of token ids.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"

namespace tied {

// Errors: kInvalidArgument, naming `argument` and the first index whose id is not below vocab_size.
Status check_token_ids(std::string_view argument, std::span<const std::uint32_t> token_ids, std::uint64_t vocab_size);

}  // namespace tied
