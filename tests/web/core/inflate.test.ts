import { describe, expect, test } from 'vitest';
import { packedText } from '../../../tools/lib/packed-text.mjs';
import { inflate } from '../../../web/core/runtime/inflate.js';

describe('bytes that a script holds as text', () => {
  test.each([0, 1, 65_536, 1_000_000])('come back whole (%d bytes)', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 9)) % 251);
    expect(Buffer.from(await inflate(packedText(bytes))).equals(bytes)).toBe(true);
  });

  test('are refused if damaged, cut off, or no base64', async () => {
    const whole = packedText(Uint8Array.from({ length: 5000 }, (_, i) => i % 97));
    const other = whole[60] === 'A' ? 'B' : 'A';
    for (const text of [`${whole.slice(0, 60)}${other}${whole.slice(61)}`, whole.slice(0, 100), '*', 'AAAA']) {
      await expect(inflate(text)).rejects.toThrow();
    }
  });
});
