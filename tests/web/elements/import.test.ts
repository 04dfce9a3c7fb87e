// @vitest-environment node
import { expect, it } from 'vitest';

it('the modules of the elements can be imported without a document, as in server rendering', async () => {
  expect(typeof document).toBe('undefined');
  const elements = await import('../../../web/elements/index.js');
  expect(Object.keys(elements).sort()).toEqual([
    'Advisor',
    'Alignment',
    'Bigrams',
    'Checkpoint',
    'ComputeCalculator',
    'DirectPath',
    'Experiment',
    'GradientLedger',
    'Heads',
    'HiddenStates',
    'Lens',
    'ModelTable',
    'ParameterCalculator',
    'ParameterMap',
    'Seq2seq',
    'SymmetryExplorer',
    'TrainingLab',
  ]);
});
