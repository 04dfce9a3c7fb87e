// What is bundled into the command: web/command-parts.ts.
export function nearest(name: string, known: readonly string[]): string | null;
