/** In a sheet of its own, which the script brings, so that the page's first view does not wait for it. */
export const styles = `
.travel {
  --dim: color-mix(in srgb, var(--muted) 50%, var(--paper));
  position: fixed;
  z-index: 1;
  inset-inline: 0;
  pointer-events: none;
  font: 0.875rem/1.35 var(--ui-face);
  color: var(--muted);
  transition: opacity 150ms, visibility 150ms;
}
.travel[data-away] { opacity: 0; visibility: hidden; }
.travel ul { margin: 0; padding: 0; list-style: none; }
.travel a { color: inherit; text-decoration: none; }
.travel .short { font-weight: 600; }
.travel .full { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.travel-details p { margin: 0; text-wrap: pretty; }
.travel-details .name { color: var(--ink); font-weight: 600; }
.travel-details .name i { font-family: var(--text-face); }
.travel-details :is(sub, sup) { font-weight: 400; line-height: 0; }
.travel-details a { color: var(--accent); text-decoration: underline; text-underline-offset: 0.18em; }
.travel-details .numbers { font-variant-numeric: tabular-nums lining-nums; margin: 0; }

/* The italic comes in one weight. */
.travel .transformer { max-inline-size: none; inline-size: 100%; block-size: 100%; font-synthesis-weight: none; }
.travel .transformer :is([data-part], .layers, .scene, .box, .row, .stream, .tie, .head, .rows, .bars, .branch, .loop, text) {
  transition: opacity 150ms, fill 150ms, stroke 150ms;
}
.travel .transformer :is([data-part], .tie) { --part: var(--dim); }
.travel .transformer text { fill: var(--muted); }
.travel .transformer .lit { --part: var(--ink); --wash: 8%; }
.travel .transformer .lit text { fill: var(--ink); font-weight: 600; }
.travel .transformer .lit .box { fill: color-mix(in srgb, var(--part) var(--wash), var(--paper)); stroke-width: 2; }
.travel .transformer [data-part='reads'].lit { --part: var(--tied-color-input); --wash: 16%; }
.travel .transformer [data-part='encoder'].lit { --part: var(--tied-color-input); --wash: 16%; }
.travel .transformer :is([data-part='writes'], [data-part='logits'], [data-part='softmax']).lit { --part: var(--tied-color-output); --wash: 16%; }
.travel .transformer :is([data-part='stream'], [data-part='direct']).lit { --part: var(--accent); }
.travel .transformer [data-part='direct'].lit .path-name { fill: var(--accent); }
.travel .transformer [data-part='direct']:not(.lit) .stream { opacity: 0; }
.travel .transformer [data-part='direct']:not(.lit) .path-name { fill: var(--muted); font-weight: 400; }
.travel .transformer .tie.lit { --part: var(--tied-color-tied); stroke-width: 2.5; }
.travel .transformer .tie.lit + .tie-name { fill: var(--tied-color-tied-text); font-weight: 600; }
.travel .transformer [data-part='map'].lit { --part: var(--tied-color-through); --wash: 16%; }
.travel .transformer [data-part='stream'].lit .stream { stroke-width: 4; }
.travel .transformer .scene:not(.shown) { opacity: 0; visibility: hidden; }
.travel .transformer .layers { opacity: 1; }
.travel[data-bare] .transformer .layers { opacity: 0; visibility: hidden; }
.travel[data-scene='ways'] .transformer .later { opacity: 0; visibility: hidden; }
.travel[data-scene='encoder'] .transformer [data-part='positions'] { opacity: 0; visibility: hidden; }
.travel[data-scene='exits'] .transformer .layers .side { opacity: 0; }

.travel .row { fill: none; stroke-width: 5; }
.travel .stroke { fill: none; stroke-width: 1.75; stroke-linecap: round; }
.travel :is(.row, .stroke).input { stroke: var(--tied-color-input); }
.travel :is(.row, .stroke).output { stroke: var(--tied-color-output); }
.travel :is(.band, .tip).input { fill: var(--tied-color-input); }
.travel :is(.band, .tip).output { fill: var(--tied-color-output); }
.travel .band { opacity: 0.55; }
.travel .outline { fill: none; stroke: var(--tied-color-tied); stroke-width: 2; }
.travel .transformer .scene text.input { fill: var(--tied-color-input-text); font-weight: 600; }
.travel .transformer .scene text.output { fill: var(--tied-color-output-text); font-weight: 600; }
.travel .cell { fill: var(--tied-color-positive); }
.travel .grid { fill: none; stroke: var(--dim); stroke-width: 0.75; }
.travel .fold { stroke: var(--muted); stroke-dasharray: 3 3; }
.travel .transformer .scene text { fill: var(--ink); }
.travel .transformer .end { text-anchor: end; }
.travel :is(.exit, .arc) { fill: none; stroke: var(--tied-color-output); stroke-width: 1.75; stroke-dasharray: 4 3; }
.travel .arc { stroke: var(--muted); stroke-dasharray: none; }
.travel :is(.exit-head, .exit-dot) { fill: var(--tied-color-output); }
.travel .arrow { fill: none; stroke-width: 2.5; }
.travel .arrow.output { stroke: var(--tied-color-output); }
.travel .arrow-head.output { fill: var(--tied-color-output); }
.travel .arrow.state { stroke: var(--accent); }
.travel .arrow-head.state { fill: var(--accent); }
.travel .share { fill: color-mix(in srgb, var(--muted) 30%, var(--paper)); stroke: var(--paper); }
.travel .share.table { fill: var(--tied-color-tied); }
.travel .share.second { fill: none; stroke: var(--tied-color-untied); stroke-width: 1.5; stroke-dasharray: 4 3; }

@media (min-width: 1440px) {
  .travel {
    inset-block-start: var(--space-6);
    display: grid;
    grid-template-columns: minmax(0, 1fr) 61.5rem minmax(0, 1fr);
  }
  .travel-body { grid-column: 3; inline-size: min(200px, (100vh - 17rem) * 0.485); max-inline-size: calc(100% - var(--space-4)); margin-inline-start: var(--space-3); }
  .travel-drawing { position: relative; aspect-ratio: 200 / 412; }
  .travel-details { margin-block-start: var(--space-3); inline-size: 200px; max-inline-size: 100%; }
  .travel li[hidden] { display: none; }
  .travel li a {
    position: absolute;
    inset: var(--at);
    border-radius: 4px;
    pointer-events: auto;
  }
  .travel li a:hover { background: color-mix(in srgb, var(--accent) 9%, transparent); }
  .travel .short { display: none; }
  .travel-details { pointer-events: auto; }
}
@media (max-width: 1439.98px) {
  /* In the bar that names the section, or at its place where there is none. */
  .travel {
    z-index: 4;
    inset-block-start: 0;
    inset-inline: auto var(--space-2);
    inline-size: min(26rem, 58vw);
    background: var(--paper);
  }
  .contents-bar > span { display: inline-block; max-inline-size: calc(100vw - min(26rem, 58vw) - var(--space-5)); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: middle; }
  .travel[data-alone] { inset-inline: 0; inline-size: auto; padding-inline: var(--space-3); background: var(--paper); border-block-end: 1px solid var(--rule); }
  .travel[data-alone] .travel-body { max-inline-size: 38rem; margin-inline: auto; }
  .travel .transformer { display: none; }
  .travel ul { position: relative; block-size: calc(var(--bar-height, 44px) - 1px); pointer-events: auto; }
  .travel ul::before, .travel ul::after { content: ''; position: absolute; inset-inline: 14px; z-index: -1; }
  .travel ul::before { inset-block-start: 27px; border-block-start: 2px solid var(--dim); }
  .travel ul::after { inset-block: 26px 2px; border: 1.25px solid var(--dim); border-block-start: 0; border-radius: 0 0 6px 6px; }
  .travel ul:has([data-part='direct'].lit, [data-part='stream'].lit)::before { border-block-start: 4px solid var(--accent); margin-block-start: -1px; }
  .travel ul:has([data-part='sample'].lit)::after { border-color: var(--ink); border-width: 0 2px 2px; }
  .travel li:not([data-strip]), .travel li[hidden] { display: none; }
  /* Set side by side by the script (strip.ts). A translation, unlike another place, is no shift of the layout. */
  .travel li { position: absolute; inset-block: 0; inset-inline-start: 0; min-inline-size: 44px; transform: translateX(var(--x, 0)); }
  .travel li a { display: grid; align-items: center; justify-content: center; block-size: 100%; padding-block-end: 4px; }
  .travel .short {
    padding: 2px 5px;
    border: 1.5px solid var(--dim);
    border-radius: 4px;
    background: var(--paper);
    font-size: 0.8125rem;
    line-height: 1.25rem;
    font-weight: 400;
    white-space: nowrap;
    transition: border-color 150ms, background-color 150ms;
  }
  .travel .short :is(i, sub) { font: italic 400 1em/1 var(--text-face); }
  .travel .short sub { font-size: 0.7em; }
  .travel li[data-part='attention'] .short { margin-block-end: 12px; padding-block: 0; line-height: 1.125rem; }
  .travel li.lit { --part: var(--ink); }
  .travel li.lit[data-part='reads'], .travel li.lit[data-part='encoder'] { --part: var(--tied-color-input); }
  .travel li.lit:is([data-part='writes'], [data-part='softmax']) { --part: var(--tied-color-output); }
  .travel li.lit[data-part='map'] { --part: var(--tied-color-through); }
  .travel li.lit .short { border-color: var(--part); background: color-mix(in srgb, var(--part) 22%, var(--paper)); color: var(--ink); -webkit-text-stroke: 0.35px; }
  .travel[data-tied] li.lit:is([data-part='reads'], [data-part='writes']) .short { box-shadow: 0 2px 0 var(--tied-color-tied); }
  /* A few rows, or all: beside the box, which stays where it is. */
  .travel[data-scene='gradients'] li:is([data-part='reads'], [data-part='writes']) .short { position: relative; }
  .travel[data-scene='gradients'] li:is([data-part='reads'], [data-part='writes']) .short::after { content: ''; position: absolute; inset-block: 0; inset-inline-start: calc(100% + 2px); inline-size: 9px; }
  .travel[data-scene='gradients'] li[data-part='reads'] .short::after { background: linear-gradient(transparent 4px, var(--part) 4px 6px, transparent 6px 15px, var(--part) 15px 17px, transparent 17px); }
  .travel[data-scene='gradients'] li[data-part='writes'] .short::after { background: repeating-linear-gradient(transparent 0 1px, var(--part) 1px 3px); }
  .travel-details {
    position: fixed;
    inset-block-start: var(--bar-height, 44px);
    inset-inline: 0;
    padding: var(--space-2) var(--space-3) var(--space-3);
    border-block-end: 1px solid var(--rule);
    background: var(--paper);
    font-size: 1rem;
    pointer-events: auto;
  }
  .travel:not([data-asked]) .travel-details { display: none; }
  .travel-details a { display: inline-block; padding-block: 10px; }
}
@media (min-width: 600px) and (max-width: 1439.98px) {
  .travel-details { inset-inline: auto 0; inline-size: 27rem; border-inline-start: 1px solid var(--rule); }
}
/* A phone's bar has room for four or five, each as wide as a finger. */
@media (max-width: 599.98px) {
  .travel:not([data-alone]) { inline-size: max(60vw, 194px); }
  .contents-bar > span { max-inline-size: calc(100vw - max(60vw, 194px) - var(--space-5)); font-size: 0.8125rem; line-height: 1.2; white-space: normal; text-wrap: balance; }
  .travel .short { padding-inline: 3px; font-size: 0.75rem; }
  .travel:not([data-alone]) li:is([data-part='tokens'], [data-part='norm']:not(.lit)) { display: none; }
  .travel:not([data-alone]):is([data-scene='map'], [data-scene='ways'], [data-scene='encoder'], [data-scene='gradients']) li:is([data-part='softmax'], [data-part='sample']) { display: none; }
}
@media (max-width: 1439.98px) {
  :root:has(.travel[data-away]) .contents-bar > span { max-inline-size: 100%; }
}
@media (max-width: 389.98px) {
  .contents-bar > span { font-size: 0.75rem; }
  .contents-bar > span::after { margin-inline-start: 0.3em; }
  .travel:not([data-alone]) li[data-part='sample']:not(.lit) { display: none; }
  .travel:not([data-alone]):has(li[data-part='sample'].lit) li[data-part='attention'] { display: none; }
  .travel:not([data-alone])[data-scene='ways'] li[data-part='attention'] { display: none; }
}
/* Alone, it has no room for the seventh. */
@media (max-width: 349.98px) {
  .travel[data-alone] li[data-part='norm']:not(.lit), .travel[data-alone]:has([data-part='norm'].lit) li[data-part='tokens'] { display: none; }
}
@media (prefers-reduced-motion: reduce) {
  .travel, .travel * { transition: none !important; }
}
@media (forced-colors: active) {
  .travel { --dim: GrayText; }
  .travel .transformer .lit, .travel .transformer [data-part].lit { --part: Highlight; }
  .travel li.lit .short { border-color: Highlight; outline: 1px solid Highlight; }
}
@media print {
  .travel { display: none; }
}
`;
