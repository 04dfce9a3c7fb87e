import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../shared/controls.js';
import type { CommonStrings } from '../shared/strings.js';
import { controlsOf } from '../shared/settings/setting-control.js';
import type { ExplorerMode, ExplorerView } from './explorer-state.js';
import { explorerSettings } from './symmetry-explorer.settings.js';
import type { SymmetryExplorerStrings } from './symmetry-explorer.strings.js';

const manyDraws = 100;

export interface ExplorerControls {
  readonly texts: SymmetryExplorerStrings & CommonStrings;
  readonly mode: ExplorerMode;
  readonly view: ExplorerView;
  /** Whether something differs from the state that Reset restores. */
  readonly moved: boolean;
  readonly onMode: (mode: ExplorerMode) => void;
  readonly onView: (view: ExplorerView) => void;
  readonly onDraw: (count: number) => void;
  readonly onCopy: () => void;
  readonly onReset: () => void;
}

/** Mode, view and the buttons of the mode. */
export function explorerControls(options: ExplorerControls): TemplateResult {
  const { texts, mode, view, onMode, onView } = options;
  const control = controlsOf(explorerSettings, {
    texts,
    values: { mode, view },
    change: (change: { mode?: ExplorerMode; view?: ExplorerView }) => {
      if (change.mode !== undefined) onMode(change.mode);
      if (change.view !== undefined) onView(change.view);
    },
  });
  return html`
    ${control('mode')} ${control('view')} ${mode === 'random' ? drawButtons(options) : editButtons(options)}
  `;
}

const drawButtons = ({ texts, onDraw }: ExplorerControls): TemplateResult => html`
  ${button({
    label: texts.drawOne,
    kind: 'primary',
    onPress: () => {
      onDraw(1);
    },
  })}
  ${button({
    label: texts.drawMany(manyDraws),
    onPress: () => {
      onDraw(manyDraws);
    },
  })}
`;

const editButtons = ({ texts, mode, moved, onCopy, onReset }: ExplorerControls): TemplateResult => html`
  ${mode === 'untied' ? button({ label: texts.copyEmbedding, onPress: onCopy }) : nothing}
  ${moved ? button({ label: texts.reset, kind: 'quiet', onPress: onReset }) : nothing}
`;
