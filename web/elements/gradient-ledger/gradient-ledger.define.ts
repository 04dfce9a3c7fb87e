import { defineFigure } from '../shared/shared.define.js';
import { GradientLedger } from './gradient-ledger.js';

defineFigure('tied-gradient-ledger', GradientLedger);

declare global {
  interface HTMLElementTagNameMap {
    'tied-gradient-ledger': GradientLedger;
  }
}

export { GradientLedger };
