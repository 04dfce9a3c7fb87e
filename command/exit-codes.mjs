/** What the command's exit codes mean, as in sysexits.h. */
export const exitCodes = {
  done: 0,
  /** A file is not as --expect says, or it is not known whether it is. */
  unexpected: 1,
  /** An invalid argument, file or experiment, or one that is too large for the memory; nothing was trained. */
  usage: 64,
  /** A run failed; its record says why. */
  failed: 70,
  /** A file or stdout cannot be written. */
  cannotWrite: 74,
  /** Stopped, or results are missing: run the same command to resume. */
  unfinished: 75,
};

/** Ends the command with a one-line message. */
export class Refusal extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Codes of errors that the caller can fix with other arguments or files: what does not fit into memory is refused before it begins. */
export const ofTheCaller = ['invalid-argument', 'shape-mismatch', 'bad-file', 'unsupported', 'out-of-memory'];

/**
 * Turns an error of the package into a refusal; any other error is our own defect and stays as it is.
 * @param {unknown} error @param {string} [where] what the message begins with, such as the name of a file
 * @param {readonly string[]} [mendable] codes of errors that the caller can fix
 */
export function refusalOf(error, where, mendable = ofTheCaller) {
  const { name, code, message } = /** @type {{ name?: string, code?: string, message: string }} */ (error);
  if (name !== 'TiedError') return error;
  const line = `${where === undefined ? '' : `${where}: `}${message}`.replaceAll(/\s*\n\s*/g, ' ');
  return new Refusal(line, mendable.includes(code) ? exitCodes.usage : exitCodes.failed);
}
