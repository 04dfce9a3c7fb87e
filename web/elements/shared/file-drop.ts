import type { LitElement, ReactiveController } from 'lit';

/** Lets files be dropped anywhere on an element, and knows while one hovers over it. */
export class FileDrop implements ReactiveController {
  hovering = false;

  constructor(
    private readonly host: LitElement,
    /** An empty list: something other than a file was dropped. */
    private readonly dropped: (files: readonly File[]) => void,
  ) {
    host.addController(this);
    host.addEventListener('dragover', this.onOver);
    host.addEventListener('dragleave', this.onLeave);
    host.addEventListener('drop', this.onDrop);
  }

  hostDisconnected(): void {
    this.hovering = false;
  }

  private hover(hovering: boolean): void {
    if (hovering === this.hovering) return;
    this.hovering = hovering;
    this.host.requestUpdate();
  }

  private readonly onOver = (event: DragEvent): void => {
    // Text is dragged within fields; only what could be a file is ours.
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.hover(true);
  };

  private readonly onLeave = (event: DragEvent): void => {
    // Between two parts of the figure the pointer leaves one of them, not the figure.
    const box = this.host.getBoundingClientRect();
    const inside =
      event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom;
    if (!inside) this.hover(false);
  };

  private readonly onDrop = (event: DragEvent): void => {
    this.hover(false);
    const files = event.dataTransfer?.files;
    if (files === undefined || event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    this.dropped(Array.from(files));
  };
}
