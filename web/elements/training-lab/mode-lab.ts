import type { LabSource } from '../shared/lab-lease.js';
import type { Keeping } from './kept/keeping.js';
import type { SettingsElement } from './settings-element.js';

/** What a mode and its views need from the element: its settings, and the frame that all modes share. */
export type ModeLab = SettingsElement & {
  readonly labSource: LabSource;
  /** The figure has come near the screen: work that needs a worker may start. */
  readonly awake: boolean;
  /** Stores long runs in the browser; fetched when there is one. */
  readonly keeper: () => Promise<Keeping>;
  /** Draws at most once per animation frame. */
  redraw: () => void;
};
