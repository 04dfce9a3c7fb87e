import { defineFigure } from '../shared/shared.define.js';
import { ModelTable } from './model-table.js';

defineFigure('tied-model-table', ModelTable);

declare global {
  interface HTMLElementTagNameMap {
    'tied-model-table': ModelTable;
  }
}

export { ModelTable };
