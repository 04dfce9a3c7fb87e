export function unicodeClassBytes(): number[];
export function unicodeClassFile(): string;
