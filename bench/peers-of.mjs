// Which contenders are ours.

/** Our own builds of the core or our own pages, in any host. */
export const isOurs = ({ name }) => name === 'ours' || name.startsWith('ours,');

/** Another library. */
export const isPeer = (contender) => !isOurs(contender) && contender.name !== 'empty page';
