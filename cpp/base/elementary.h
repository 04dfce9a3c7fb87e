// Logarithm and exponential of our own: additions, multiplications and divisions only, so that the bits are the same
// wherever IEEE 754 arithmetic is. The C library's differ between systems, and would make seeds mean different numbers.
#pragma once

namespace tied {

// ln x, within 2 units in the last place. 0 gives -infinity; negative numbers and NaN give NaN.
double natural_log(double x);

// e^x, within 2 units in the last place; 0 below about -745.2, infinity above about 709.8.
double exponential(double x);

}  // namespace tied
