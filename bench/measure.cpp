#include "measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "machine_limit.h"
#include "processor_time.h"

namespace tied::bench {
namespace {

// Duration of a measurement of the limit, for each number of chains.
constexpr double kSecondsOfLimit = 0.003;

struct Time {
  double seconds = 0;
  double calls = 0;
};

// Makes as many calls as fill the time. While the end is far, the clock is read after 1, 2, 4, ... calls, so that
// reading it does not distort short calls.
template <class Run>
Time time_of(const Run& run, double at_least) {
  const double start = processor_seconds();
  Time time;
  double batch = 1;
  while (true) {
    for (double i = 0; i < batch; ++i) run();
    time.calls += batch;
    time.seconds = processor_seconds() - start;
    if (time.seconds >= at_least) return time;
    const double missing = time.seconds > 0 ? time.calls * (at_least / time.seconds - 1) : 2 * batch;
    batch = std::max(1.0, std::floor(std::min(2 * batch, missing)));
  }
}

double measured_limit() {
  static volatile float used = 0;  // keeps the compiler from removing the work
  double best = 0;
  for (int i = 0; i < number_of_chain_counts(); ++i) {
    const Time time = time_of([&] { used = used + multiply_adds(i); }, kSecondsOfLimit);
    best = std::max(best, operations_of_multiply_adds(i) * time.calls / time.seconds);
  }
  return best;
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace

Measurer::Measurer(std::vector<Case> cases) : cases_(std::move(cases)), runs_(cases_.size()) {}

std::string Measurer::list() const {
  std::string text = "[";
  for (const Case& c : cases_) {
    if (text.size() > 1) text += ", ";
    text += "{\"id\": " + quoted(c.id) + ", \"operations\": " + number(c.operations) +
            ", \"items\": " + number(c.items) + ", \"itemsName\": " + quoted(c.items_name) +
            ", \"fresh\": " + (c.fresh ? "true" : "false") + "}";
  }
  return text + "]";
}

std::string Measurer::measure(const std::string& id, double milliseconds) {
  const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const Case& c) { return c.id == id; });
  if (found == cases_.end()) return "{\"error\": " + quoted("no case " + id) + "}";
  const Case& chosen = *found;
  std::function<void()>& run = runs_[static_cast<std::size_t>(found - cases_.begin())];
  if (!run) run = chosen.prepare();

  const double limit = measured_limit();
  const Time time = time_of(run, milliseconds / 1000);
  std::string text =
      "{\"seconds\": " + number(time.seconds) + ", \"calls\": " + number(time.calls) + ", \"limit\": " + number(limit);
  if (chosen.facts) {
    std::string facts;
    for (const Fact& fact : chosen.facts()) {
      if (!facts.empty()) facts += ", ";
      facts += quoted(fact.name) + ": " + number(fact.value);
    }
    text += ", \"facts\": {" + facts + "}";
  }
  if (!chosen.keep) run = nullptr;
  return text + "}";
}

}  // namespace tied::bench
