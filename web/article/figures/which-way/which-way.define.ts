import { define } from '../../../elements/shared/define.js';
import { WhichWay } from './which-way.js';

define('article-which-way', WhichWay);
