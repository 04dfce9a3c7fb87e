import { afterEach, describe, expect, it } from 'vitest';
import type { Lab } from '../../../web/core/types.js';
import { discardSharedLab, setLabOpener, setSharedLab, sharedLab } from '../../../web/elements/shared/shared-lab.js';

afterEach(() => {
  setLabOpener(null);
  setSharedLab(null);
});

function opener() {
  const opened: { lab: Lab; disposed: boolean }[] = [];
  setLabOpener(() => {
    const one = { lab: {} as Lab, disposed: false };
    one.lab = { dispose: () => (one.disposed = true) } as unknown as Lab;
    opened.push(one);
    return Promise.resolve(one.lab);
  });
  return opened;
}

describe('the shared lab', () => {
  it('is ended and replaced once it is discarded', async () => {
    const opened = opener();
    const first = await sharedLab();
    discardSharedLab(first);
    expect(await sharedLab()).not.toBe(first);
    expect(opened.map(({ disposed }) => disposed)).toEqual([true, false]);
  });

  it('stays where another lab is discarded, or one that was replaced before', async () => {
    const opened = opener();
    const first = await sharedLab();
    discardSharedLab(first);
    const second = await sharedLab();
    discardSharedLab(first);
    discardSharedLab({ dispose: () => undefined } as unknown as Lab);
    expect(await sharedLab()).toBe(second);
    expect(opened).toHaveLength(2);
  });
});
