// Letters of figures are large enough to read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';

it('no style sheet of a figure has letters smaller than 11 px', () => {
  const folder = join(root, 'web/elements');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.styles.ts'),
  );
  expect(files.length).toBeGreaterThan(20);
  const small = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/font-size'?: '?([\d.]+)px/g)]
      .filter(([, size]) => Number(size) < 11 && size !== '1') // A size of 1 hides text.
      .map(([text]) => `${file}: ${text}`),
  );
  expect(small).toEqual([]);
});
