/** What an equation of Einsum does with one of its two factors. https://onnx.ai/onnx/operators/onnx__Einsum.html */

/**
 * Whether a token is a column of the factor; null if the equation does not multiply states by a table, that is, sum over one of the factor's two letters, the width, and keep the
 * other. As in 'btd,vd->btv', of which the second has a row per token.
 */
export function isTurnedInEinsum(equation: string, at: number): boolean | null {
  const [left, right] = equation.replaceAll(' ', '').split('->');
  const factors = left!.split(',');
  if (factors.length !== 2) return null;
  const [table, states] = [factors[at]!, factors[1 - at]!];
  const [first, second] = table;
  if (first === undefined || second === undefined || !/^[A-Za-z]{2}$/.test(table) || first === second) return null;
  // Without an arrow, what stands once is kept.
  const isKept = (letter: string): boolean => (right === undefined ? !states.includes(letter) : right.includes(letter));
  const isWidth = (letter: string): boolean => states.includes(letter) && !isKept(letter);
  const isToken = (letter: string): boolean => !states.includes(letter) && isKept(letter);
  if (isToken(first) && isWidth(second)) return false;
  return isWidth(first) && isToken(second) ? true : null;
}
