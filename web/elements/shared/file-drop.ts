import type { LitElement, ReactiveController } from 'lit';

/** Accepts files dropped anywhere on an element, and tracks whether one hovers over it. */
export class FileDrop implements ReactiveController {
  hovering = false;

  constructor(
    private readonly host: LitElement,
    /** An empty list means that something other than a file was dropped. */
    private readonly dropped: (files: readonly File[], data: DataTransfer) => void,
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
    // Text can be dragged within fields; only files are handled here.
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.hover(true);
  };

  private readonly onLeave = (event: DragEvent): void => {
    // Moving between two parts of the figure fires this event without leaving the figure.
    const box = this.host.getBoundingClientRect();
    const inside =
      event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom;
    if (!inside) this.hover(false);
  };

  private readonly onDrop = (event: DragEvent): void => {
    this.hover(false);
    const data = event.dataTransfer;
    if (data?.types.includes('Files') !== true) return;
    event.preventDefault();
    this.dropped(Array.from(data.files), data);
  };
}
