/** The value of a factor that may change while a model trains. */
import type { FactorSchedule } from './types.js';

/** After `step` steps: same as FactorSchedule::at in training/training_config.cpp. */
export function factorAt(schedule: FactorSchedule, step: number): number {
  if (typeof schedule === 'number') return schedule;
  const next = schedule.findIndex(([at]) => step < at);
  if (next < 0) return schedule.at(-1)![1];
  if (next === 0) return schedule[0]![1];
  const [[from, low], [to, high]] = [schedule[next - 1]!, schedule[next]!];
  return low + ((step - from) / (to - from)) * (high - low);
}
