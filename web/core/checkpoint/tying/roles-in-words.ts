/** Which tables of an encoder-decoder are one, in a sentence. */
import type { RolesTying } from '../types.js';

const ROLES = { 'encoder-input': 'the encoder’s input', 'decoder-input': 'the decoder’s input', output: 'the output' };

export function rolesInWords({ pairs }: RolesTying): string {
  const said = pairs.map(({ roles: [one, other], tied }) => {
    const both = `${ROLES[one]} and ${ROLES[other]}`;
    return tied === null ? `${both}: not known` : `${both}: ${tied ? 'one table' : 'two tables'}`;
  });
  const words = `${said.join('; ').replace('the', 'The')}.`;
  return pairs.length === 1 ? `The encoder reads no tokens. ${words}` : words;
}
