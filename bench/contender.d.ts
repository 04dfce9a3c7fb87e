// What is measured: see README.md.

/** The result of one measurement. */
export interface Measurement {
  /** Total of all calls. */
  seconds: number;
  calls: number;
  /** Operations per second that the machine reached in registers just before, if the contender measures them. */
  limit?: number;
  /** Measured values other than times. */
  facts?: Record<string, number>;
}

export interface Contender {
  name: string;
  host: 'Chromium' | 'Node' | 'native' | 'Python';
  /** Of the library, with its BLAS and vector instructions. */
  version?: string;
  clock: 'wall' | 'processor';
  /** Ids of its cases. */
  cases: () => string[];
  /** Calls the case for at least `milliseconds`, at least once. */
  measure: (id: string, milliseconds: number) => Promise<Measurement>;
  close: () => Promise<void>;
}

/** One measurement of one contender, in one round. */
export interface Sample extends Omit<Measurement, 'seconds'> {
  id: string;
  /** Index of the contender. */
  contender: number;
  round: number;
  secondsPerCall: number;
}

/** Available contenders, and absent ones with the reason. */
export interface Contenders {
  contenders: Contender[];
  absent: { name: string; reason: string }[];
}
