/** A transformer as a line from entrance to exit, with layers that add to it; the line itself is the direct path. */

const width = 340;
const height = 404;
/** Positions of the line, and of the middle of the layers' boxes. */
const line = 96;
const side = 236;

const down = (x, y) => `<path class="head" d="M${x - 5} ${y - 9}h10l-5 9z"/>`;

const table = (y, name, letter, role, note) => `<rect class="box ${role}" x="${line - 46}" y="${y}" width="92" height="36" rx="4"/>
<text class="symbol" x="${line}" y="${y + 24}" text-anchor="middle">${name}<tspan class="index" dy="4">${letter}</tspan></text>
<text class="side" x="${line + 58}" y="${y + 15}">${note[0]}</text>
<text class="side" x="${line + 58}" y="${y + 33}">${note[1]}</text>`;

/** A layer reads the line at `y` and adds its result to it below. */
const layer = (y, name) => `<path class="branch" d="M${line} ${y}H${side}V${y + 14}"/>${down(side, y + 18)}
<rect class="box" x="${side - 78}" y="${y + 18}" width="156" height="44" rx="4"/>
<text x="${side}" y="${y + 36}" text-anchor="middle">${name}</text>
<text class="side" x="${side}" y="${y + 54}" text-anchor="middle">attention, feed-forward</text>
<path class="branch" d="M${side} ${y + 62}V${y + 82}H${line + 11}"/><path class="head" d="M${line + 20} ${y + 77}v10l-9 -5z"/>
<circle class="sum" cx="${line}" cy="${y + 82}" r="10"/><path class="plus" d="M${line - 5} ${y + 82}h10M${line} ${y + 77}v10"/>`;

export const transformerDrawing = () => `<svg class="transformer" viewBox="0 0 ${width} ${height}" role="img" aria-label="A transformer. A token's row of the first table enters a line that runs straight to the second table. Each layer reads the line and adds its result to it. The line without the layers is the direct path.">
<text class="token" x="${line}" y="20" text-anchor="middle">New</text>
<path class="stream" d="M${line} 30V42"/>
<path class="stream" d="M${line} 84V322"/>
<path class="stream" d="M${line} 358V372"/>${down(line, 380)}
${table(46, 'W', 'E', 'reads', ['reads: takes', 'the token’s row'])}
${layer(104, 'layer 1')}
<text class="side" x="${side}" y="206" text-anchor="middle">⋮</text>
${layer(214, 'last layer')}
<text class="path-name" transform="translate(${line - 20} 203) rotate(-90)" text-anchor="middle">direct path</text>
${table(322, 'W', 'U', 'writes', ['writes: compares', 'with every row'])}
<text x="${line}" y="398" text-anchor="middle">one score per token</text>
</svg>`;
