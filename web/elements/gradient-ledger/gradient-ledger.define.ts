import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { GradientLedger } from './gradient-ledger.js';

defineShared();
define('tied-gradient-ledger', GradientLedger);

declare global {
  interface HTMLElementTagNameMap {
    'tied-gradient-ledger': GradientLedger;
  }
}

export { GradientLedger };
