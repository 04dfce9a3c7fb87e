/** Offers text as a download. */
export function saveFile(content: string | Uint8Array<ArrayBuffer>, fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileName;
  anchor.click();
  // Some browsers need the URL until the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
