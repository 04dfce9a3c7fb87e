/** What the lab says about runs that stay in the browser. To translate them, set `kept` in the element's `strings`. */
export const keptStrings = {
  offer: (date: string, step: string, planned: string) =>
    `A run of ${date} is stored in this browser, at step ${step} of ${planned}.`,
  goOn: 'Go on with it',
  forget: 'Forget it',
  forgetRun: 'Forget the stored run',
  kept: (step: string) => `Stored in this browser at step ${step}: it can go on after this page is closed.`,
  opening: 'Opening the stored run.',
  broken: 'The stored run could not be read, so it was removed.',
  rested: (step: string) => `Rested at step ${step} while this page was hidden.`,
  none:
    'This browser stores nothing for this page, as in a private window or in a frame of another site: closing the page ' +
    'ends the run.',
  full: (step: string | null) =>
    'The browser has no room to store the run. Training goes on' +
    (step === null ? ', but ends with this page.' : `; after this page is closed, it could go on from step ${step}.`),
};

export type KeptStrings = typeof keptStrings;
