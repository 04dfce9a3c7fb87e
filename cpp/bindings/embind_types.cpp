// Registers the types that cross with Embind. Embind's own list would add strings, wide strings, big integers, `val`
// and memory views to the payload (3 KB gzip), used or not; defining these functions keeps its file
// (system/lib/embind/bind.cpp) out of the link. A binding with a type that is not registered here fails when the module
// is loaded, which every test would show.
#include <cstdint>
#include <cstring>
#include <limits>

#include <emscripten/bind.h>

namespace {

emscripten::internal::InitFunc* first_init_function = nullptr;

}  // namespace

extern "C" {

// Names unregistered types, in messages that users never see. JavaScript frees the result.
const char* __getTypeName(const std::type_info* /*type*/) { return strdup("a type"); }

void _embind_initialize_bindings() {
  for (auto* function = first_init_function; function != nullptr; function = function->next) function->init_func();
}

void _embind_register_bindings(emscripten::internal::InitFunc* function) {
  function->next = first_init_function;
  first_init_function = function;
}

}  // extern "C"

EMSCRIPTEN_BINDINGS(tied_types) {
  using namespace emscripten::internal;
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  _embind_register_integer(TypeID<std::uintptr_t>::get(), "unsigned long", sizeof(std::uintptr_t), 0,
                           std::numeric_limits<std::uintptr_t>::max());
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
}
