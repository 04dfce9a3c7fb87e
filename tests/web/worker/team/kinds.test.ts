// Steps of the real core that several trainers share, over channels in one thread: every kind of model, head and optimizer has the bits of one
// trainer alone, whether the others come, go or are interrupted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../../../web/index.js';
import { startVerb } from '../../../../web/core/runtime/verb.js';
import { sharedSteps } from '../../../../web/core/training/shared-steps.js';
import type { CoreTrainer } from '../../../../web/core/training/trainer.js';
import { run } from '../../../../web/core/training/training-run.js';
import type { TiedCore } from '../../../../web/core/core.js';
import type { Core, TrainerOptions } from '../../../../web/core/types.js';
import { channelsBetween } from '../../../../web/worker/team/channels.js';
import { Follower } from '../../../../web/worker/team/follower.js';
import { Lead } from '../../../../web/worker/team/lead.js';
import { kindsOf } from './kinds.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'stories'] });
});
afterAll(() => core.dispose());

const KINDS = kindsOf(() => core);

function team(options: TrainerOptions, followers: number) {
  const trainer = core.createTrainer(options) as CoreTrainer;
  const places = Array.from({ length: followers + 1 }, (_, place) => place);
  const ports = channelsBetween(places);
  const others = places
    .slice(1)
    .map((place) => new Follower(place, ports.get(place)!, (file) => sharedSteps((core as TiedCore).loadCopy(file))));
  const lead = new Lead(sharedSteps(trainer), { ask: () => undefined, leave: () => expect.fail('a partner left') });
  if (followers > 0) lead.connect(ports.get(0)!);
  trainer.partners = lead;
  const end = (): void => {
    for (const other of others) other.end();
    for (const place of places.slice(1)) lead.lose(place);
    trainer.dispose();
  };
  return { trainer, lead, end };
}

/** As a lab runs it; `until` cancels it while it waits. */
async function runs(trainer: CoreTrainer, steps: number, until = (): boolean => false): Promise<void> {
  const work = startVerb(run, trainer, [steps, {}], false);
  while (!work.finished && !until()) {
    work.take(100);
    if (work.waitsFor && !until()) await work.waitsFor;
  }
  work.end();
}

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

function alone(options: TrainerOptions, act: (trainer: CoreTrainer) => void): Uint8Array {
  const trainer = core.createTrainer(options) as CoreTrainer;
  act(trainer);
  const file = trainer.save();
  trainer.dispose();
  return file;
}

type Table = ReturnType<CoreTrainer['matrix']>;

function setNegative(trainer: CoreTrainer): Table {
  const table = trainer.matrix('embedding');
  const changed = { ...table, data: table.data.map((value) => -value) };
  trainer.setMatrix('embedding', changed);
  return changed;
}

/** The file of one trainer whose embedding is set between `step` steps and three more. */
const aloneWith = (changed: Table, options: TrainerOptions, step: number): Uint8Array =>
  alone(options, (twin) => {
    twin.run(step);
    twin.setMatrix('embedding', changed);
    twin.run(3);
  });

describe.each([0, 1, 2, 3])('with %i others', (followers) => {
  test.each(KINDS)('%s has the bits of one trainer', async (_, optionsOf) => {
    const options = optionsOf();
    const { trainer, lead, end } = team(options, followers);
    await runs(trainer, 8);
    expect(lead.size).toBe(followers);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(8)),
      ),
    ).toBe(true);
    end();
  });
});

describe('what was computed before a cancel is', () => {
  const [, optionsOf] = KINDS.find(([name]) => name === 'a GPT')!;

  async function cancelled(): Promise<ReturnType<typeof team> & { options: TrainerOptions; step: number }> {
    const options = optionsOf();
    const made = team(options, 1);
    let waits = 0;
    await runs(made.trainer, 100, () => ++waits > 15);
    const { step } = made.trainer;
    expect(step).toBeGreaterThan(2);
    return { ...made, options, step };
  }

  test('used by the next run', async () => {
    const { trainer, options, step, end } = await cancelled();
    await runs(trainer, 3);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step + 3)),
      ),
    ).toBe(true);
    end();
  });

  test('used by a trainer that goes on alone', async () => {
    const { trainer, lead, options, step, end } = await cancelled();
    lead.lose(1);
    trainer.run(3);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step + 3)),
      ),
    ).toBe(true);
    end();
  });

  test('not used after a matrix was set', async () => {
    const { trainer, options, step, end } = await cancelled();
    const changed = setNegative(trainer);
    await runs(trainer, 3);
    expect(same(trainer.save(), aloneWith(changed, options, step))).toBe(true);
    end();
  });

  test('not used after a matrix was set by a trainer that goes on alone', async () => {
    const { trainer, lead, options, step, end } = await cancelled();
    lead.lose(1);
    const changed = setNegative(trainer);
    trainer.run(3);
    expect(same(trainer.save(), aloneWith(changed, options, step))).toBe(true);
    end();
  });

  test('not used after a rewind', async () => {
    const { trainer, options, step, end } = await cancelled();
    trainer.rewind(1);
    await runs(trainer, step + 2);
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step + 3)),
      ),
    ).toBe(true);
    end();
  });

  test('not part of a file', async () => {
    const { trainer, options, step, end } = await cancelled();
    expect(
      same(
        trainer.save(),
        alone(options, (twin) => twin.run(step)),
      ),
    ).toBe(true);
    end();
  });
});
