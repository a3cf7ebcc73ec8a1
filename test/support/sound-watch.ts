import type { Page } from 'playwright-core';

/** Keeps a record of what the page plays, in `window.played`. */
export async function watchSound(page: Page): Promise<void> {
  await page.evaluate(`{
    window.played = [];
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      this.addEventListener('playing', () => window.played.push('playing'));
      this.addEventListener('ended', () => window.played.push('ended'));
      return play.call(this);
    };
  }`);
}

/** Resolves when the page has played so many sounds to their end. */
export async function untilPlayed(page: Page, count: number): Promise<void> {
  await page.waitForFunction(`played.filter((event) => event === 'ended').length >= ${count}`);
}
