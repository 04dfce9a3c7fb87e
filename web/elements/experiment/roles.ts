/** The colors of arms, and of the values that claims name. */
import type { ExperimentJob } from '../../core/types.js';
import type { SeriesRole } from '../shared/line-chart-view.js';

export type ArmRoles = ReadonlyMap<string, SeriesRole>;

const known: readonly SeriesRole[] = ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank'];

/** For encoder-decoders: one table, and three. */
const ofPairs: Readonly<Record<string, SeriesRole>> = { all: 'tied', none: 'untied' };

/** Colors by how each arm's tables are tied; a schedule has no color of its own. */
export function rolesOf(jobs: readonly Pick<ExperimentJob, 'arm' | 'model'>[]): ArmRoles {
  return new Map(
    jobs.map(({ arm, model }) => {
      const { tying = 'tied' } = model;
      const named =
        typeof tying === 'string'
          ? (ofPairs[tying] ?? known.find((role) => role === tying))
          : 'tables' in tying
            ? 'ink'
            : 'untied-later';
      return [arm, named ?? 'ink'];
    }),
  );
}

/** A value of an input or output table has the color of that role; any other value has its arm's color. */
export function roleOfValue(name: string, roles: ArmRoles): string {
  if (/\.unembedding\b/.test(name)) return 'output';
  if (/\.(encoder-)?embedding\b/.test(name)) return 'input';
  const arm = /\(([A-Za-z0-9_-]+)/.exec(name)?.[1];
  const role = roles.get(arm ?? '') ?? 'ink';
  if (role === 'tied' || role === 'untied' || role === 'ink') return role;
  return role.startsWith('untied') ? 'untied' : 'through';
}
