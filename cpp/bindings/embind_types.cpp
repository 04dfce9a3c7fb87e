// The types that cross, for Embind: instead of its own list, which brings strings, wide strings, big integers, `val`
// and memory views into the payload (3 KB gzip) whether they are used or not. Defining these functions keeps Embind's
// file of the same contents (system/lib/embind/bind.cpp) out of the program. A binding with a type that is not
// registered here fails when the module is loaded, for every test to see.
#include <cstdint>
#include <cstring>
#include <limits>

#include <emscripten/bind.h>

namespace {

emscripten::internal::InitFunc* first_init_function = nullptr;

}  // namespace

extern "C" {

// Names types that are not registered, in messages that users never see. JavaScript frees what this returns.
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
