import { define } from '../../../elements/shared/define.js';
import { ArticleDirection } from './direction.js';

define('article-direction', ArticleDirection);
