import { formatWhole } from '../../charts/number-format.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import type { RunningModel } from './running-model.js';

/** The model's architecture as rows of a table. */
export function architectureRows(opened: RunningModel, texts: CheckpointStrings): string[][] {
  const { model } = opened;
  const {
    nHeads = 1,
    nKeyValueHeads = nHeads,
    nLayers = 0,
    contextLength = 1,
    dFeedForward = 4 * model.dModel,
  } = model;
  const positions = { learned: texts.learned, rotary: texts.rotary, none: texts.none }[model.positions ?? 'learned'];
  return [
    [texts.vocabulary, formatWhole(model.vocabSize)],
    [texts.width, formatWhole(model.dModel)],
    [texts.layers, formatWhole(nLayers)],
    [texts.heads, `${formatWhole(nHeads)} / ${formatWhole(nKeyValueHeads)}`],
    [texts.context, formatWhole(contextLength)],
    [texts.hidden, formatWhole(dFeedForward)],
    [texts.norm, model.norm === 'layer-norm' ? texts.layerNorm : texts.rmsNorm],
    [texts.positions, positions],
    [texts.total, formatWhole(opened.total)],
    [texts.tables, formatWhole(opened.table + opened.secondTable)],
    [texts.tying, opened.secondTable === 0 ? texts.tied : texts.untied],
  ];
}
