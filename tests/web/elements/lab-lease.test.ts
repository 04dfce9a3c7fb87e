import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { isSupported } from '../../../web/core/runtime/support.js';
import { TiedError } from '../../../web/core/runtime/errors.js';
import { LabLease } from '../../../web/elements/shared/lab-lease.js';
import { holdLab, setLabOpener, setRecordedLab } from '../../../web/elements/shared/page-labs.js';
import { labOfAnswers, written } from '../../../web/elements/shared/recorded-answers.js';
import { openModels } from '../../../web/elements/shared/saved-models.js';
import { mortalLab, opensLabs } from './fake-labs.js';
import { hostOfTests, settled } from './host.js';

vi.mock('../../../web/core/runtime/support.js', () => ({
  isSupported: vi.fn(() => ({ supported: true, reason: null })),
}));

const leases: (() => void)[] = [];
function figure(own: Parameters<typeof mortalLab>[0] | null = null) {
  const host = hostOfTests();
  const author = own === null ? null : mortalLab(own);
  const lease = new LabLease(host, () => author?.lab ?? null);
  leases.push(() => {
    lease.release();
  });
  return { host, lease, author };
}

afterEach(() => {
  for (const release of leases.splice(0)) release();
  setLabOpener(null);
  setRecordedLab(null);
  vi.unstubAllGlobals();
});

describe('the lab of a page', () => {
  it('is shared by all figures, and opened for the first', async () => {
    const opened = opensLabs();
    const [one, other] = [figure(), figure()];
    expect(opened).toEqual([]);
    expect(await one.lease.lab()).toBe(opened[0]!.lab);
    expect(await other.lease.lab()).toBe(opened[0]!.lab);
    expect(opened).toHaveLength(1);
  });

  it('ends with the last figure that leaves, and reopens for one that returns', async () => {
    const opened = opensLabs();
    const [one, other] = [figure(), figure()];
    await Promise.all([one.lease.lab(), other.lease.lab()]);
    one.host.remove();
    await settled();
    expect(opened[0]!.disposed).toBe(false);
    other.host.remove();
    await settled();
    expect(opened[0]!.disposed).toBe(true);
    one.host.putBack();
    expect(await one.lease.lab()).toBe(opened[1]!.lab);
  });

  it('stays if a figure is only moved', async () => {
    const opened = opensLabs();
    const { host, lease } = figure();
    await lease.lab();
    host.remove();
    host.putBack();
    await settled();
    expect(opened[0]!.disposed).toBe(false);
  });

  it('stays for a page that holds it itself', async () => {
    const opened = opensLabs();
    const held = holdLab();
    await held.opened;
    const { host, lease } = figure();
    await lease.lab();
    host.remove();
    await settled();
    expect(opened.map(({ disposed }) => disposed)).toEqual([false]);
    held.release();
  });

  it('is disposed of if every figure leaves while it opens', async () => {
    const { lab } = mortalLab();
    const dispose = vi.spyOn(lab, 'dispose');
    let open = (_: typeof lab): void => undefined;
    setLabOpener(() => new Promise((resolve) => (open = resolve)));
    const { host, lease } = figure();
    void lease.lab();
    host.remove();
    await settled();
    open(lab);
    await settled();
    expect(dispose).toHaveBeenCalledOnce();
  });

  it('is not opened for a figure that has left', async () => {
    const opened = opensLabs();
    const { host, lease } = figure();
    host.remove();
    await expect(lease.lab()).rejects.toMatchObject({ code: 'cancelled' });
    expect(opened).toEqual([]);
  });

  it('is retried for the next figure if it could not be opened', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.doMock('../../../web/worker/lab.js', () => ({ createLab: () => Promise.reject(new Error('no worker')) }));
    setLabOpener(() => Promise.reject(new Error('no file')));
    const { lease } = figure();
    await expect(lease.lab()).rejects.toThrow('no worker');
    await settled();
    const opened = opensLabs();
    expect(await lease.lab()).toBe(opened[0]!.lab);
    warn.mockRestore();
    vi.doUnmock('../../../web/worker/lab.js');
  });

  it('is not opened if the browser cannot run it', async () => {
    const opened = opensLabs();
    vi.mocked(isSupported).mockReturnValueOnce({ supported: false, reason: 'no SIMD' } as never);
    await expect(figure().lease.lab()).rejects.toMatchObject({ code: 'unsupported', message: 'no SIMD' });
    expect(opened).toEqual([]);
  });
});

describe('a lab that dies', () => {
  it('together with its worker is replaced before its first call', async () => {
    const opened = opensLabs();
    const { lease } = figure();
    await lease.lab();
    opened[0]!.die();
    await settled();
    expect(await lease.ask((lab) => lab.knownModels())).toEqual([]);
    expect(opened.map(({ asked }) => asked)).toEqual([0, 1]);
  });

  it('while its worker lives is disposed of, and the pending call is repeated', async () => {
    const opened = opensLabs();
    const { lease } = figure();
    await lease.lab();
    opened[0]!.stop();
    expect(await lease.ask((lab) => lab.knownModels())).toEqual([]);
    expect(opened.map(({ disposed }) => disposed)).toEqual([true, false]);
  });

  it('during a call is replaced too', async () => {
    const opened = opensLabs();
    const { lease } = figure();
    const answers = await lease.ask(async (lab) => {
      if (lab === opened[0]!.lab) opened[0]!.stop();
      return [await lab.knownModels(), opened.length];
    });
    expect(answers).toEqual([[], 2]);
    expect(opened[0]!.disposed).toBe(true);
  });

  it('and was replaced for one call is not called again for an earlier one', async () => {
    const opened = opensLabs();
    const { lease } = figure();
    let refuse: (error: Error) => void = () => undefined;
    const slow = new Promise<never>((_, reject) => (refuse = reject));
    const first = lease.ask((lab) => (lab === opened[0]!.lab ? slow : lab.knownModels()));
    await lease.lab();
    opened[0]!.stop();
    expect(await lease.ask((lab) => lab.knownModels())).toEqual([]);
    // The new lab works, and the old one only now reports that it is gone.
    refuse(new TiedError('disposed', 'the lab has been disposed of; create a new one'));
    expect(await first).toEqual([]);
    expect(opened.map(({ disposed }) => disposed)).toEqual([true, false]);
  });

  it.each([
    [3, 'answered by the fourth'],
    [4, 'an error'],
  ])('%i times during a call: the call is %s', async (deaths, outcome) => {
    const opened = opensLabs();
    const { lease } = figure();
    const asked = lease.ask((lab) => {
      if (opened.length <= deaths) opened.at(-1)!.stop();
      return lab.knownModels();
    });
    if (outcome === 'an error') await expect(asked).rejects.toMatchObject({ code: 'stopped' });
    else expect(await asked).toEqual([]);
    expect(opened).toHaveLength(4);
  });

  it('is replaced once, for any number of figures', async () => {
    const opened = opensLabs();
    const figures = [figure(), figure(), figure()];
    await Promise.all(figures.map(({ lease }) => lease.lab()));
    opened[0]!.stop();
    await Promise.all(figures.map(({ lease }) => lease.ask((lab) => lab.knownModels())));
    expect(opened).toHaveLength(2);
  });

  it('is not confused with one that refuses, which stays', async () => {
    const opened = opensLabs();
    const { lease } = figure();
    for (const code of ['out-of-memory', 'disposed', 'stopped', 'invalid-argument'] as const) {
      const refusal = new TiedError(code, 'no');
      await expect(lease.ask(() => Promise.reject(refusal))).rejects.toBe(refusal);
    }
    expect(opened.map(({ disposed }) => disposed)).toEqual([false]);
  });

  it.each([
    ['the page’s', undefined],
    ['an author’s', {}],
  ])('only in another of its workers stays, and %s lab is called again', async (_, own) => {
    const opened = opensLabs();
    const { lease } = figure(own);
    let calls = 0;
    const answer = await lease.ask((lab) => {
      if (++calls <= 2) return Promise.reject(new TiedError('stopped', 'a worker of the lab stopped'));
      return lab.knownModels();
    });
    expect([answer, calls]).toEqual([[], 3]);
    expect(opened.filter(({ disposed }) => disposed)).toEqual([]);
  });

  it('and was given by an author is reported as lost, and neither replaced nor disposed of', async () => {
    const opened = opensLabs();
    const { lease, author } = figure({});
    author!.stop();
    const asked = lease.ask((lab) => lab.knownModels());
    await expect(asked).rejects.toMatchObject({ code: 'stopped' });
    expect(await lease.lost(new TiedError('stopped', 'gone'))).toBe(true);
    expect([author!.disposed, opened.length]).toEqual([false, 0]);
  });
});

describe('answers that a page has recorded', () => {
  const square = { rows: 1, cols: 1, data: Float32Array.of(0.1) };
  const logits = { rows: 1, cols: 1, data: Float32Array.of(0.3) };
  const ask = ({ lease }: ReturnType<typeof figure>, embedding = square) =>
    lease.ask((lab) => lab.directPath({ embedding }));
  const record = () => {
    const answers = { [written(['directPath', [{ embedding: square }]])]: JSON.parse(written(logits)) as unknown };
    setRecordedLab(Promise.resolve(labOfAnswers(answers)));
  };

  it('are given without a lab, to the bit and as new objects; other questions open one', async () => {
    record();
    const opened = opensLabs();
    const one = figure();
    expect(await ask(one)).toEqual(logits);
    expect(await ask(one)).not.toBe(await ask(one));
    expect(opened).toHaveLength(0);
    const other = { ...square, data: Float32Array.of(0.2) };
    expect((await ask(one, other)).data).toEqual(other.data);
    expect(opened).toHaveLength(1);
  });

  it('are not asked once there is a lab, nor for a lab of the page’s author', async () => {
    record();
    const opened = opensLabs();
    const [one, authored] = [figure(), figure({})];
    expect((await ask(authored)).data).toEqual(square.data);
    expect(authored.author!.asked).toBe(1);
    await one.lease.lab();
    expect((await ask(one)).data).toEqual(square.data);
    expect(opened[0]!.asked).toBe(1);
  });

  it('are done without if they do not arrive, or the question needs more of a lab', async () => {
    const opened = opensLabs();
    record();
    expect(await figure().lease.ask((lab) => Promise.resolve(lab.mode))).toBe('worker');
    for (const release of leases.splice(0)) release();
    setRecordedLab(Promise.resolve(null));
    expect((await ask(figure())).data).toEqual(square.data);
    expect(opened).toHaveLength(2);
  });

  it('do not make a file of models look like another file', async () => {
    record();
    const opened = opensLabs();
    const file = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
    const modes: string[] = [];
    await figure().lease.ask(async (lab) => {
      if (opened.length === 0) await openModels(lab, file, () => [], 'it is another file');
      modes.push(lab.mode);
    });
    expect(modes).toEqual(['worker']);
    expect(opened).toHaveLength(1);
  });
});
