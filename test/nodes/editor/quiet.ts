import type { Page } from 'playwright-core';

/** Milliseconds after the last key until the dialog asks for the voice and for the addresses, with a margin. */
const PAUSE_MS = 600;

/** Waits until the dialog has got all replies: a late one moves the rows below its note, also under a click. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${PAUSE_MS}))`);
  await page.waitForFunction('$.active === 0');
}
