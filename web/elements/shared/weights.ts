/** Attribute and texts of figures that measure trained models when the reader asks for it. */
import type { Panel } from './settings/panel-parts.js';
import { text, type Setting, type Settings } from './settings/setting.js';
import { webLink } from './web-link.js';

/** URL of a file of the page. Embed code is for other pages, so it is absolute there. */
export const fileSetting: Setting<string | null> = {
  ...text(null, { link: 'never', accepts: (url) => webLink(url) !== null, expected: 'expectedUrl' }),
  write: (url) => new URL(String(url), document.baseURI).href,
};

/** URL of the trained models. */
export const weightsSetting = fileSetting;

/** A panel of such a figure: its settings, whose models are measured, and the start button. */
export type ModelsPanel<Declared extends Settings> = Panel<Extract<keyof Declared, string> | 'models' | 'start'>;

export const weightsStrings = {
  expectedUrl: 'an http or https URL, or a relative one',
  start: 'Measure',
  fetching: (megabytes: string) => `Fetching the models: ${megabytes} MB.`,
  failed: (reason: string) => `The trained models could not be opened: ${reason}. Press Measure to try again.`,

  ownModels: 'Models',
  thePages: 'Of this page',
  yours: (step: string) => `Yours, step ${step}`,
  ofYours: (step: string, text: string) => `These are your own models, trained ${step} steps on “${text}”.`,
  ofThePage: 'These are the models of this page, not yours.',
  repeatMeasureHint: 'In a terminal with Node this command measures the same models again, to the same bits.',
  ofOtherSettings: 'These numbers are of other settings.',
  ofOtherModels: 'These numbers are of other models.',
  /** Follows either, at rest. */
  forYours: 'Press Measure for yours.',
  newerModels: (step: string) => `You have trained others since, to step ${step}: press Measure to use those.`,
};
