import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { SymmetryExplorer } from './symmetry-explorer.js';
import { VectorPlaneView } from './vector-plane-view.js';

defineShared();
define('tied-vector-plane', VectorPlaneView);
define('tied-symmetry-explorer', SymmetryExplorer);

declare global {
  interface HTMLElementTagNameMap {
    'tied-symmetry-explorer': SymmetryExplorer;
  }
}

export { SymmetryExplorer };
