import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, sharedBrowser } from '../support/browser/browser.js';
import { useDataFolder } from '../support/service/local-service.js';
import { serving } from '../support/net/serve.js';
import { noise, withAudioRoute, wavOf } from './publish.js';
import { until } from '../support/waiting.js';

const ONE = noise(1, 1);
const TWO = noise(1, 2);

/** Plays a URL in an audio element that reads samples, and resolves with the seconds played at the end. */
const PLAY = `window.play = async (url) => {
  const player = new Audio();
  player.crossOrigin = 'anonymous';
  player.src = url;
  const context = new AudioContext();
  context.createMediaElementSource(player).connect(context.destination);
  const ended = new Promise((resolve, reject) => {
    player.addEventListener('ended', resolve);
    player.addEventListener('error', () => reject(new Error(player.error.message)));
  });
  await player.play();
  await ended;
  return player.currentTime;
};`;

describeInBrowser('Chromium with a page of another origin', () => {
  const folder = useDataFolder();
  let page: Page | undefined;
  const thePage = () => page ?? assert.fail('no page');
  before(async () => {
    page = await (await sharedBrowser()).newPage();
  });
  after(() => page?.close());

  const served = (work: Parameters<typeof withAudioRoute>[1]) =>
    withAudioRoute(folder(), (route) =>
      serving(
        (_request, response) => response.end('<button>Play</button>'),
        async (origin) => {
          await thePage().goto(origin);
          await thePage().evaluate(PLAY);
          // Browsers play no sound before the first click.
          await thePage().getByRole('button').click();
          await work(route);
        },
      ),
    );

  it('plays complete audio to its end, and reads length and ranges', () =>
    served(async ({ publish }) => {
      const url = await publish(ONE, TWO);
      assert.ok(Math.abs(Number(await thePage().evaluate(`play('${url}')`)) - 2) < 0.05);
      const read = `fetch('${url}', { headers: { range: 'bytes=0-3' } }).then(async (reply) => [
        reply.status, reply.headers.get('content-range'), await reply.text(),
      ])`;
      assert.deepEqual(await thePage().evaluate(read), [206, `bytes 0-3/${wavOf(ONE, TWO).length}`, 'RIFF']);
    }));

  it('plays a text from its first piece to its last, while the rest is spoken', () =>
    served(async ({ publishFirst, requests }) => {
      const { url, add, end } = await publishFirst(ONE);
      const seconds = thePage().evaluate(`play('${url}')`);
      await until(() => requests.size > 0);
      add(TWO);
      await end();
      assert.ok(Math.abs(Number(await seconds) - 2) < 0.05, `${String(await seconds)} seconds`);
    }));
});
