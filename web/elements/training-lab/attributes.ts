import type { ComplexAttributeConverter } from 'lit';
import type { Tying } from '../../core/types.js';
import type { LabSettings } from './settings.js';

/** "tied untied" <-> ['tied', 'untied']; commas do as well. */
export const armsConverter: ComplexAttributeConverter<readonly Tying[]> = {
  fromAttribute: (value) => (value ?? '').split(/[\s,]+/).filter((name) => name !== '') as Tying[],
  toAttribute: (arms) => arms.join(' '),
};

/** "whole-table" or a number of pairs. */
export const batchConverter: ComplexAttributeConverter<LabSettings['batchSize']> = {
  fromAttribute: (value) => (value === null || value === 'whole-table' ? 'whole-table' : Number(value)),
  toAttribute: String,
};
