// Advice about tying; web/core/accounting/advise-tying.ts is the JavaScript side.

#include <emscripten/bind.h>

#include "accounting/advice.h"
#include "bindings/architecture_numbers.h"
#include "bindings/given.h"
#include "bindings/transfer.h"

namespace tied::bindings {
namespace {

// `given`: an AdviceContext
bool advise(Address architecture, Address given) {
  AdviceContext context;
  Given(given).read(context);

  Advice advice;
  const Architecture model = architecture_at(architecture);
  if (!done(validate(model)) || !done(advise_tying(advice, model, context))) return false;
  answer.write(advice);
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_advice) { emscripten::function("adviseTying", &advise); }

}  // namespace tied::bindings
