import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/browser/browser.js';
import { startTestService, type TestService, toneFile } from '../../support/service/service.js';
import { type Console, openConsole } from './open-console.js';

export const TEXT = 'Good morning. The train leaves from platform four.';

/** Stops all sounds. The next sound then starts at 0 seconds. */
const SILENCE = `document.querySelectorAll('audio').forEach((audio) => {
  audio.pause();
  audio.removeAttribute('src');
  audio.load();
})`;

/**
 * Starts a service and a browser for a suite, and opens the console once for all tests. The microphone plays a tone.
 * @param prepare fills the service before the console opens
 */
export function useConsole(prepare = async (_service: TestService): Promise<void> => {}) {
  let browser: Browser;
  let service: TestService;
  let console: Console;
  before(async () => {
    service = await startTestService();
    await prepare(service);
    const sound = path.join(service.data, 'voice.wav');
    await writeFile(sound, toneFile(150, 4));
    browser = await launchBrowser([`--use-file-for-fake-audio-capture=${sound}`]);
    console = await openConsole(browser, service);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  afterEach(async () => {
    await console.page.unrouteAll();
    await console.page.evaluate(SILENCE);
    assert.deepEqual(console.problems, []);
  });

  /** Waits until an audio element has played 0.1 seconds. */
  const heard = (id: string) =>
    console.page.evaluate(`new Promise((resolve) => {
      const audio = document.getElementById('${id}');
      const look = () => audio.currentTime > 0.1 && resolve();
      audio.addEventListener('timeupdate', look);
      look();
    })`);
  const restart = async () => {
    const { port } = new URL(service.url);
    await service.stop();
    service = await startTestService({ port: Number(port), data: service.data });
  };
  /** Returns the status line of a section. */
  const status = (section: string) => console.page.locator(`#${section}-status`);
  return { console: () => console, service: () => service, restart, heard, status };
}
