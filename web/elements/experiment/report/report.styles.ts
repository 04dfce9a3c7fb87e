import { css } from 'lit';

export const reportStyles = css`
  :host {
    max-inline-size: 1120px;
    min-block-size: 100vh;
    margin-inline: auto;
    padding: var(--t-space-5) clamp(16px, 4vw, 48px) var(--t-space-6);
    background: var(--t-paper);
  }

  :is(h1, h2, h3, h4) {
    margin: 0;
    line-height: 1.25;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }

  h1 {
    font-size: clamp(1.75rem, 5vw, 2.5rem);
    letter-spacing: -0.02em;
  }

  h2 {
    margin-block-end: var(--t-space-2);
    font-size: var(--t-size-title);
    letter-spacing: -0.008em;
  }

  h3 {
    font-size: var(--t-size-large);
  }

  h4 {
    margin-block-end: var(--t-space-2);
    font-size: var(--t-size);
  }

  .kicker {
    margin: 0 0 var(--t-space-1);
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .lead {
    margin: var(--t-space-2) 0 0;
    max-inline-size: 72ch;
    color: var(--t-muted);
    text-wrap: pretty;
  }

  section {
    margin-block-start: var(--t-space-5);
    padding-block-start: var(--t-space-4);
    border-block-start: 1px solid var(--t-rule);
  }

  a {
    color: var(--t-accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 2px;
  }

  .verdicts {
    display: grid;
    gap: var(--t-space-2);
    margin-block-start: var(--t-space-4);
  }

  .verdicts li {
    display: grid;
    grid-template-columns: 7.5em 1fr;
    align-items: baseline;
    max-inline-size: 80ch;
  }

  /* A word and a sign: no verdict depends on color alone. */
  .verdict {
    font-weight: 650;
    white-space: nowrap;
  }

  .verdict::before {
    display: inline-block;
    inline-size: 1.4em;
    font-weight: 400;
  }

  .is-holds::before {
    content: '✓' / '';
  }

  .is-fails::before {
    content: '✗' / '';
  }

  .is-undecided::before {
    content: '?' / '';
  }

  .is-fails {
    color: var(--t-error);
  }

  .is-undecided {
    color: var(--t-muted);
  }

  .claim-part {
    margin-block-start: var(--t-space-4);
    scroll-margin-block-start: var(--t-space-3);
  }

  .claim-part > .verdict {
    margin: 0 0 var(--t-space-1);
  }

  .claim-part + .claim-part {
    padding-block-start: var(--t-space-4);
    border-block-start: 1px solid var(--t-rule);
  }

  .facts {
    display: grid;
    grid-template-columns: minmax(7em, max-content) 1fr;
    gap: var(--t-space-1) var(--t-space-3);
    margin: var(--t-space-2) 0 var(--t-space-3);
    max-inline-size: 84ch;
  }

  .facts dt {
    color: var(--t-muted);
    font-size: var(--t-size-small);
    line-height: 1.65;
  }

  .facts dd {
    margin: 0;
    min-inline-size: 0;
    text-wrap: pretty;
  }

  .facts code {
    color: inherit;
  }

  .point {
    max-inline-size: 720px;
    margin-block-start: var(--t-space-3);
  }

  .metrics {
    display: grid;
    gap: var(--t-space-5);
    margin-block-start: var(--t-space-4);
  }

  .metric {
    min-inline-size: 0;
  }

  .metric h3 {
    font-family: var(--t-font-mono);
    font-size: var(--t-size);
  }

  .metric .part-title {
    margin-block-end: var(--t-space-1);
  }

  .metric .minor {
    margin: var(--t-space-2) 0 0;
  }

  .lines {
    margin-block-start: var(--t-space-4);
  }

  @container (min-width: 860px) {
    .metrics {
      grid-template-columns: 1fr 1fr;
      column-gap: var(--t-space-5);
    }
  }

  .claim text.named {
    font-weight: 600;
  }

  @container (max-width: 560px) {
    .facts,
    .verdicts li {
      grid-template-columns: 1fr;
      gap: 0;
    }

    .facts dd {
      margin-block-end: var(--t-space-2);
    }
  }

  .spec {
    margin-block-start: var(--t-space-3);
  }

  summary {
    inline-size: fit-content;
    min-block-size: var(--t-target);
    align-content: center;
    color: var(--t-accent);
    font-size: var(--t-size-small);
    cursor: pointer;
  }

  .scrolls {
    overflow-x: auto;
    max-inline-size: 100%;
    font-size: var(--t-size-small);
  }

  .numbers :is(th, td) {
    padding-inline-start: 20px;
    white-space: nowrap;
  }

  .models {
    margin-block-start: var(--t-space-2);
  }

  pre {
    margin: 0;
    padding: var(--t-space-3);
    max-block-size: 480px;
    overflow: auto;
    background: var(--t-raised);
    font-family: var(--t-font-mono);
  }

  .files {
    display: grid;
    gap: var(--t-space-1);
  }

  .files li {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--t-space-3);
    align-items: center;
    min-block-size: var(--t-target);
  }

  .files span {
    min-inline-size: 8em;
  }

  .files a {
    display: inline-grid;
    align-items: center;
    min-block-size: var(--t-target);
  }

  .problems {
    padding-inline-start: 1.2em;
  }

  @media print {
    section,
    .metric {
      break-inside: avoid-page;
    }
  }
`;
