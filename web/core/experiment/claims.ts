/** Whether the measured values support a claim. */
import type { ClaimOutcome, ClaimValue, ExperimentMetric, ExperimentRun } from './types.js';
import { parseClaim, valuesNamed, type Claim, type Expression, type Wanted } from './claim-language.js';
import { gridValue, measuresNamed } from './claimed-measures.js';
import { nameOf } from './check-measure.js';
import { pointsOf, type CheckedSpec } from './check-spec.js';
import { meanOf, summarise } from './statistics.js';

interface Cell {
  readonly seed: number;
  readonly point: Readonly<Record<string, unknown>>;
}

type Verdict = ClaimOutcome['verdict'];

/** All values of an experiment, looked up by the names that claims use. */
export class Values {
  readonly #spec: CheckedSpec;
  /** By run. */
  readonly #rows = new Map<string, ExperimentMetric[]>();
  readonly #ids = new Map<string, string>();

  constructor(spec: CheckedSpec, runs: readonly ExperimentRun[], metrics: readonly ExperimentMetric[]) {
    this.#spec = spec;
    for (const { id, arm, seed, point } of runs) this.#ids.set(JSON.stringify([arm, seed, point]), id);
    for (const row of metrics) {
      const before = this.#rows.get(row.id);
      if (before === undefined) this.#rows.set(row.id, [row]);
      else before.push(row);
    }
  }

  /** Null if it was not measured, or is not defined. */
  find(wanted: Wanted, { seed, point }: Cell): number | null {
    const fields = Object.entries(point).map(([field, value]): [string, unknown] => [
      field,
      wanted.options[field] === undefined ? value : gridValue(wanted.options[field], this.#spec.grid[field]!),
    ]);
    const arms = wanted.of.map((one) => one.split('.')[0]!);
    const [measure] = measuresNamed(wanted, this.#spec.measure, this.#spec.grid);
    if (measure === undefined) return null;
    const first = measure.between === undefined ? arms[0]! : measure.between[0].split('.')[0]!;
    const id = this.#ids.get(JSON.stringify([first, seed, JSON.stringify(Object.fromEntries(fields))]));
    const name = nameOf(measure)(wanted.part);
    const fitting = (this.#rows.get(id ?? '') ?? []).filter(
      ({ metric, layer, band }) =>
        metric === name &&
        (wanted.layer === null || layer === wanted.layer) &&
        (wanted.band === null || band === wanted.band),
    );
    // The value of the whole, where it also has one for each band.
    const whole = fitting.filter(({ layer, band }) => layer === null && band === null);
    const rows = whole.length > 0 && wanted.layer === null && wanted.band === null ? whole : fitting;
    const last = rows.at(-1)?.step ?? 0;
    const [from, to] = wanted.steps ?? [last, last];
    const values = rows.filter(({ step }) => step >= from && step <= to).map(({ value }) => value);
    // Without a layer or a band, several rows of the same step would be mixed.
    const several = wanted.steps === null && values.length > 1;
    if (values.length === 0 || several || values.includes(null)) return null;
    return meanOf(values as number[]);
  }
}

function valueOf(expression: Expression, values: Values, cell: Cell): number | null {
  const both = (left: Expression, right: Expression, act: (a: number, b: number) => number): number | null => {
    const [a, b] = [valueOf(left, values, cell), valueOf(right, values, cell)];
    return a === null || b === null ? null : act(a, b);
  };
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'value':
      return values.find(expression.wanted, cell);
    case 'abs':
    case 'minus': {
      const of = valueOf(expression.of, values, cell);
      return of === null ? null : expression.kind === 'abs' ? Math.abs(of) : -of;
    }
    case '+':
      return both(expression.left, expression.right, (a, b) => a + b);
    case '-':
      return both(expression.left, expression.right, (a, b) => a - b);
    case '*':
      return both(expression.left, expression.right, (a, b) => a * b);
    case '/':
      return both(expression.left, expression.right, (a, b) => a / b);
  }
}

const holds = (difference: number, relation: Claim['relation']): boolean =>
  relation === '>'
    ? difference > 0
    : relation === '<'
      ? difference < 0
      : relation === '>='
        ? difference >= 0
        : difference <= 0;

/**
 * Judges by the differences of the two sides, paired by seed. The claim holds if it is true of the whole 95% interval of their mean and
 * every condition is met; it fails if the opposite is true of the interval, or a condition about seeds is not met; otherwise it is
 * undecided.
 */
function judge(
  claim: Claim,
  differences: readonly number[],
  missing: number,
  lacking: readonly string[],
): { verdict: Verdict; because: string } {
  const { relation, everySeed, deviations } = claim;
  const n = differences.length;
  if (missing > 0) {
    const of = lacking.length === 0 ? '' : ` of ${lacking.join(', ')}`;
    return { verdict: 'undecided', because: `${missing} of ${n + missing} seeds lack a value${of}` };
  }
  const { mean, standardDeviation, halfWidth } = summarise(differences);
  const against = differences.filter((difference) => !holds(difference, relation)).length;
  if (everySeed && against > 0) return { verdict: 'fails', because: `${against} of ${n} seeds are against it` };
  if (halfWidth === null || standardDeviation === null) {
    return { verdict: holds(mean, relation) ? 'undecided' : 'fails', because: 'a single seed has no interval' };
  }
  const within = `the difference is ${format(mean)} ± ${format(halfWidth)} (95%, ${n} seeds)`;
  if (!holds(mean, relation)) {
    return {
      verdict: holds(mean + halfWidth, relation) || holds(mean - halfWidth, relation) ? 'undecided' : 'fails',
      because: within,
    };
  }
  if (deviations !== null && Math.abs(mean) <= deviations * standardDeviation) {
    return {
      verdict: 'fails',
      because: `${within}, ${format(Math.abs(mean) / standardDeviation)} standard deviations`,
    };
  }
  const sure = holds(mean - halfWidth, relation) && holds(mean + halfWidth, relation);
  return { verdict: sure ? 'holds' : 'undecided', because: within };
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

const format = (value: number): string => String(Number(value.toPrecision(3)));

/** The outcome of every claim; one that names the grid's fields itself has one point. */
export function judgeClaims(spec: CheckedSpec, values: Values): ClaimOutcome[] {
  const arms = Object.keys(spec.arms);
  return spec.claims.map(({ id, says }, i) => {
    const claim = parseClaim(`spec.claims[${i}].says`, says, { arms, measure: spec.measure });
    const named = fieldsNamed(claim);
    const points = pointsOf(
      Object.fromEntries(
        Object.entries(spec.grid).map(([field, all]) => [field, named.has(field) ? all.slice(0, 1) : all]),
      ),
    );
    const judged = points.map((point) => {
      const differences = spec.seeds.map((seed): number | null => {
        const [left, right] = [claim.left, claim.right].map((side) => valueOf(side, values, { seed, point }));
        return isNumber(left) && isNumber(right) ? left - right : null;
      });
      const there = differences.filter((one) => one !== null);
      const seeds = spec.seeds.filter((_, at) => differences[at] !== null);
      const samples = valuesNamed(claim).map((wanted) => sampleOf(wanted, values, spec.seeds, point));
      const lacking = samples.filter((sample) => sample.values.includes(null)).map(({ name }) => name);
      return {
        point: Object.fromEntries(Object.entries(point).filter(([field]) => !named.has(field))),
        seeds,
        difference: there.length === 0 ? null : summarise(there),
        values: samples,
        ...judge(claim, there, differences.length - there.length, lacking),
      };
    });
    const worst = (['fails', 'undecided', 'holds'] as const).find((verdict) =>
      judged.some((one) => one.verdict === verdict),
    )!;
    const { because } = judged.find((one) => one.verdict === worst)!;
    return { id, says, verdict: worst, because, points: judged.map(({ because: _, ...point }) => point) };
  });
}

function sampleOf(wanted: Wanted, values: Values, seeds: readonly number[], point: Cell['point']): ClaimValue {
  const ofSeeds = (part: string): (number | null)[] =>
    seeds.map((seed) => values.find({ ...wanted, part }, { seed, point }));
  const chance = ofSeeds(wanted.part === '' ? 'chance' : `${wanted.part}.chance`);
  return {
    name: wanted.text,
    values: ofSeeds(wanted.part),
    chance: chance.some((value) => value !== null) ? chance : null,
  };
}

/** Fields of the grid for which a claim gives values, in every value that it names. */
function fieldsNamed(claim: Claim): Set<string> {
  const [first = [], ...others] = valuesNamed(claim).map(({ options }) => Object.keys(options));
  return new Set(first.filter((name) => others.every((names) => names.includes(name))));
}
