import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser.js';

/** A name that stands for this machine in the browser, as one that was made to point here would. */
export const FOREIGN_HOST = 'console.example';

const ARGUMENTS = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1`,
];

/**
 * Starts a browser without a window, whose microphone may be used.
 * @param sound the WAV file that the microphone hears, over and over; a beep unless told
 */
export async function launchWithMicrophone(sound?: string): Promise<Browser> {
  const heard = sound === undefined ? [] : [`--use-file-for-fake-audio-capture=${sound}`];
  return launchBrowser([...ARGUMENTS, ...heard]);
}

export interface Console {
  page: Page;
  /** Errors of the page's own that nobody caught, and refusals of its policy. */
  problems: string[];
  /** The button that chooses a voice. */
  voice(name: string): ReturnType<Page['getByRole']>;
  /** Names of the voices that the list shows. */
  voices(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens the console of a service; waits until it shows voices. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const opened = await openPage(browser, url, options);
  await opened.page.locator('#voice-list .item').first().waitFor();
  return opened;
}

/** Opens the console's page, whether or not it lets anybody in. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) problems.push(message.text());
  });
  await page.goto(`${url}/console`);
  return {
    page,
    problems,
    voice: (name) => page.getByRole('radio', { name: new RegExp(`^\\W*${name}`) }),
    voices: () => page.locator('#voice-list strong').allTextContents(),
    close: () => context.close(),
  };
}
