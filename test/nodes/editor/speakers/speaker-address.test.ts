import assert from 'node:assert/strict';
import { kindNames, kindOf, type KindName, SpeakerFault } from '@herald-speech/speakers';

import { addressFault } from '../../../../nodes/editor/speakers/speaker-address.js';
import { freePort } from '../../../support/net/free-port.js';
import { never } from '../../../support/waiting.js';

const FAR = ['192.168.1.7', 'player.local', 'player', 'my_player', '127.0.0.1:9', 'player.local:6601'];
const WEB = [...FAR, '[fe80::1]', '[fe80::1]:80', 'player:8080/base'];
const SOCKETS = [...FAR, '[fe80::1]', '[fe80::1]:6600', 'fe80::a', 'fe80::1%eth0', '[fe80::1%eth0]:6600'];
const URLS = ['http://10.0.0.5:1400/d.xml', 'http://x/y', 'http://[::1]:1400/a.xml', 'http://player.local'];

const right: Record<KindName, readonly string[]> = {
  cast: SOCKETS,
  mpd: SOCKETS,
  snapcast: [...SOCKETS, '10.0.0.7:1705/4dcc4e3b', '10.0.0.7/4d', '[fe80::1]:1705/4d', '::1:1705/4d'],
  mopidy: WEB,
  dlna: [...FAR, ...URLS, 'player/base', 'me:secret@player:9'],
  sonos: [...WEB, ...URLS],
  'home-assistant': [
    'http://homeassistant.local:8123/media_player.kitchen',
    'https://ha.example.com/base//media_player.hall_2',
    'supervisor/media_player.kitchen',
    'http://supervisor/core/media_player.hall',
  ],
  computer: ['', 'hw:0', 'alsa_output.pci-0000_00_1f.3.analog-stereo', 'bath'],
};

/** Paths without a port before them, and a query. */
const PATHS = ['player/base', 'player/', '[fe80::1]/base', 'player?a'];

const wrong: Record<KindName, readonly string[]> = {
  cast: ['http://', 'http://player', 'a b', ':1', '::1', 'player:0', 'player:65536', 'user@player', 'a/b'],
  mpd: ['http://', 'http://player', 'a b', ':1', '::1', 'player:0', 'player:65536', 'user@player', 'a/b'],
  snapcast: ['http://', 'http://player', 'tcp://player:1705', 'a b/4d', ':1', ':1705/4d', '/4d'],
  mopidy: [
    'http://',
    'http://player:6680',
    'a b',
    ':1',
    'player:',
    '[::1]:',
    'player:65536',
    'fe80::1',
    'me:secret@player',
    ...PATHS,
  ],
  dlna: ['http://', 'https://player', 'HTTP://player', 'a b', ':1', 'fe80::1', 'http://a b/d.xml', '[::1]:9'],
  sonos: [
    'http://',
    'https://player',
    'a b',
    ':1',
    'player:',
    'fe80::1',
    'http://me:secret@player/d.xml',
    ...PATHS,
  ],
  'home-assistant': [
    'homeassistant.local',
    'http://',
    'http://homeassistant.local:8123',
    'homeassistant.local:8123/media_player.kitchen',
    'http://homeassistant.local:8123/light.kitchen',
    'http://a b/media_player.kitchen',
    'http://me:secret@ha/media_player.kitchen',
  ],
  computer: ['bath room'],
};

/** Returns the problem of a connection of the runtime. */
const problemOf = (kind: KindName, address: string) =>
  kindOf(kind)
    .connect({ address, secret: 'secret' }, never)
    .then(
      () => undefined,
      (error: unknown) =>
        error instanceof SpeakerFault ? (error.values.problem ?? error.reason) : String(error),
    );

describe('the check of the address of a speaker', () => {
  for (const kind of kindNames) {
    it(`accepts each address of the type ${kind}, and an environment variable`, () => {
      for (const address of [...right[kind], ' ${ADDRESS} '])
        assert.equal(addressFault(kind, address), undefined, address);
    });

    it(`refuses an address that is none of the type ${kind}`, () => {
      for (const address of wrong[kind]) assert.notEqual(addressFault(kind, address), undefined, address);
    });
  }

  it('names the rule of a port that no computer has, for each type', () => {
    const addresses: Partial<Record<KindName, string>> = {
      snapcast: 'player:65536/4d',
      dlna: 'http://player:65536/d.xml',
      'home-assistant': 'http://player:65536/media_player.hall',
    };
    for (const kind of kindNames.filter((name) => name !== 'computer'))
      assert.equal(addressFault(kind, addresses[kind] ?? 'player:65536'), 'address.port', kind);
    assert.equal(addressFault('mpd', '[::1]:0'), 'address.port');
    assert.equal(addressFault('mpd', 'a b:1'), 'address.wrong');
  });

  it('accepts any address of a type that this version does not know', () =>
    assert.equal(addressFault('later', 'a b'), undefined));

  it('accepts an IPv6 address that the runtime asks at the port of the type', async () => {
    const asked: [KindName, number][] = [
      ['mopidy', 6680],
      ['sonos', 1400],
    ];
    for (const [kind, port] of asked) {
      assert.match((await problemOf(kind, '[::1]')) ?? '', new RegExp(`::1:${port}`));
      assert.equal(addressFault(kind, '[::1]'), undefined, kind);
    }
  });

  it('refuses no address at which the runtime asks for a connection', async () => {
    const port = await freePort();
    const at = `127.0.0.1:${port}`;
    const asked: [KindName, string][] = [
      ...(['cast', 'mpd', 'snapcast', 'mopidy', 'sonos'] as const).map((kind): [KindName, string] => [
        kind,
        at,
      ]),
      ['snapcast', `${at}/4d`],
      ['sonos', `http://${at}/d.xml`],
      ['dlna', `http://${at}/d.xml`],
    ];
    for (const [kind, address] of asked) {
      assert.match((await problemOf(kind, address)) ?? '', /ECONNREFUSED/, `${kind} ${address}`);
      assert.equal(addressFault(kind, address), undefined, address);
    }
  });
});
