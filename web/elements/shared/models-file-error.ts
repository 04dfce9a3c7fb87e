/** A file of trained models could not be fetched, or is not the expected one. `reason` completes the message. */
export class ModelsFileError extends Error {
  constructor(readonly reason: string) {
    super(`The trained models could not be opened: ${reason}.`);
    this.name = 'ModelsFileError';
  }
}
