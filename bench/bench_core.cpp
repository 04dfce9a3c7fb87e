// The benchmark program. It lists its cases and measures one per request, so that the caller (bench/hosts) can measure
// all contenders in turn. Natively it answers the lines "cases" and "measure <milliseconds> <id>" with one line of JSON
// each; as wasm it exports two functions, for a page and for Node.
#include <string>

#include "cases.h"
#include "measure.h"

namespace {

tied::bench::Measurer& measurer() {
  static tied::bench::Measurer instance(tied::bench::all_cases());
  return instance;
}

}  // namespace

#ifdef __EMSCRIPTEN__

namespace {
// The last answer; valid until the next request.
std::string answer;
}  // namespace

extern "C" {

const char* bench_cases() {
  answer = measurer().list();
  return answer.c_str();
}

const char* bench_measure(double milliseconds, const char* id) {
  answer = measurer().measure(id, milliseconds);
  return answer.c_str();
}
}

#else

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
  char line[512];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    line[std::strcspn(line, "\r\n")] = '\0';
    const char* const question = "measure ";
    std::string answer = R"({"error": "expected: cases, or measure <milliseconds> <id>"})";
    if (std::strcmp(line, "cases") == 0) answer = measurer().list();
    if (std::strncmp(line, question, std::strlen(question)) == 0) {
      char* rest = nullptr;
      const double milliseconds = std::strtod(line + std::strlen(question), &rest);
      if (*rest == ' ') answer = measurer().measure(rest + 1, milliseconds);
    }
    std::printf("%s\n", answer.c_str());
    std::fflush(stdout);
  }
}

#endif
