import { define } from '../../../elements/shared/define.js';
import { Decision } from './decision.js';

define('article-decision', Decision);
