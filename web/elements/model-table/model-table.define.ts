import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { ModelTable } from './model-table.js';

defineShared();
define('tied-model-table', ModelTable);

declare global {
  interface HTMLElementTagNameMap {
    'tied-model-table': ModelTable;
  }
}

export { ModelTable };
