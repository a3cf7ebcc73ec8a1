import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestService } from '../../support/service/service.js';

export interface Console {
  page: Page;
  /** Uncaught errors of the page, and violations of its security policy. */
  problems: string[];
  /** Returns the radio button of a voice. */
  voice(name: string): ReturnType<Page['getByRole']>;
  /** Returns the names of the listed voices. */
  voices(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a link that signs in to the console of a service, and waits until the page lists voices. */
export async function openConsole(
  browser: Browser,
  { consoleLink }: Pick<TestService, 'consoleLink'>,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const opened = await openPage(browser, consoleLink(), options);
  await opened.page.locator('#voice-list .item').first().waitFor();
  return opened;
}

/** Opens an address of the console, which may ask for a key. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) problems.push(message.text());
  });
  await page.goto(address);
  return {
    page,
    problems,
    voice: (name) => page.getByRole('radio', { name: new RegExp(`^\\W*${name}`) }),
    voices: () => page.locator('#voice-list strong').allTextContents(),
    close: () => context.close(),
  };
}
