import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { announce, type Played } from '../../../speakers/announce/announce.js';
import { dlna } from '../../../speakers/dlna/dlna.js';
import { reasonOf, resultOf } from '../../speakers/reason.js';
import { noise, wavOf } from '../../players/publish.js';
import { type NetworkNamespace, networkNamespace } from '../../support/net/network-namespace.js';
import { serving } from '../../support/net/serve.js';
import { type MediaRenderer, withMediaRenderer } from '../../support/programs/media-renderer.js';
import { never, until } from '../../support/waiting.js';

const SECONDS = 6;
const MUSIC_SECONDS = 40;

/** Needs root, because it makes a network with a speaker. */
describe('a DLNA speaker with announcements', function () {
  this.timeout(90_000);
  let network: NetworkNamespace | undefined;
  const theNetwork = () => network ?? assert.fail('no network');
  before(() => {
    network = networkNamespace();
  });
  after(() => network?.close());

  interface Stage {
    renderer: MediaRenderer;
    /** The address of the music. */
    music: string;
    play(options?: { volume?: number; path?: string; signal?: AbortSignal }): Promise<Played>;
    ask(action: string, field: string): Promise<string>;
  }

  const withSpeaker = (work: (stage: Stage) => Promise<void>) => {
    const files = { '/sound.wav': wavOf(noise(SECONDS)), '/music.wav': wavOf(noise(MUSIC_SECONDS)) };
    const fetched = new Set<string>();
    const server: RequestListener = (request, response) => {
      const [name = ''] = (request.url ?? '').split('?');
      fetched.add(name);
      const file = new Map<string, Buffer>(Object.entries(files)).get(name);
      if (file === undefined) return void response.writeHead(404).end();
      const [, from] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from ?? 0);
      const headers = {
        'Content-Type': 'audio/wav',
        'Accept-Ranges': 'bytes',
        'Content-Length': file.length - start,
      };
      if (from === undefined) response.writeHead(200, headers);
      else
        response.writeHead(206, {
          ...headers,
          'Content-Range': `bytes ${start}-${file.length - 1}/${file.length}`,
        });
      response.end(file.subarray(start));
    };
    return serving(
      server,
      (base) =>
        withMediaRenderer(
          theNetwork(),
          (renderer) => {
            const play: Stage['play'] = ({ volume, path = 'sound.wav', signal = never } = {}) => {
              const sound = {
                duration: SECONDS,
                url: `${base}/${path}`,
                pcm: async () => ({ data: new Uint8Array(), sampleRate: 8000, channels: 1 }),
                isFetched: () => fetched.has(`/${path}`),
              };
              const journal = { begin: async () => {}, end: async () => {} };
              const settings = { volume, together: async () => {} };
              return announce(dlna, { address: renderer.location }, { sound, settings, journal }, signal);
            };
            // The renderer closes some connections if two programs ask at once.
            const ask = (action: string, field: string) => renderer.ask(action, field).catch(() => '');
            return work({ renderer, music: `${base}/music.wav`, play, ask });
          },
          'Test renderer',
          { inRealTime: true },
        ),
      theNetwork().host,
    );
  };

  it('is found by its name, plays to the end, and its state proves it', () =>
    withSpeaker(async ({ play }) => {
      const search = new AbortController();
      for await (const found of dlna.find(search.signal)) {
        if (found.name !== 'Test renderer') continue;
        assert.match(found.id ?? '', /^uuid:/);
        search.abort();
      }
      const { start = 0, end, proof } = await play();
      assert.equal(proof, 'state');
      assert.ok(end - start > 4500 && end - start < 8000, `${end - start} ms`);
    }));

  it('plays its music on from the former position, with its volume', () =>
    withSpeaker(async ({ renderer, music, play, ask }) => {
      await renderer.start(music);
      await until(async () => (await ask('GetPositionInfo', 'RelTime')) >= '0:00:02');
      await play({ volume: 20 });
      assert.equal(await ask('GetMediaInfo', 'CurrentURI'), music);
      assert.equal(await ask('GetTransportInfo', 'CurrentTransportState'), 'PLAYING');
      const position = await ask('GetPositionInfo', 'RelTime');
      assert.ok(position >= '0:00:01' && position <= '0:00:08', position);
    }));

  it('reports that a user stops the announcement, or plays something else', () =>
    withSpeaker(async ({ renderer, music, play, ask }) => {
      const hasStarted = () => until(async () => (await ask('GetPositionInfo', 'RelTime')) >= '0:00:01');
      const stopped = play();
      await hasStarted();
      await renderer.act('Stop');
      assert.equal(await reasonOf(stopped), 'speaker-stopped');
      const skipped = play();
      await until(async () => (await ask('GetMediaInfo', 'CurrentURI')).endsWith('sound.wav'));
      await hasStarted();
      await renderer.start(music);
      assert.equal(await reasonOf(skipped), 'speaker-skipped');
    }));

  it('reports a file that it cannot play, although it says that it plays', () =>
    withSpeaker(async ({ play }) => {
      assert.match(await reasonOf(play({ path: 'none.wav' })), /^speaker-/);
    }));

  const rendering = (renderer: MediaRenderer, action: string, field: string) => {
    const type = 'urn:schemas-upnp-org:service:RenderingControl:1';
    const body = `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:${action} xmlns:u="${type}"><InstanceID>0</InstanceID><Channel>Master</Channel>${field}</u:${action}></s:Body></s:Envelope>`;
    const headers = { 'content-type': 'text/xml', soapaction: `"${type}#${action}"`, connection: 'close' };
    return fetch(new URL('/upnp/control/rendercontrol1', renderer.location), {
      method: 'POST',
      headers,
      body,
    });
  };
  const others: [did: string, act: (renderer: MediaRenderer) => Promise<unknown>, result: string][] = [
    ['pauses', (renderer) => renderer.act('Pause'), 'speaker-paused'],
    [
      'mutes',
      (renderer) => rendering(renderer, 'SetMute', '<DesiredMute>1</DesiredMute>'),
      'state, speaker-silent',
    ],
    [
      'sets volume 0',
      (renderer) => rendering(renderer, 'SetVolume', '<DesiredVolume>0</DesiredVolume>'),
      'state, speaker-silent',
    ],
    [
      'sets the volume',
      (renderer) => rendering(renderer, 'SetVolume', '<DesiredVolume>40</DesiredVolume>'),
      'state',
    ],
  ];
  for (const [did, act, result] of others)
    it(`says ${result} if another program ${did}`, () =>
      withSpeaker(async ({ renderer, play, ask }) => {
        const playing = resultOf(play());
        await until(async () => (await ask('GetPositionInfo', 'RelTime')) >= '0:00:01');
        await act(renderer);
        assert.equal(await playing, result);
      }));
});
