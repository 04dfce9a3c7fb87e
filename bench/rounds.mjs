// The order of measurements: case by case, all contenders of a case in turn, then the next round.

// Slower measurements are made only in the first rounds and without warm-up: more of them would take minutes and add
// little.
const secondsOfSlowMeasurement = 2;
const roundsOfSlowMeasurements = 3;

// Engines replace quickly compiled code of a training step by faster code only after several steps, which take longer than
// one measurement. A contender that has not got that far by the first counted round looks half as fast.
const warmUpsOfTraining = 4;

/** Minimum duration of a case in milliseconds. Training steps matter most and vary most. */
export function millisecondsOf(id, { quick }) {
  const milliseconds = id.startsWith('train/') ? 250 : 80;
  return quick ? milliseconds / 2 : milliseconds;
}

/** The last of `times` measurements, or the first slow one. */
async function measureAgain(contender, id, quick, times) {
  const started = performance.now();
  const measured = await contender.measure(id, millisecondsOf(id, { quick }));
  const slow = performance.now() - started > 1000 * secondsOfSlowMeasurement;
  return slow || times === 1 ? { ...measured, slow } : measureAgain(contender, id, quick, times - 1);
}

/**
 * Measures `ids` with all `contenders` that know them in `rounds` rounds after a first one that is dropped. Calls
 * `progress({ round, rounds, id, contender })` before each measurement and `failed({ contender, id, error })` if one fails;
 * this pair is then not measured again. Resolves with samples: { id, contender (its index in the list), round,
 * secondsPerCall, calls, limit?, facts? }[].
 * @param {{ contenders: import('./contender.d.ts').Contender[], ids: string[], rounds: number, quick?: boolean,
 *   progress?: (now: { round: number, rounds: number, id: string, contender: import('./contender.d.ts').Contender }) => void,
 *   failed?: (what: { contender: import('./contender.d.ts').Contender, id: string, error: Error }) => void }} options
 * @returns {Promise<import('./contender.d.ts').Sample[]>}
 */
export async function measureRounds({
  contenders,
  ids,
  rounds,
  quick = false,
  progress = () => {},
  failed = () => {},
}) {
  const able = contenders.map((contender) => new Set(contender.cases()));
  const dropped = new Set();
  const samples = [];
  for (let round = 0; round <= rounds; ++round) {
    for (const id of ids) {
      const order = [...contenders.entries()];
      if (round % 2 === 1) order.reverse(); // so that the position in the order does not matter
      for (const [place, contender] of order) {
        const pair = `${place} ${id}`;
        if (!able[place].has(id) || dropped.has(pair)) continue;
        progress({ round, rounds, id, contender });
        try {
          const times = round === 0 && id.startsWith('train/') ? warmUpsOfTraining : 1;
          const { slow, seconds, calls, ...more } = await measureAgain(contender, id, quick, times);
          const secondsPerCall = seconds / calls;
          if (round > 0 || slow) samples.push({ id, contender: place, round, secondsPerCall, calls, ...more });
          if (slow && round + 1 >= roundsOfSlowMeasurements) dropped.add(pair);
        } catch (error) {
          dropped.add(pair);
          failed({ contender, id, error });
        }
      }
    }
  }
  return samples;
}
