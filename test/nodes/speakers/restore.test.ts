import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type FlowNode, startNodeRed } from '../../support/node-red/node-red.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { type Mpd, SONGS, withMpd } from '../../support/programs/mpd.js';
import { until } from '../../support/waiting.js';

const flowsOf = (mpd: Mpd): FlowNode[] => [
  { id: 'tab', type: 'tab', label: 'Speech' },
  {
    id: 'one-speaker',
    type: 'herald-speaker',
    name: 'kitchen',
    kind: 'mpd',
    address: mpd.address,
  },
  {
    id: 'say',
    type: 'inject',
    z: 'tab',
    x: 1,
    y: 1,
    props: [{ p: 'payload' }],
    payload:
      'This announcement is rather long, because the test kills its program in the middle of a sentence.',
    payloadType: 'str',
    wires: [['speech']],
  },
  {
    id: 'speech',
    type: 'herald-text-to-speech',
    z: 'tab',
    x: 1,
    y: 1,
    output: 'speaker',
    volume: '30',
    volumeType: 'num',
    silence_after: '20',
    silence_afterType: 'num',
    wires: [],
  },
];

const statusOf = async (mpd: Mpd): Promise<Record<string, string>> =>
  Object.fromEntries((await mpd.run('status')).map((line) => line.split(': ')));
const urls = async (mpd: Mpd) =>
  (await mpd.run('playlistinfo')).filter((line) => line.includes('/herald/audio/'));

describeWith(['mpd'], 'a speaker whose Node-RED is killed during an announcement', () => {
  it('gets its music, position and volume back at the next start, from a journal without credentials', () =>
    withMpd(async (mpd) => {
      const data = await mkdtemp(path.join(os.tmpdir(), 'herald-journal-'));
      const folder = path.join(data, 'speakers');
      const notes = () => readdir(folder).catch(() => []);
      const script = `require('fs').symlinkSync(${JSON.stringify(data)}, require('path').join(__dirname, 'herald'));`;
      for (const song of SONGS) await mpd.run(`add ${song}`);
      await mpd.run('setvol 60');
      await mpd.run('play 1');
      await mpd.run('seekcur 10');
      const first = await startNodeRed(flowsOf(mpd), { script });
      try {
        await first.inject('say');
        await until(async () => (await statusOf(mpd))['volume'] === '30' && (await urls(mpd)).length > 0);
        await first.kill();
      } finally {
        await first.stop();
      }
      const [note = ''] = await notes();
      const noted: object = JSON.parse(await readFile(path.join(folder, note), 'utf8'));
      assert.deepEqual(Object.keys(noted), ['speaker', 'kind', 'address', 'before', 'time']);
      assert.equal((await urls(mpd)).length, 1);
      const second = await startNodeRed(flowsOf(mpd), { script });
      try {
        await until(async () => (await notes()).length === 0, second.log);
        assert.deepEqual(await urls(mpd), []);
        const { state, song, volume, elapsed } = await statusOf(mpd);
        assert.deepEqual([state, song, volume], ['play', '1', '60']);
        assert.ok(Number(elapsed) >= 10, elapsed);
      } finally {
        await second.stop();
        await rm(data, { recursive: true, force: true });
      }
    }));
});
