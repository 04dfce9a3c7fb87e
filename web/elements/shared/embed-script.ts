/** The URL of the classic script in embed code; a page that serves it elsewhere sets it. */
let address = 'tied-embeddings.global.js';

export function configureEmbed(options: { scriptUrl: string }): void {
  address = options.scriptUrl;
}

export const embedScriptUrl = (): string => address;
