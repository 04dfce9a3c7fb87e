/** The `code` of a `TiedError`, such as 'stopped'; undefined for anything else that was thrown. */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
