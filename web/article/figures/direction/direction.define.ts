import { define } from '../../../elements/shared/define.js';
import { ReadingDirection } from './direction.js';

define('article-direction', ReadingDirection);
