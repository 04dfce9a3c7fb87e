import { define } from '../../../elements/shared/define.js';
import { VectorPlaneView } from '../../../elements/shared/vector-plane-view.js';
import { RepeatGame } from './repeat-game.js';

define('tied-vector-plane', VectorPlaneView);
define('article-repeat-game', RepeatGame);
