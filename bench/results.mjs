// The results with queries on them. The same object is what --json writes: plain data with the samples of all rounds;
// medians are computed on demand.
import { SetupProblem } from '../tools/lib/steps.mjs';
import { isWanted } from './options.mjs';
import { median, ratiosByRound } from './statistics.mjs';

export const format = 'tied-embeddings bench 1';

/** Rounds to `digits` significant digits, so that a file is not mostly noise. */
const rounded = (value, digits = 5) => Number(value.toPrecision(digits));

/** Plain data: { format, machine, versions, rounds, partial, cases, contenders, absent, failed, figures, samples }. */
export function resultsOf({ contenders, cases, samples, ...rest }) {
  return {
    format,
    ...rest,
    cases,
    contenders: contenders.map(({ name, host, version, clock }) => ({ name, host, version, clock })),
    samples: samples.map(({ secondsPerCall, limit, ...sample }) => ({
      ...sample,
      secondsPerCall: rounded(secondsPerCall),
      ...(limit === undefined ? {} : { limit: rounded(limit) }),
    })),
  };
}

/** The results, as plain data, of the cases that --only names. */
export function onlyOf(data, only) {
  const wanted = ({ id }) => isWanted(id, only);
  return {
    ...data,
    partial: only.length > 0 || data.partial,
    cases: data.cases?.filter(wanted),
    samples: data.samples?.filter(wanted),
  };
}

export class Results {
  constructor(data) {
    if (data?.format !== format || !Array.isArray(data.samples) || !Array.isArray(data.cases)) {
      throw new SetupProblem(`This file does not hold results of this benchmark ("format": "${format}").`);
    }
    this.data = data;
    /** Whether goals may lack a result because nobody asked for one; older files do not say so. */
    this.partial = data.partial ?? true;
    this.cases = new Map(data.cases.map((one) => [one.id, one]));
  }

  /** Index of a contender, or undefined. */
  place(name, host) {
    const place = this.data.contenders.findIndex((one) => one.name === name && one.host === host);
    return place < 0 ? undefined : place;
  }

  samples(place, id) {
    return this.data.samples.filter((sample) => sample.contender === place && sample.id === id);
  }

  /** Map from round to what `value(sample)` gives. */
  byRound(place, id, value) {
    const entries = this.samples(place, id).map((sample) => [sample.round, value(sample)]);
    return new Map(entries.filter(([, number]) => Number.isFinite(number)));
  }

  /** Median of the seconds per call. */
  seconds(place, id) {
    return median([...this.byRound(place, id, (sample) => sample.secondsPerCall).values()]);
  }

  /** Median of operations per second, or undefined if operations are not counted. */
  operationsPerSecond(place, id) {
    const operations = this.cases.get(id)?.operations ?? 0;
    const seconds = this.seconds(place, id);
    return operations > 0 && seconds > 0 ? operations / seconds : undefined;
  }

  /** Median of items per second, or undefined if there are none. */
  itemsPerSecond(place, id) {
    const items = this.cases.get(id)?.items ?? 0;
    const seconds = this.seconds(place, id);
    return items > 0 && seconds > 0 ? items / seconds : undefined;
  }

  /**
   * Shares of the limit, one per round. The limit is that of the sample itself, or the one that the contender at
   * `ruler` measured in the same round for the same case.
   */
  shares(place, id, ruler = place) {
    const operations = this.cases.get(id)?.operations ?? 0;
    if (operations === 0) return [];
    const rates = this.byRound(place, id, (sample) => operations / sample.secondsPerCall);
    return ratiosByRound(
      rates,
      this.byRound(ruler, id, (sample) => sample.limit),
    );
  }

  /** Per round, the speed of the contender at `place` relative to the other one. */
  speeds(place, otherPlace, id, otherId = id) {
    const seconds = (sample) => sample.secondsPerCall;
    return ratiosByRound(this.byRound(otherPlace, otherId, seconds), this.byRound(place, id, seconds));
  }

  /** Median limit of a contender over everything it measured. */
  limit(place) {
    const limits = this.data.samples.filter((sample) => sample.contender === place && sample.limit > 0);
    return median(limits.map((sample) => sample.limit));
  }

  /** Median of a fact. */
  fact(place, id, name) {
    return median([...this.byRound(place, id, (sample) => sample.facts?.[name]).values()]);
  }
}
