/** What the opening of a model reports to. */
export interface Listening {
  readonly signal: AbortSignal;
  /** Bytes downloaded so far, and the total; null: not known. */
  readonly onBytes: (bytes: number, of: number | null) => void;
  readonly onShare: (share: number) => void;
  /** The fraction read of a model that is about to run. */
  readonly onModel: (share: number) => void;
}
