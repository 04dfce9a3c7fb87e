import { define } from '../shared/define.js';
import { defineFigure } from '../shared/shared.define.js';
import { SymmetryExplorer } from './symmetry-explorer.js';
import { VectorPlaneView } from '../shared/vector-plane-view.js';

define('tied-vector-plane', VectorPlaneView);
defineFigure('tied-symmetry-explorer', SymmetryExplorer);

declare global {
  interface HTMLElementTagNameMap {
    'tied-symmetry-explorer': SymmetryExplorer;
  }
}

export { SymmetryExplorer };
