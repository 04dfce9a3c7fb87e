// A hash of the bits of all elementary functions, computed in Node, in other releases of Node, and in browsers.

type Functions = Record<'exp' | 'log' | 'log1p' | 'sin' | 'cos' | 'sinh' | 'atan', (x: number) => number>;

const COUNT = 100_000;

/** Runs in a page: uses nothing from outside. */
export function elementaryBits(functions: Functions): string {
  let state = 1;
  /** From -1 to 1, in steps of 2^-31. */
  const drawn = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2147483648;
  };
  const kinds: [keyof Functions, () => number][] = [
    ['exp', () => drawn() * 700],
    ['log', () => (drawn() + 1) * 100],
    ['log1p', () => drawn() * (drawn() + 1)],
    ['sin', () => drawn() * 50],
    ['cos', () => drawn() * 50],
    ['sinh', () => drawn() * 4],
    ['atan', () => drawn() * 10],
  ];
  const bits = new DataView(new ArrayBuffer(8));
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (const [name, draw] of kinds) {
    for (let i = 0; i < COUNT; i++) {
      bits.setFloat64(0, functions[name](draw()));
      one = Math.imul(one ^ bits.getInt32(0), 16777619) ^ (one >>> 15);
      other = Math.imul(other ^ bits.getInt32(4), 16777619) ^ (other >>> 13);
    }
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export const ELEMENTARY_BITS = 'b47f42b038abd8b6';
