import paragraphs from './paragraphs.json';

/** The whole story, January to December: ASCII only, one paragraph a line of the file. ../index.ts says what it is for. */
export const aYearInNewYork = paragraphs.join('\n\n');
