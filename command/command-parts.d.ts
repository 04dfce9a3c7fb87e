// What is bundled into the command: web/command-parts.ts.
export const headBytes: number;
export function fileKind(head: Uint8Array, size: number): { kind: string };
export function nameOf(bytes: Uint8Array): string | null;
export function nearest(name: string, known: readonly string[]): string | null;
/** Throws a TiedError where `value` is no object of these names. */
export function checkOptions(argument: string, value: unknown, known: readonly string[]): Record<string, unknown>;
export function completeTokenizer(tokenizer: object, argument: string): object;
export function completeModel(model: object): object;
export function completeTraining(training: object, wholeTable: boolean): object;
