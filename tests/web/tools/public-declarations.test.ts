import { expect, test } from 'vitest';
import { publicDeclarations } from '../../../tools/build/public-declarations.mjs';

test('members that users cannot name go, with what only they need', () => {
  const text = `import type { A, B } from './ab.js';
import { C } from './c.js';
import './effect.js';
/** Of the secret alone. */
type Hidden = B[];
type Chained = Hidden;
interface Kept {
    readonly a: A;
}
export declare class Figure {
    #private;
    private readonly secret;
    /** For subclasses. */
    protected wait(chained: Chained): C;
    /** For users. */
    shown: Kept;
    private constructor();
}
export {};
`;
  expect(publicDeclarations(text)).toBe(`import type { A } from './ab.js';
import './effect.js';
interface Kept {
    readonly a: A;
}
export declare class Figure {
    /** For users. */
    shown: Kept;
    private constructor();
}
export {};
`);
});

test('what is exported, or used in any other place, stays', () => {
  const text = `import type { A } from './a.js';
export type Named = A;
declare const Base: new () => Named;
export declare class Figure extends Base {
}
`;
  expect(publicDeclarations(text)).toBe(text);
});
