import { define } from '../../../../web/elements/shared/define.js';
import { defineShared } from '../../../../web/elements/shared/shared.define.js';
import { TableSize } from './table-size.js';

defineShared();
define('tied-table-size', TableSize);

export { TableSize };
