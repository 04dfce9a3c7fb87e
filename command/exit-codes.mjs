/** What the command's exit codes mean, as in sysexits.h. */
export const exitCodes = {
  done: 0,
  /** A bad argument or a bad experiment; nothing was trained. */
  usage: 64,
  /** A run failed; its record says why. */
  failed: 70,
  /** Stopped, or not all results are there: the same command goes on. */
  unfinished: 75,
};

/** Ends the command with one line. */
export class Refusal extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
