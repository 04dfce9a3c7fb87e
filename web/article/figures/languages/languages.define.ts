import { define } from '../../../elements/shared/define.js';
import { Languages } from './languages.js';

define('article-languages', Languages);
