// Whose a contender is.

/** Our own build of the core, or our own pages, in whatever host. */
export const isOurs = ({ name }) => name === 'ours' || name.startsWith('ours,');

/** Another library. */
export const isPeer = (contender) => !isOurs(contender) && contender.name !== 'empty page';
