import { define } from '../../../elements/shared/define.js';
import { LostTable } from './lost-table.js';
import { TableBits } from './table-bits.js';

define('article-lost-table', LostTable);
define('article-table-bits', TableBits);
