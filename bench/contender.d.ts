// What is measured, whatever it is: see README.md.

/** What one measurement tells. */
export interface Measurement {
  /** Of all calls together. */
  seconds: number;
  calls: number;
  /** Operations a second that the machine reached in registers just before, where the contender measures that. */
  limit?: number;
  /** Numbers that are no times. */
  facts?: Record<string, number>;
}

export interface Contender {
  name: string;
  host: 'Chromium' | 'Node' | 'native' | 'Python';
  /** Of the library, with what decides its speed. */
  version?: string;
  clock: 'wall' | 'processor';
  /** Ids of the cases that it can do. */
  cases: () => string[];
  /** Calls the case for at least so many milliseconds, at least once. */
  measure: (id: string, milliseconds: number) => Promise<Measurement>;
  close: () => Promise<void>;
}

/** One measurement of one contender, in one round. */
export interface Sample extends Omit<Measurement, 'seconds'> {
  id: string;
  /** Place of the contender in the list. */
  contender: number;
  round: number;
  secondsPerCall: number;
}

/** Contenders that could be had, and what could not, with the reason in words. */
export interface Contenders {
  contenders: Contender[];
  absent: { name: string; reason: string }[];
}
