/** What the command's exit codes mean, as in sysexits.h. */
export const exitCodes = {
  done: 0,
  /** A bad argument, file or experiment; nothing was trained. */
  usage: 64,
  /** A run failed; its record says why. */
  failed: 70,
  /** A file cannot be written. */
  cannotWrite: 74,
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

/** Codes of what the caller can mend by other arguments or files. */
export const ofTheCaller = ['invalid-argument', 'shape-mismatch', 'bad-file', 'unsupported'];

/**
 * The refusal that an error of the package stands for; another error is a defect of ours, and stays what it is.
 * @param {unknown} error @param {string} [where] what the message begins with, such as the name of a file
 * @param {readonly string[]} [mendable] codes of what the caller can mend
 */
export function refusalOf(error, where, mendable = ofTheCaller) {
  const { name, code, message } = /** @type {{ name?: string, code?: string, message: string }} */ (error);
  if (name !== 'TiedError') return error;
  const line = `${where === undefined ? '' : `${where}: `}${message}`.replaceAll(/\s*\n\s*/g, ' ');
  return new Refusal(line, mendable.includes(code) ? exitCodes.usage : exitCodes.failed);
}
