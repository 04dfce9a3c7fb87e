// What is bundled into the command: web/command-parts.ts.
export const headBytes: number;
export function fileKind(head: Uint8Array, size: number): { kind: string };
export function nameOf(bytes: Uint8Array): string | null;
export function nearest(name: string, known: readonly string[]): string | null;
