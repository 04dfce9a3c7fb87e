// How <tied-heads> presents a race of heads, and a small race itself. Its use is tested in tests/browser/heads.test.ts.
import { describe, expect, it, vi } from 'vitest';
import { checkHead } from '../../../web/core/model/head-options.js';
import { headIds, headOf } from '../../../web/elements/heads/head-list.js';
import { headsSettings } from '../../../web/elements/heads/heads.settings.js';
import { headsStrings as texts } from '../../../web/elements/heads/heads.strings.js';
import { questionOf, raceKey, type RaceSettings } from '../../../web/elements/heads/race-question.js';
import { countHeads, RaceRun } from '../../../web/elements/heads/race-run.js';
import {
  armsOf,
  gains,
  pointAt,
  shareOfTime,
  shareOfWork,
  targetOf,
  timeOf,
  type ArmRun,
  type Race,
} from '../../../web/elements/heads/race.js';
import { lossDomain, nameRows, sideBySide, titleOf } from '../../../web/elements/heads/scatter.js';
import { wordsOf } from '../../../web/elements/heads/sentences.js';
import { initialValues } from '../../../web/elements/shared/settings/with-settings.js';
import { createLab } from '../../../web/worker/lab.js';

vi.setConfig({ testTimeout: 120_000 });

const settings = { ...initialValues(headsSettings), text: null } as RaceSettings;

/** A model that takes `pace` seconds per step and lowers its loss by `rate` nats in each. */
const armOf = (head: ArmRun['head'], tying: ArmRun['tying'], pace: number, rate: number, until: number): ArmRun => ({
  head,
  tying,
  points: [0, 50, 100, ...(until > 100 ? [until] : [])].map((steps) => ({
    steps,
    seconds: steps * pace,
    loss: 7 - rate * steps,
    lost: head === 'culled' ? 0.25 : 0,
  })),
});

/** 100 steps, for which the full head takes 2 s. */
const race = (over: Partial<Race> = {}): Race => ({
  key: '',
  steps: 100,
  vocabSize: 1000,
  tokens: 10_000,
  heldOut: 1000,
  costs: [
    { head: 'full', macs: 900, layers: 100 },
    { head: 'sampled', macs: 100, layers: 100 },
    { head: 'clustered', macs: 80, layers: 100 },
    { head: 'culled', macs: 450, layers: 100 },
  ],
  arms: [
    armOf('full', 'tied', 0.02, 0.03, 100),
    armOf('full', 'untied', 0.02, 0.04, 100),
    armOf('sampled', 'tied', 0.005, 0.01, 400),
    armOf('sampled', 'untied', 0.005, 0.011, 400),
    armOf('clustered', 'tied', 0.01, 0.02, 200),
    armOf('clustered', 'untied', 0.01, 0.019, 200),
    armOf('culled', 'tied', 0.01, 0.03, 200),
    armOf('culled', 'untied', 0.01, 0.03, 200),
  ],
  complete: true,
  ...over,
});

describe('a race of heads', () => {
  it('is read at steps or seconds, on straight lines between evaluations', () => {
    const [full] = race().arms;
    expect(pointAt(full!, 'steps', 50)).toMatchObject({ steps: 50, seconds: 1, loss: 5.5 });
    expect(pointAt(full!, 'time', 1.5)).toMatchObject({ steps: 75, seconds: 1.5, loss: 4.75 });
    expect(pointAt(full!, 'steps', 0)?.loss).toBe(7);
    // If it has not come so far: its last evaluation.
    expect(pointAt(full!, 'steps', 500)).toMatchObject({ steps: 100, loss: 4 });
    expect(pointAt({ ...full!, points: [] }, 'time', 1)).toBeNull();
  });

  it('compares heads at the steps, or at the time that the slowest takes for them', () => {
    expect(timeOf(race())).toBe(2);
    expect(targetOf(race(), 'steps', 0.5)).toBe(50);
    expect(targetOf(race(), 'time', 0.5)).toBe(1);
    expect(timeOf(race({ arms: [] }))).toBe(0);
  });

  it('compares only what every model has done while they train, and calls it so far', () => {
    // The full head has taken 2 s for 100 steps, the sampled one half a second.
    const { arms, costs } = race();
    const early = arms.map((arm) => (arm.head === 'sampled' ? { ...arm, points: arm.points.slice(0, 2) } : arm));
    const under = race({ arms: early, complete: false });
    const sampled = early.find(({ head }) => head === 'sampled')!.points.at(-1)!;
    expect(targetOf(under, 'time', 1)).toBe(sampled.seconds);
    expect(targetOf(under, 'steps', 1)).toBe(Math.min(100, sampled.steps));
    const view = { texts, race: under, costs, by: 'time', share: 1, width: 600 } as const;
    expect(wordsOf(view)!.claim).toMatch(/^So far: given the same time, /);
    const start = race({ arms: arms.map((arm) => ({ ...arm, points: arm.points.slice(0, 1) })), complete: false });
    expect(wordsOf({ ...view, race: start })).toBeNull();
    expect(titleOf({ ...view, race: start })).toBe('Loss on held-out text');
    expect(titleOf(view)).toBe('Loss on held-out text after 0.3 s of training each');
    expect(targetOf(race({ arms: [], complete: false }), 'time', 1)).toBe(0);
  });

  it('reports gains only for heads that predict all tokens', () => {
    const of = (by: 'steps' | 'time') =>
      Object.fromEntries(gains(race(), by, 1).map(({ head, gains }) => [head, gains]));
    expect(of('steps')['sampled']![0]).toBeCloseTo(-2);
    expect(of('time')['sampled']![0]).toBeCloseTo(1);
    expect(of('time')['sampled']![1]).toBeCloseTo(0.4);
    expect(Object.keys(of('time'))).toEqual(['sampled', 'clustered']);
  });

  it('has counted fractions of work and measured fractions of time', () => {
    expect(shareOfWork(race().costs, 'sampled')).toBeCloseTo(0.2);
    expect(shareOfTime(race(), { head: 'sampled', tying: 'tied' })).toBeCloseTo(0.25);
    expect(shareOfTime(race({ arms: [] }), { head: 'sampled', tying: 'tied' })).toBeNull();
  });

  it('is described as measured: which heads pay off, which do not, what cannot be compared, what arithmetic does not tell', () => {
    const view = { texts, race: race(), costs: race().costs, share: 1, width: 600 } as const;
    const time = wordsOf({ ...view, by: 'time' })!;
    expect(time.claim).toBe('Given the same time, sampled reaches a lower loss than the full head, tied and untied.');
    expect(time.rest).toContain('The culled head gives 25% of the held-out tokens no probability');
    // Tied, the loss falls by 4 nats in 200 steps, and by 3 with the full head; untied, by 3.8 and 4.
    expect(time.rest).toContain('Clustered: in only one of the two.');
    expect(time.rest).toContain(
      'a step with the clustered head needs 18% of the multiply-accumulates but takes 50% of the time',
    );
    const steps = wordsOf({ ...view, by: 'steps' })!;
    expect(steps.claim).toMatch(/^After the same steps, no cheaper head has a lower loss/);
    expect(wordsOf({ ...view, by: 'time', race: null })).toBeNull();
  });

  it('reports the effect of n-gram tables, and never counts them as a cheaper head', () => {
    const { costs, arms } = race();
    const pairs = [armOf('ngrams', 'tied', 0.02, 0.035, 100), armOf('ngrams', 'untied', 0.02, 0.038, 100)];
    const withPairs = race({
      costs: [...costs, { head: 'ngrams', macs: 900, layers: 100 }],
      arms: [...arms, ...pairs],
    });
    const view = { texts, race: withPairs, costs: withPairs.costs, by: 'steps', share: 1, width: 600 } as const;
    const { claim, rest } = wordsOf(view)!;
    expect(claim).toMatch(/no cheaper head has a lower loss/);
    expect(rest).toContain('changes its loss by −0.50 nats tied and +0.20 untied.');
    expect(wordsOf({ ...view, race: race(), costs })!.rest).not.toContain('pairs');
    // As costly as the full head, and drawn beside it.
    const beside = sideBySide([{ x: 10 }, { x: 90 }, { x: 90 }]);
    expect(beside[0]!.x).toBe(10);
    expect(beside[1]!.x + beside[2]!.x).toBe(180);
    expect(beside[2]!.x - beside[1]!.x).toBeGreaterThan(20);
  });

  it('writes names over their columns in as many rows as keep them apart', () => {
    const rows = nameRows(
      [
        { name: 'Full', x: 300 },
        { name: 'Sampled', x: 60 },
        { name: 'Clustered', x: 40 },
      ],
      320,
    );
    expect(rows.map(({ name, row }) => [name, row])).toEqual([
      ['Clustered', 0],
      ['Sampled', 1],
      ['Full', 0],
    ]);
    for (const { nameX, name } of rows) expect(nameX - name.length * 3.8).toBeGreaterThanOrEqual(0);
  });

  it('has an axis that fits the losses shown', () => {
    const view = { texts, race: race(), costs: race().costs, by: 'time', share: 1, width: 600 } as const;
    const low = Math.min(...race().arms.flatMap(({ points }) => points.slice(1).map(({ loss }) => loss)));
    const [from, to] = lossDomain(view);
    expect(from).toBeLessThanOrEqual(low);
    // Sampled and tied, after the steps: 6 nats.
    expect(to).toBeGreaterThanOrEqual(6);
    expect(to).toBeLessThan(7);
    expect(lossDomain({ ...view, by: 'steps', race: null }).every(Number.isFinite)).toBe(true);
    expect(lossDomain({ ...view, by: 'steps' }).every(Number.isFinite)).toBe(true);
  });

  it('has a key of everything that determines it', () => {
    expect(raceKey(settings)).toBe(raceKey({ ...settings, text: 'not used by stories' }));
    expect(raceKey(settings)).not.toBe(raceKey({ ...settings, seed: 2 }));
    const own = { ...settings, textSource: 'own' } as const;
    expect(questionOf(own)).toBeNull();
    expect(questionOf({ ...own, text: { name: 'a.txt', text: 'a text' } })?.text).toEqual({ own: 'a text' });
    expect(raceKey({ ...own, text: 'one' })).not.toBe(raceKey({ ...own, text: 'two' }));
  });
});

describe('the list of heads', () => {
  it('begins with the full head, names all heads, and counts the products of each', async () => {
    expect(headIds[0]).toBe('full');
    for (const head of headIds) for (const names of [texts.heads, texts.headNotes]) expect(names[head]).toBeTruthy();
    const lab = await createLab();
    const costs = await countHeads(lab, { vocabSize: 1024, dModel: 16 });
    const tokens = 512;
    const perToken = Object.fromEntries(costs.map(({ head, macs }) => [head, macs / (3 * tokens * 16)]));
    expect(perToken).toMatchObject({ full: 1024, sampled: 65, clustered: 64, culled: 512 });
    // Rank 4, after and before a product with a factor.
    expect(perToken['factorized']).toBe((4 * (16 + 1024)) / 16);
    for (const { head, layers } of costs) {
      const lookup = head === 'factorized' ? 3 * tokens * 4 * 16 : 0;
      expect(layers - lookup, head).toBe(costs[0]!.layers);
    }
    expect(costs[0]!.layers).toBeGreaterThan(0);
    // Only additions to the full head cost as much; their rows are looked up.
    for (const { head, macs } of costs) {
      if (headOf(head).cheaper) expect(macs, head).toBeLessThan(costs[0]!.macs);
      else expect(macs, head).toBe(costs[0]!.macs);
    }
    lab.dispose();
  });
});

describe('the models of a race', () => {
  const text = Array.from({ length: 900 }, (_, at) => `word${String((at * at) % 37)} and`).join(' ');
  const question = questionOf({ ...settings, textSource: 'own', tokenizer: 'word', steps: 20, dModel: '16', text })!;
  const never = new AbortController().signal;
  const tooShort = () => new Error(texts.tooShort);

  it('train for the same steps and then for the same time, and a pause changes no loss', async () => {
    const lab = await createLab();
    const seen: number[] = [];
    const first = new RaceRun(lab, question);
    const done = (await first.run(never, { changed: (_, share) => seen.push(share), tooShort }))!;
    first.dispose();
    expect(done.complete).toBe(true);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(done.arms.map(({ head, tying }) => ({ head, tying }))).toEqual(armsOf());
    const end = timeOf(done);
    for (const arm of done.arms) {
      const { seconds, steps } = arm.points.at(-1)!;
      expect(steps).toBeGreaterThanOrEqual(20);
      // As close to it as whole steps and the clock allow.
      expect(seconds).toBeGreaterThanOrEqual(end - (0.5 * seconds) / steps - 1e-9);
      expect(arm.points.some((point) => point.steps === 20)).toBe(true);
      const lost = arm.points.map((point) => point.lost);
      if (headOf(arm.head).predictsAll) expect(lost).toEqual(lost.map(() => 0));
    }

    const second = new RaceRun(lab, question);
    const stop = new AbortController();
    let changes = 0;
    const paused = await second.run(stop.signal, { changed: () => ++changes === 25 && stop.abort(), tooShort });
    expect(paused).toBeNull();
    // The reader continues before the current turn has ended.
    const again = (await second.run(never, { changed: () => undefined, tooShort }))!;
    second.dispose();
    const atSteps = ({ arms }: Race) => arms.map((arm) => pointAt(arm, 'steps', 20)!.loss);
    expect(atSteps(again)).toEqual(atSteps(done));
    lab.dispose();
  });

  it('refuse a text that is too short, and leave nothing behind', async () => {
    const lab = await createLab();
    const run = new RaceRun(lab, { ...question, text: { own: 'a few words and no more' } });
    await expect(run.run(never, { changed: () => undefined, tooShort })).rejects.toThrow(/too short/);
    lab.dispose();
  });

  it('have heads that the core accepts', () => {
    for (const head of headIds) {
      const made = headOf(head).model({ vocabSize: 1000, dModel: 32 });
      const tables = made.tableRank === 8 ? 'factorized' : made.ngrams?.rows === 1000 ? 'ngrams' : 'full';
      expect(made.head?.kind ?? tables).toBe(head);
    }
  });

  it('have heads that the core accepts for few different tokens, too', () => {
    for (const vocabSize of [2, 3, 4, 7, 8, 15, 16]) {
      for (const head of headIds) {
        for (const dModel of [16, 64]) {
          const made = headOf(head).model({ vocabSize, dModel }).head;
          const check = () => checkHead(made, { vocabSize, dModel, tying: 'tied' });
          expect(check, `${head} of ${vocabSize}`).not.toThrow();
        }
      }
    }
  });
});
