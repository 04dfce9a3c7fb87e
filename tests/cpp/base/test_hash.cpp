#include <doctest/doctest.h>

#include "base/byte_stream.h"
#include "base/hash.h"

using namespace tied;

// Test vectors of the FNV draft.
TEST_CASE("FNV-1a gives the published values, at once and in pieces") {
  CHECK(fnv1a_64({}) == 0xcbf29ce484222325);
  CHECK(fnv1a_64(bytes_of("a")) == 0xaf63dc4c8601ec8c);
  CHECK(fnv1a_64(bytes_of("foobar")) == 0x85944171f73967e8);
  CHECK(fnv1a_64(bytes_of("bar"), fnv1a_64(bytes_of("foo"))) == 0x85944171f73967e8);
  CHECK(fnv1a_32({}) == 0x811c9dc5);
  CHECK(fnv1a_32(bytes_of("a")) == 0xe40c292c);
  CHECK(fnv1a_32(bytes_of("foobar")) == 0xbf9cf968);
  CHECK(fnv1a_32(bytes_of("bar"), fnv1a_32(bytes_of("foo"))) == 0xbf9cf968);
}
