import { formatNumber, formatWhole } from '../../../../charts/index.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { failureText } from '../../failures.js';
import { ModelsFileError, type FinishedTransformerRun } from '../finished-run.js';
import { isWrittenFrom, type FinishedWriter } from '../finished-writer.js';
import type { Prompting, Sample } from '../samples.js';
import { promptProblem, type SamplesOptions } from './samples.js';

export interface FinishedSampleOptions {
  texts: TrainingLabStrings;
  run: FinishedTransformerRun;
  writer: FinishedWriter;
  /** The newest sample of the viewed step. */
  kept: Sample;
  wanted: Prompting;
  viewsNewest: boolean;
}

/** Null if `kept` is what the reader wants. A finished run's text is never shown beside another prompt. */
function whyUnwritten({ texts, run, writer, kept, wanted, viewsNewest }: FinishedSampleOptions): string | null {
  // Earlier steps show their recorded samples, whatever the seed of the last one.
  if (isWrittenFrom(kept, viewsNewest ? wanted : { ...wanted, seed: kept.seed })) return null;
  if (run.models === undefined) return texts.promptLater;
  if (!viewsNewest) return texts.onlyAtEnd(formatWhole(run.settings.steps));
  if (writer.cancelled) return texts.modelsCancelled;
  return writer.failure === null && writer.promptProblem === null ? texts.openingModels : texts.noSample;
}

function problemOf({ texts, writer }: FinishedSampleOptions): string | null {
  const { failure } = writer;
  if (failure instanceof ModelsFileError) return texts.modelsFailed(failure.reason);
  return failure === null ? promptProblem(texts, writer.promptProblem) : failureText(failure, texts);
}

const megabytes = (bytes: number): string => formatNumber(bytes / 1e6, { decimals: 1 });

/** The sample of a finished run, or a placeholder while its models are fetched. */
export function finishedSample(
  options: FinishedSampleOptions,
): Pick<SamplesOptions, 'sample' | 'live' | 'note' | 'problem' | 'canWrite' | 'unwritten' | 'fetching'> {
  const { texts, run, writer, kept, wanted, viewsNewest } = options;
  const live = viewsNewest ? writer.live : null;
  const missing = live === null ? whyUnwritten(options) : null;
  const justWritten = live !== null || kept === writer.sample;
  const words = [formatWhole(run.settings.steps), formatWhole(wanted.seed)] as const;
  const { fetched } = writer;
  return {
    sample: live ?? (missing === null ? kept : null),
    live: live !== null,
    note: justWritten
      ? texts.finishedSampleNote(...words)
      : texts.sampleNote(formatWhole(kept.step), formatWhole(kept.seed)),
    problem: missing === null ? null : problemOf(options),
    canWrite: run.models !== undefined,
    unwritten: missing ?? texts.noSample,
    fetching:
      fetched === null
        ? null
        : {
            words: texts.fetchingModels(megabytes(fetched), megabytes(run.models?.bytes ?? 0)),
            onCancel: () => {
              writer.cancel();
            },
          },
  };
}
