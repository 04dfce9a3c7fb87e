// The file that "Save picture" writes.
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';

export interface SavedPicture {
  name: string;
  /** The SVG. */
  picture: string;
}

export async function savePicture(page: Page): Promise<SavedPicture> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  // The browser belongs to another process, so downloads have contents but no paths.
  return { name: download.suggestedFilename(), picture: await text(await download.createReadStream()) };
}
