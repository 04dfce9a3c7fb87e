// Our own logarithm and exponential, from additions, multiplications and divisions only, so the bits are the same
// everywhere under IEEE 754. C libraries differ between systems, so a seed would give different values.
#pragma once

namespace tied {

// ln x, within 2 units in the last place. 0 gives -infinity; negative numbers and NaN give NaN.
double natural_log(double x);

// e^x, within 2 units in the last place; 0 below about -745.2, infinity above about 709.8.
double exponential(double x);

}  // namespace tied
