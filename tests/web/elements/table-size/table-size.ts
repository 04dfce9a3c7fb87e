import { html, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../../../web/charts/number-format.js';
import { button } from '../../../../web/elements/shared/controls.js';
import type { FigureParts } from '../../../../web/elements/shared/figure.js';
import type { Values } from '../../../../web/elements/shared/settings/setting.js';
import { initialValues, withSettings } from '../../../../web/elements/shared/settings/with-settings.js';
import { TiedElement } from '../../../../web/elements/shared/tied-element.js';
import { tableSizePanel, tableSizeSettings } from './table-size.settings.js';
import { tableSizeStrings, type TableSizeStrings } from './table-size.strings.js';

/** `<tied-table-size vocab-size="50000" d-model="768" tying="untied">`: how many parameters the tables of tokens have. */
export class TableSize extends withSettings(TiedElement<TableSizeStrings>, tableSizeSettings) {
  @state() private count: number | null = null;

  protected readonly ownStrings = tableSizeStrings;
  private readonly counting = this.task<void, number>({
    run: async () => {
      const { vocabSize, dModel, tying } = this;
      const tables = { family: 'plain-formula', vocabSize, dModel, nLayers: 0, nHeads: 1, dFeedForward: 1 } as const;
      return (await this.askLab((lab) => lab.countParameters(tables, tying))).stored;
    },
    done: (count) => {
      this.count = count;
    },
  });

  /** The figure is near the screen: nothing is asked of the lab before. */
  protected override wake(): void {
    void this.counting.request();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const isNew = Object.keys(tableSizeSettings).some((name) => changed.has(name));
    if (isNew && this.screen.woken) void this.counting.request();
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.changed(changes);
  }

  protected parts(): FigureParts {
    const { texts, count } = this;
    const sentence = count === null ? texts.loading : texts.parameters(formatWhole(count));
    const reset = button({
      label: texts.reset,
      kind: 'quiet',
      onPress: () => this.changeSettings(initialValues(tableSizeSettings)),
    });
    return {
      title: texts.title,
      controls: this.panel(tableSizePanel, { reset }),
      drawing: html`<p class="read-out">${sentence}</p>`,
      announcement: sentence,
      hasPicture: false,
    };
  }
}
