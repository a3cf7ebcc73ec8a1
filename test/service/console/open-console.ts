import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

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
