// The finished models of the article's small GPTs write from the reader's own prompts.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab } from '../../../web/core/types.js';
import { givenLab, type LabSource } from '../../../web/elements/shared/lab-lease.js';
import { ModelsFileError } from '../../../web/elements/shared/models-file-error.js';
import { commonStrings } from '../../../web/elements/shared/strings.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';
import type { FinishedTransformerRun } from '../../../web/elements/training-lab/transformer/finished-run.js';
import { FinishedWriter } from '../../../web/elements/training-lab/transformer/finished-writer.js';
import { createLab } from '../../../web/worker/lab.js';

const asset = (name: string): Buffer => readFileSync(join(root, 'web/article/assets', name));
const run = JSON.parse(asset('finished-transformer-run.json').toString()) as FinishedTransformerRun;
const file = asset('finished-transformers.safetensors');
const recorded = run.samples.at(-1);
if (recorded === undefined) throw new Error('The run wrote nothing.');
const { prompt, temperature, seed } = recorded;
const mine = { prompt: 'Once there was a', temperature, seed };

/** A machine may be slow, so only conditions count. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

/** Answers each request with bytes, a status or a failure, and records the requests. */
function serve(...answers: (Uint8Array | number | Error)[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    const answer = answers[Math.min(asked.push(url), answers.length) - 1] ?? 404;
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(
      typeof answer === 'number' ? new Response('', { status: answer }) : new Response(answer.slice()),
    );
  });
  return asked;
}

function writerWith(labs: LabSource) {
  const progress: (number | null)[] = [];
  const writer: FinishedWriter = new FinishedWriter({
    host: noElement,
    labs,
    names: () => commonStrings,
    onChange: () => progress.push(writer.fetched),
  });
  return { writer, progress };
}

async function withLab(use: (lab: Lab) => Promise<void>): Promise<void> {
  const lab = await createLab();
  try {
    await use(lab);
  } finally {
    lab.dispose();
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the file of the finished models', () => {
  it('is the one named by the run, and reports where it came from', () => {
    expect(file.length).toBe(run.models?.bytes);
    expect(createHash('sha256').update(file).digest('hex')).toBe(run.models?.sha256);
    const header = JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE())).toString()) as Record<
      string,
      unknown
    >;
    expect(header['__metadata__']).toMatchObject({
      seed: String(run.settings.seed),
      steps: String(run.settings.steps),
    });
  });

  it('contains models that write the same as the run at its last step, although in half precision', async () => {
    await withLab(async (lab) => {
      serve(file);
      const { writer } = writerWith(givenLab(lab));
      writer.follow(run, { prompt, temperature, seed });
      await until(() => {
        expect(writer.sample).toEqual(recorded);
      });
    });
  });
});

describe('a prompt of the reader’s own', () => {
  it('is continued by every model, and the file is fetched once', async () => {
    await withLab(async (lab) => {
      const asked = serve(file);
      const { writer, progress } = writerWith(givenLab(lab));
      writer.follow(run, mine);
      await until(() => {
        expect(writer.sample).toMatchObject({ ...mine, step: run.settings.steps });
      });
      const first = writer.sample;
      expect(first?.texts).toHaveLength(2);
      expect(first?.texts.every((text) => text.trim().length > 40)).toBe(true);
      expect(new Set(first?.texts).size).toBe(2);
      expect(progress).toContain(run.models?.bytes);
      expect(progress.at(-1)).toBeNull();
      writer.follow(run, { ...mine, seed: 2 });
      await until(() => {
        expect(writer.sample?.seed).toBe(2);
      });
      expect(writer.sample?.texts).not.toEqual(first?.texts);
      expect(asked).toEqual([run.models?.url]);
    });
  });

  it.each(['', '漢字'])('is refused if none of it is a token (“%s”), and the next prompt works', async (bad) => {
    await withLab(async (lab) => {
      serve(file);
      const { writer } = writerWith(givenLab(lab));
      writer.follow(run, { ...mine, prompt: bad });
      await until(() => {
        expect(writer.promptProblem).not.toBeNull();
      });
      await until(() => {
        writer.follow(run, mine);
        expect(writer.sample?.prompt).toBe(mine.prompt);
      });
      expect(writer.promptProblem).toBeNull();
    });
  });
});

describe('a file that is not available', () => {
  const noLab: LabSource = {
    lab: () => Promise.reject(new Error('not asked for')),
    lost: () => Promise.resolve(false),
  };

  it.each([
    ['is not there', 404, 'the server answers 404'],
    ['cannot be reached', new TypeError('Failed to fetch'), 'the server cannot be reached'],
    ['is of another length', file.subarray(0, 5000), 'the file does not belong to this run'],
  ])(
    'that %s is reported, and not fetched again until the reader requests something else',
    async (_, answer, reason) => {
      const asked = serve(answer);
      const { writer } = writerWith(noLab);
      writer.follow(run, mine);
      await until(() => {
        expect(writer.failure).toBeInstanceOf(ModelsFileError);
      });
      expect((writer.failure as ModelsFileError).reason).toBe(reason);
      writer.follow(run, mine);
      expect(asked).toHaveLength(1);
      writer.follow(run, { ...mine, seed: 2 });
      expect(writer.failure).toBeNull();
      await until(() => {
        expect(asked).toHaveLength(2);
      });
    },
  );

  it('with bytes other than the run declares leaves the lab usable', async () => {
    await withLab(async (lab) => {
      const broken = Uint8Array.from(file);
      broken.fill(0x7b, 8, 200);
      serve(broken, file);
      const { writer } = writerWith(givenLab(lab));
      writer.follow(run, mine);
      await until(() => {
        expect(writer.failure).toBeInstanceOf(ModelsFileError);
      });
      await until(() => {
        writer.follow(run, { ...mine, seed: 3 });
        expect(writer.sample?.seed).toBe(3);
      });
    });
  });

  it('is no longer fetched after the reader cancels, and can be requested again', async () => {
    const signals: AbortSignal[] = [];
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    });
    const { writer } = writerWith(noLab);
    writer.follow(run, mine);
    await until(() => {
      expect(signals).toHaveLength(1);
    });
    expect(writer.fetched).toBe(0);
    writer.cancel();
    expect([writer.cancelled, signals[0]?.aborted]).toEqual([true, true]);
    await until(() => {
      expect(writer.fetched).toBeNull();
    });
    expect(writer.failure).toBeNull();
    await until(() => {
      writer.follow(run, { ...mine, seed: 2 });
      expect(signals).toHaveLength(2);
    });
    expect(writer.cancelled).toBe(false);
    writer.cancel();
  });
});

describe('a lab that dies', () => {
  it('is replaced, and the models are opened in the new one', async () => {
    const labs = [await createLab(), await createLab()];
    try {
      serve(file);
      const source: LabSource = {
        lab: () => Promise.resolve(labs[0] as Lab),
        lost: () => {
          labs.shift();
          return Promise.resolve(true);
        },
      };
      const { writer } = writerWith(source);
      writer.follow(run, mine);
      await until(() => {
        expect(writer.sample?.seed).toBe(seed);
      });
      labs[0]?.dispose();
      writer.follow(run, { ...mine, seed: 2 });
      await until(() => {
        expect(writer.sample?.seed).toBe(2);
      });
    } finally {
      for (const lab of labs) lab.dispose();
    }
  });
});
