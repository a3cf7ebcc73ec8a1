import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { dlna } from '../../speakers/dlna/dlna.js';
import { SpeakerFault } from '../../speakers/fault.js';
import { close } from '../support/net/fault-server.js';
import { reportLate } from '../support/speakers/late-reports.js';
import { type SonosHouse, withSonosHouse } from '../support/speakers/sonos-house.js';
import type { SonosPlayer } from '../support/speakers/sonos-player.js';
import { answeringSearches } from '../support/speakers/ssdp.js';
import { testsAtOnce } from '../support/at-once.js';
import { never, standStill, until } from '../support/waiting.js';
import { reasonOf } from './reason.js';
import { type PlayOptions, type Stage, withStage } from './stage.js';

const SECONDS = 3;
/** Milliseconds for which a renderer reports its former state. */
const LATE_MS = 900;
const MUSIC = 'x-rincon-mp3radio:station';

/** The real renderer of Debian plays in test/real/players/dlna.test.ts. */
describe('a DLNA renderer', () => {
  const itAtOnce = testsAtOnce();
  interface Scene {
    player: SonosPlayer;
    house: SonosHouse;
    stage: Stage;
    play(options?: PlayOptions): ReturnType<Stage['play']>;
  }
  const withRenderer = (work: (scene: Scene) => Promise<void>, seconds = SECONDS) =>
    withStage(dlna, seconds, (stage) =>
      withSonosHouse(
        async (house) => {
          const [player] = house.players;
          assert.ok(player);
          const location = `http://${house.address()}/xml/device_description.xml`;
          await work({ player, house, stage, play: (options) => stage.play(location, options) });
        },
        ['Kitchen'],
        { isPlain: true },
      ),
    );
  /** Plays other music for a long time, as another program does. */
  const playMusic = (player: SonosPlayer, uri = MUSIC) => {
    player.run('SetAVTransportURI', { CurrentURI: uri, CurrentURIMetaData: '<DIDL-Lite/>' });
    player.run('Play', {});
    player.run('Seek', { Unit: 'REL_TIME', Target: '0:01:30' });
  };
  const isHeard = (player: SonosPlayer, { sound }: Stage) =>
    player.uri === sound && player.state === 'PLAYING' && player.seconds > 1;

  itAtOnce('plays a sound to its end, and its music from the former position afterwards', () =>
    withRenderer(async ({ player, stage, play }) => {
      playMusic(player);
      assert.equal((await play({ volume: 20 })).proof, 'state');
      assert.deepEqual([player.uri, player.state, player.volume], [MUSIC, 'PLAYING', 40]);
      assert.ok(player.seconds >= 89, String(player.seconds));
      assert.deepEqual(stage.noted, []);
    }),
  );

  for (const [what, prepare] of [
    ['the music before and its time', playMusic],
    ['that it is stopped', () => undefined],
  ] as const)
    itAtOnce(`plays to the end although it still reports ${what} for a moment after the start`, () =>
      withRenderer(async ({ player, stage, play }) => {
        prepare(player);
        reportLate(player, LATE_MS);
        // A computer that is busy for seconds does not see the time grow.
        assert.match((await play()).proof, /^(state|accepted)$/);
        assert.equal(player.plays.get(stage.sound), 1);
      }),
    );

  itAtOnce('plays to its end although it ends between the answers to two questions', () =>
    withRenderer(async ({ player, play }) => {
      const run = player.run.bind(player);
      player.run = (action, values) => {
        const reply = run(action, values);
        if (action === 'GetTransportInfo' && player.state === 'PLAYING' && player.seconds > 2.2)
          player.stop();
        return reply;
      };
      assert.match((await play()).proof, /^(state|accepted)$/);
    }, 3),
  );

  itAtOnce('distinguishes a user who plays other music from a late report of the earlier music', () =>
    withRenderer(async ({ player, stage, play }) => {
      playMusic(player);
      reportLate(player, LATE_MS);
      const playing = play();
      await until(() => isHeard(player, stage));
      playMusic(player, 'x-rincon-mp3radio:another');
      assert.equal(await reasonOf(playing), 'speaker-skipped');
      assert.equal(player.uri, 'x-rincon-mp3radio:another');
    }),
  );

  itAtOnce('blames no user for the stop of a renderer that cannot play the file', () =>
    withRenderer(async ({ play }) => {
      assert.equal(await reasonOf(play({ path: 'text.wav' })), 'speaker-refused');
    }),
  );

  itAtOnce('stays silent if its announcement is stopped while it waits for other speakers', () =>
    withRenderer(async ({ player, play }) => {
      const [stop, ready] = [new AbortController(), deferred()];
      let plays = 0;
      const run = player.run.bind(player);
      player.run = (action, values) => {
        if (action === 'Play') plays += 1;
        return run(action, values);
      };
      const waiting = deferred();
      const together = () => {
        waiting.resolve();
        return ready.promise;
      };
      const playing = play({ signal: stop.signal, together });
      await waiting.promise;
      stop.abort(new Error('a stop'));
      await assert.rejects(playing, /a stop/);
      ready.resolve();
      // The next announcement has the first command to play.
      await play();
      assert.equal(plays, 1);
    }),
  );

  // The last ones, and not at once: they hold the process of all.
  for (const [moment, held] of [
    ['between two reports', 'GetTransportInfo'],
    ['before it reads a report', 'GetPositionInfo'],
  ] as const)
    it(`blames no user for the end of a sound that a busy computer could not see: it stands still ${moment}`, () =>
      withRenderer(async ({ player, play }) => {
        const run = player.run.bind(player);
        let isHeld = false;
        player.run = (action, values) => {
          const reply = run(action, values);
          if (action === held && player.state === 'PLAYING' && !isHeld) {
            isHeld = true;
            if (held === 'GetPositionInfo') standStill(2000);
            else setTimeout(() => standStill(2000), 50);
          }
          return reply;
        };
        assert.match((await play()).proof, /^(state|accepted)$/);
      }, 2));
});

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

const description = (control: string) =>
  `<root><device><friendlyName>TV</friendlyName><serviceList><service><serviceType>urn:schemas-upnp-org:service:AVTransport:1</serviceType><controlURL>${control}</controlURL></service></serviceList></device></root>`;

/** Runs `work` with a host that has a description at a path. */
async function withHost(
  { host, port, path }: { host: string; port: number; path: string },
  work: (port: number) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === path) response.end(description('/control'));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address();
  try {
    await work(typeof address === 'object' && address !== null ? address.port : port);
  } finally {
    await close(server);
  }
}

describe('the address of a DLNA renderer', () => {
  const connect = async (address: string) => (await dlna.connect({ address }, never)).close();

  for (const host of ['127.0.0.1', 'localhost'])
    it(`can be the host alone if the renderer answers a search: ${host}`, () =>
      withHost({ host: '127.0.0.1', port: 0, path: '/any/name.xml' }, (port) =>
        answeringSearches([`http://127.0.0.1:${port}/any/name.xml`], () => connect(host)),
      ));

  it('can be the host alone if the renderer answers no search, but has a usual port and path', () =>
    withHost({ host: '127.77.5.1', port: 49_152, path: '/description.xml' }, () => connect('127.77.5.1')));

  it('can be the host with the port of a renderer that answers no search', () =>
    withHost({ host: '127.77.5.2', port: 0, path: '/dmr' }, (port) => connect(`127.77.5.2:${port}`)));

  for (const address of ['127.77.5.3', 'no-such-host.invalid', 'a b', '127.77.5.3:99999'])
    it(`fails with the ways to find the renderer if nothing answers: ${address}`, () =>
      assert.rejects(connect(address), (error) => {
        assert.ok(error instanceof SpeakerFault);
        const { english } = error.textFor('TV');
        assert.match(english, /^TV: no DLNA renderer answers at .*found speakers.*URL of its description$/);
        return english.includes(address);
      }));
});
