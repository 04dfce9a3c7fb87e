import { defineFigure } from '../../../elements/shared/shared.define.js';
import { WorkedPosition } from './worked-position.js';

defineFigure('article-worked-position', WorkedPosition);
