// The script beside the command in dist/, as far as the command uses it; web/index.ts has the whole.
export interface Lab {
  dispose(): void;
}
export function createLab(): Promise<Lab>;
