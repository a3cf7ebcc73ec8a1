import type { Page } from 'playwright-core';

/** Records the media events of the page in `window.played`: `playing` and `ended`. A second call empties the record. */
export async function watchSound(page: Page): Promise<void> {
  await page.evaluate(`{
    window.played = [];
    window.originalPlay ??= HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      this.addEventListener('playing', () => window.played.push('playing'));
      this.addEventListener('ended', () => window.played.push('ended'));
      return window.originalPlay.call(this);
    };
  }`);
}

/** Resolves when the page has played `count` sounds to their end. */
export async function untilPlayed(page: Page, count: number): Promise<void> {
  await page.waitForFunction(`played.filter((event) => event === 'ended').length >= ${count}`);
}
