/** Integers of 64 bits, in which counts are passed to the core. See bindings/architecture_numbers.h. */
/** Integers from 0 to 2^53 - 1, as the core reads them. */
export function integerArray(numbers: readonly number[]): BigUint64Array {
  return BigUint64Array.from(numbers, BigInt);
}
