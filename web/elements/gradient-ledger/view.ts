import type { TwinKind } from '../shared/model-twins.js';
import type { Drawn } from '../shared/seeded-twin-element.js';
import type { GradientLedgerStrings } from './gradient-ledger.strings.js';
import type { Definition, LedgerReport } from './measure.js';

/** What the reader looks at. */
export interface View extends Drawn<LedgerReport> {
  readonly texts: GradientLedgerStrings;
  readonly definition: Definition;
  readonly model: TwinKind;
  /** Whether the levels to compare numbers with are drawn. */
  readonly chance: boolean;
  readonly width: number;
}
