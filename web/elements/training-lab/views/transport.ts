import { html, nothing, type TemplateResult } from 'lit';
import { formatWhole } from '../../../charts/index.js';
import { button, segmented } from '../../shared/controls.js';
import type { NumberEvent } from '../../shared/number-field.js';
import type { Phase } from '../running.js';
import { mostSteps } from '../settings.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';

export type Speed = 'slow' | 'medium' | 'fast';

export const speeds: readonly Speed[] = ['slow', 'medium', 'fast'];

/** Steps a second. */
export const stepsPerSecond: Record<Speed, number> = { slow: 4, medium: 40, fast: Number.POSITIVE_INFINITY };

export interface TransportOptions {
  texts: TrainingLabStrings;
  phase: Phase;
  /** The newest step of the run that is drawn; null where none is. */
  step: number | null;
  plannedSteps: number;
  runToStep: number;
  /** Null: no speeds are offered. */
  speed: Speed | null;
  /** Of the run under way; null where nobody knows. */
  secondsLeft: number | null;
  /** What needs models makes them first, where there are none yet. */
  canWake: boolean;
  onPlay: () => void;
  onPause: () => void;
  onStep: () => void;
  onRunTo: () => void;
  onRunToStep: (step: number) => void;
  onRewind: () => void;
  onSpeed: (speed: Speed) => void;
  onCancel: () => void;
}

/** Rounded so that it does not flicker: whole tens of seconds where there are many, minutes beyond two of them. */
export function timeLeft(texts: TrainingLabStrings, seconds: number): string {
  if (seconds >= 120) return texts.minutesLeft(formatWhole(Math.round(seconds / 60)));
  const step = seconds > 20 ? 10 : seconds > 5 ? 5 : 1;
  return texts.secondsLeft(formatWhole(Math.max(1, Math.ceil(seconds / step) * step)));
}

/** Play or pause, step, run to a step, rewind, speed: the order is the same wherever something plays. */
export function transport(options: TransportOptions): TemplateResult {
  const { texts, phase, step, plannedSteps } = options;
  const running = phase === 'running';
  const standing =
    phase === 'ready' || phase === 'paused' || phase === 'finished' || (phase === 'idle' && options.canWake);
  const canPlay = standing || phase === 'idle';
  return html`
    <div class="row transport">
      ${
        phase === 'preparing'
          ? button({ label: texts.cancel, icon: 'remove', onPress: options.onCancel })
          : running
            ? button({ label: texts.pause, icon: 'pause', kind: 'primary', onPress: options.onPause })
            : button({ label: texts.play, icon: 'play', kind: 'primary', disabled: !canPlay, onPress: options.onPlay })
      }
      ${button({ label: texts.stepOnce, icon: 'step', iconOnly: true, disabled: !standing, onPress: options.onStep })}
      <span class="run-to">
        ${button({
          label: texts.runTo,
          icon: 'run-to',
          disabled: !(standing || running),
          onPress: options.onRunTo,
        })}
        <tied-number-field
          label=${texts.runToField}
          hide-label
          whole
          .value=${options.runToStep}
          .min=${0}
          .max=${mostSteps}
          .step=${10}
          @tied-number=${(event: NumberEvent) => {
            if (event.detail.final) options.onRunToStep(event.detail.value);
          }}
        ></tied-number-field>
      </span>
      ${button({
        label: texts.rewind,
        icon: 'rewind',
        iconOnly: true,
        disabled: !(standing || running || phase === 'failed') || (step ?? 0) === 0,
        onPress: options.onRewind,
      })}
      ${
        options.speed === null
          ? nothing
          : segmented({
              legend: texts.speed,
              name: 'speed',
              value: options.speed,
              choices: speeds.map((speed) => ({ value: speed, label: texts.speeds[speed] ?? speed })),
              onChoose: options.onSpeed,
            })
      }
      <output class="step-count"
        >${
          step === null
            ? nothing
            : step <= plannedSteps
              ? texts.stepCount(formatWhole(step), formatWhole(plannedSteps))
              : texts.stepCountBeyond(formatWhole(step))
        }${options.secondsLeft === null ? nothing : html`, ${timeLeft(texts, options.secondsLeft)}`}</output
      >
    </div>
  `;
}
