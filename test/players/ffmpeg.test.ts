import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWith } from '../support/programs/describe-with.js';
import { useDataFolder } from '../support/service/local-service.js';
import { noise, SECOND, withAudioRoute } from './publish.js';
import { until } from '../support/waiting.js';

const run = promisify(execFile);
const ONE = noise(1, 1);
const TWO = noise(1, 2);

/** Returns the samples that ffmpeg decodes from a URL. */
const decode = async (url: string): Promise<Buffer> => {
  const args = ['-v', 'error', '-i', url, '-f', 's16le', '-'];
  return (await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 60 * SECOND })).stdout;
};

/** Plays a URL with ffplay and a sound card without output, and returns the log. */
const play = async (url: string): Promise<string> => {
  const args = ['-nodisp', '-autoexit', '-vn', '-loglevel', 'info', '-stats', url];
  const env = { ...process.env, SDL_AUDIODRIVER: 'dummy', AV_LOG_FORCE_NOCOLOR: '1' };
  return (await run('ffplay', args, { env })).stderr;
};

/** Returns the seconds of the last position in the log of ffplay. */
const lastPosition = (log: string): number => {
  const positions = [...log.matchAll(/(\d+\.\d+) +M-A:/g)].map(([, seconds]) => Number(seconds));
  return positions.at(-1) ?? assert.fail(log);
};

describeWith(['ffmpeg', 'ffprobe', 'ffplay'], 'ffmpeg', () => {
  const folder = useDataFolder();
  const served = (work: Parameters<typeof withAudioRoute>[1]) => withAudioRoute(folder(), work);

  it('decodes each sample of complete audio', () =>
    served(async ({ publish }) => {
      assert.deepEqual(await decode(await publish(ONE, TWO)), Buffer.concat([ONE, TWO]));
    }));

  it('decodes each sample of a text that is still spoken when it connects, with one request', () =>
    served(async ({ publishFirst, requests }) => {
      const { url, add, end } = await publishFirst(ONE);
      const samples = decode(url);
      await until(() => requests.size > 0);
      add(TWO);
      await end();
      assert.deepEqual(await samples, Buffer.concat([ONE, TWO]));
      assert.equal(requests.size, 1);
    }));

  it('reads the exact duration before it plays', () =>
    served(async ({ publish }) => {
      const args = [
        '-v',
        'error',
        '-show_entries',
        'format=duration',
        '-of',
        'csv=p=0',
        await publish(ONE, TWO),
      ];
      assert.equal(Number((await run('ffprobe', args)).stdout), 2);
    }));

  it('plays audio to its end in ffplay, complete and while it is still spoken', () =>
    served(async ({ publish, publishFirst, requests }) => {
      const complete = play(await publish(ONE));
      const { url, add, end } = await publishFirst(ONE);
      const live = play(url);
      await until(() => [...requests.values()].some(({ name }) => url.endsWith(name)));
      add(TWO);
      await end();
      // At the end of the audio, ffplay leaves half a second or less in the buffer of the sound card.
      assert.ok(lastPosition(await complete) > 0.5, await complete);
      assert.ok(lastPosition(await live) > 1.5, await live);
    }));
});
