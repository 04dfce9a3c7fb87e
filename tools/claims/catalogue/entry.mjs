// The parts of catalogue entries.

/**
 * @typedef {[experiment: string, ids: string[]]} Criterion
 * @typedef {[experiment: string, value: string, about?: { expected?: string, chance?: string }]} Value
 * @typedef {{
 *   id: string, title: string, criteria?: Criterion[], values?: Value[], tests?: [file: string, name: string][],
 *   surveys?: Criterion[], missing?: string, differs?: string, why?: string, kept?: Value[],
 * }} Entry `kept`: values for programs that read outcomes; no page shows them.
 */

/** @type {(experiment: string, id: string) => Criterion} */
export const decidedBy = (experiment, id) => [experiment, [id]];

/** @type {(experiment: string, value: string, expected?: string) => Value} */
export const shown = (experiment, value, expected = '') => [experiment, value, { expected }];

/** A value whose measure has a chance level. @type {(experiment: string, value: string, expected?: string) => Value} */
export const beside = (experiment, value, expected = '') => [
  experiment,
  value,
  { expected, chance: `${value}.chance` },
];
