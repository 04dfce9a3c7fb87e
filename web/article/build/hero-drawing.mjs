import { escapeHtml, percent } from './format.mjs';

/**
 * The figure at the top. Without scripts it is three maps; with them it is the first and the last, and an experiment between them
 * (`web/article/hero/`). Its markup is in the page, so that nothing moves when the script arrives, and in the order in which phones show
 * it, so that nothing moves while the page arrives in pieces.
 */

const round = (value) => Number(value.toFixed(2));

/** One grid of probabilities: rows are the current word, columns the next. */
function grid({ words, values, outlined, label }) {
  const cell = 28;
  const left = 74;
  const top = 74;
  const size = cell * words.length;
  const parts = [
    `<text class="axis" x="${left - 8}" y="${top - 32}" text-anchor="end">next →</text>`,
    `<text class="axis" x="${left - 8}" y="${top - 12}" text-anchor="end">word ↓</text>`,
  ];
  words.forEach((word, index) => {
    const middle = index * cell + cell / 2;
    const name = escapeHtml(word);
    parts.push(`<text class="row-label" x="${left - 8}" y="${top + middle + 5}" text-anchor="end">${name}</text>`);
    const x = left + middle + 4;
    parts.push(`<text x="${x}" y="${top - 8}" transform="rotate(-55 ${x} ${top - 8})">${name}</text>`);
  });
  values.forEach((row, from) => {
    row.forEach((value, to) => {
      const place = `x="${left + to * cell}" y="${top + from * cell}"`;
      if (value > 0.002) {
        // Opacity is the square root, so a tenth is as visible as a whole.
        parts.push(`<rect class="heat" ${place} width="${cell}" height="${cell}" fill-opacity="${round(Math.sqrt(value))}"/>`);
      }
    });
  });
  const lines = Array.from({ length: words.length + 1 }, (_, index) => {
    const at = index * cell;
    return `M${left + at} ${top}v${size}M${left} ${top + at}h${size}`;
  }).join('');
  parts.push(`<path class="grid" d="${lines}"/>`);
  parts.push(`<path class="fold" d="M${left} ${top}l${size} ${size}"/>`);
  for (const [from, to] of outlined) {
    parts.push(
      `<rect class="outline" x="${left + to * cell}" y="${top + from * cell}" width="${cell}" height="${cell}" rx="2"/>`,
    );
  }
  const width = left + size + 34;
  const height = top + size + 4;
  return `<svg class="matrix" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(label)}">${parts.join('')}</svg>`;
}

const options = (words, selected) =>
  words
    .map((word, at) => `<option value="${at}"${at === selected ? ' selected' : ''}>${escapeHtml(word)}</option>`)
    .join('');

/** A share with a thin bar below it, which `web/article/hero/` fills in. */
const shareCell = (of, text = '') =>
  `<td class="${of}"><b>${text}</b><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><path class="track" d="M0 4H100"/><path class="bar" d="M0 4H0"/></svg></td>`;

/** The experiment, for pages with scripts: a pair, a guess, and what the tables learn. */
function experiment({ words, text }, from, to) {
  const rows = [
    ['forward', from, to],
    ['backward', to, from],
    ['repeat', from, from],
  ].map(
    ([kind, before, after]) => `<tr data-of="${kind}">
<th scope="row"><i class="after">${escapeHtml(words[after])}</i> after <i class="before">${escapeHtml(words[before])}</i></th>
${shareCell('story', percent(text[before][after]))}${shareCell('tied')}${shareCell('untied')}
</tr>`,
  );
  const play = `<div class="hero-play">
<p class="hero-ask">After <select class="from" aria-label="Word" disabled>${options(words, from)}</select> comes <select class="to" aria-label="Next word" disabled>${options(words, to)}</select> in <b class="share">${percent(text[from][to])}</b> of cases. What will <b class="tied">one shared table</b> learn?</p>
<label class="hero-guess">Your guess <input type="range" min="0" max="100" value="50" disabled /><output aria-live="off">50%</output></label>
<p class="hero-buttons"><button type="button" class="train" disabled>Train both models</button></p>
</div>`;
  const found = `<div class="hero-found">
<table class="hero-shares">
<thead><tr><td></td><th scope="col">Story</th><th scope="col" class="tied">One table</th><th scope="col" class="untied">Two tables</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>
</div>`;
  return { play, found };
}

/** Which of the maps the last panel shows; on narrow screens there is one panel. */
const shownMap = ['story', 'tied', 'untied']
  .map(
    (shown, at) =>
      `<label class="${shown}"><input type="radio" name="hero-map" value="${shown}"${shown === 'tied' ? ' checked' : ''} disabled />${['Story', 'One table', 'Two tables'][at]}</label>`,
  )
  .join('');

/** The text's bigrams, the best symmetric scores for them, and what one shared table has learned. */
export function hero(facts) {
  const { words, text, symmetric, shared } = facts.hero;
  const from = words.indexOf('New');
  const to = words.indexOf('York');
  const outlined = [
    [from, to],
    [to, from],
  ];
  const panel = (className, title, values, before = '') => `<div class="panel ${className}">
<p class="panel-title">${title}</p>${before}
${grid({ words, values, outlined, label: `${title}. Probabilities of the next word (columns) after the current word (rows), ${words.length} words.` })}
<p class="panel-values"><span><i>York</i> after <i>New</i> <b>${percent(values[from][to])}</b></span>
<span><i>New</i> after <i>York</i> <b>${percent(values[to][from])}</b></span>
<span><i>New</i> after <i>New</i> <b>${percent(values[from][from])}</b></span></p>
</div>`;
  const { play, found } = experiment(facts.hero, from, to);
  return `<div class="hero-panels three">
${play}
${panel('free', 'What the story says', text)}
${panel('mirrored', 'The best that symmetric scores can say', symmetric)}
${panel('shared', 'What one shared table learns', shared, `<fieldset class="hero-maps"><legend>Map</legend>${shownMap}</fieldset>`)}
${found}
</div>`;
}
