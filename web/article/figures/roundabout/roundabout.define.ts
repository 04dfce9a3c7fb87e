import { define } from '../../../elements/shared/define.js';
import { Roundabout } from './roundabout.js';

define('article-roundabout', Roundabout);
