// Invented results in the form of a benchmark run.
import { format, Results } from '../../../bench/results.mjs';

export interface Sample {
  name: string;
  host: string;
  id: string;
  /** Seconds of one call, round by round. */
  seconds: number[];
  /** Operations per second in registers, in each of these rounds. */
  limit?: number;
  facts?: Record<string, number>;
}

export interface Case {
  id: string;
  operations?: number;
  items?: number;
  itemsName?: string;
}

export function resultsFrom(cases: Case[], measured: Sample[], figures: Record<string, number> = {}): Results {
  const keys = [...new Set(measured.map(({ name, host }) => `${name}|${host}`))];
  const samples = measured.flatMap(({ name, host, id, seconds, limit, facts }) =>
    seconds.map((secondsPerCall, i) => ({
      id,
      contender: keys.indexOf(`${name}|${host}`),
      round: i + 1,
      secondsPerCall,
      calls: 1,
      ...(limit === undefined ? {} : { limit }),
      ...(facts === undefined ? {} : { facts }),
    })),
  );
  return new Results({
    format,
    machine: { processor: 'a processor', cores: 2, loadBefore: 0.5, loadAfter: 1 },
    versions: { Node: '20.0.0' },
    rounds: 3,
    cases,
    contenders: keys.map((key) => ({ name: key.split('|')[0], host: key.split('|')[1], clock: 'wall' })),
    absent: [],
    failed: [],
    figures,
    samples,
  });
}
