import { define } from '../../../elements/shared/define.js';
import { TableLeak } from './leak.js';

define('article-leak', TableLeak);
