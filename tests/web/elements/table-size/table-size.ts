import { html, type PropertyDeclarations, type PropertyValues } from 'lit';
import { formatWhole } from '../../../../web/charts/number-format.js';
import type { FigureParts } from '../../../../web/elements/shared/figure.js';
import { controlsOf } from '../../../../web/elements/shared/settings/setting-control.js';
import { valuesOf, withSettings } from '../../../../web/elements/shared/settings/with-settings.js';
import { TiedElement } from '../../../../web/elements/shared/tied-element.js';
import { tableSizeSettings } from './table-size.settings.js';
import { tableSizeStrings, type TableSizeStrings } from './table-size.strings.js';

/** `<tied-table-size vocab-size="50000" d-model="768" tying="untied">`: how many parameters the tables of tokens have. */
export class TableSize extends withSettings(TiedElement<TableSizeStrings>, tableSizeSettings) {
  static override properties: PropertyDeclarations = { count: { state: true } };

  declare private count: number | null;

  protected readonly ownStrings = tableSizeStrings;
  private readonly counting = this.task<void, number>({
    run: async () => {
      const { vocabSize, dModel, tying } = this;
      const tables = { family: 'plain-formula', vocabSize, dModel, nLayers: 0, nHeads: 1, dFeedForward: 1 } as const;
      return Number((await this.askLab((lab) => lab.countParameters(tables, tying))).stored);
    },
    done: (count) => {
      this.count = count;
    },
  });

  constructor() {
    super();
    this.count = null;
  }

  /** The figure is near the screen: nothing is asked of the lab before. */
  protected override wake(): void {
    void this.counting.request();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const isNew = Object.keys(tableSizeSettings).some((name) => changed.has(name));
    if (isNew && this.screen.woken) void this.counting.request();
  }

  protected parts(): FigureParts {
    const { texts, count } = this;
    const control = controlsOf(tableSizeSettings, {
      texts,
      values: valuesOf(tableSizeSettings, this),
      change: (change) => {
        this.problem = null;
        Object.assign(this, change);
        this.changed(change);
      },
    });
    const sentence = count === null ? texts.loading : texts.parameters(formatWhole(count));
    return {
      title: texts.title,
      controls: html`${control('vocabSize')} ${control('dModel')} ${control('tying')}`,
      drawing: html`<p class="read-out">${sentence}</p>`,
      announcement: sentence,
      hasPicture: false,
    };
  }
}
