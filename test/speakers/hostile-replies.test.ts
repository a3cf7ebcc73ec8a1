import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { servicesIn } from '../../client/zeroconf/index.js';
import { concurrently } from '../../speakers/base/concurrently.js';
import { rendererIn } from '../../speakers/upnp/description.js';
import { locationIn } from '../../speakers/upnp/search.js';
import { SpeakerFault } from '../../speakers/fault.js';
import { kindOf } from '../../speakers/kinds.js';
import { statusIn } from '../../speakers/snapcast/status.js';

describe('a hostile device that a search finds', () => {
  it('cannot name another host as the place of its controls', () => {
    const description = (url: string) =>
      `<root><friendlyName>x</friendlyName><service><serviceType>urn:schemas-upnp-org:service:AVTransport:1</serviceType><controlURL>${url}</controlURL></service></root>`;
    const location = 'http://192.0.2.7:80/description.xml';
    for (const url of [
      'http://127.0.0.1/a',
      'http://192.0.2.8/a',
      '//192.0.2.8/a',
      'https://192.0.2.7/a',
      'file:///etc/passwd',
    ])
      assert.equal(rendererIn(description(url), location), undefined, url);
    assert.equal(rendererIn(description('/a'), location)?.transport.control, 'http://192.0.2.7/a');
    const network = { address: '192.0.2.1', includes: () => true };
    const reply = (url: string) => `HTTP/1.1 200 OK\r\nLOCATION: ${url}\r\n\r\n`;
    for (const url of [
      'http://127.0.0.1/',
      'http://192.0.2.8/',
      'http://192.0.2.7.example.org/',
      'https://192.0.2.7/',
    ])
      assert.equal(locationIn(reply(url), '192.0.2.7', network), undefined, url);
  });

  it('cannot answer a search for another host, nor make one more expensive with its records', () => {
    const service = '_mpd._tcp.local';
    const answer = (address: string, name = 'Kitchen') => ({
      answers: [
        { type: 'PTR', name: service, data: `${name}.${service}` },
        { type: 'SRV', name: `${name}.${service}`, data: { target: 'host.local', port: 6600 } },
        { type: 'A', name: 'host.local', data: address },
      ],
      additionals: [],
    });
    assert.deepEqual(servicesIn(answer('127.0.0.1'), '127.0.0.1', service), [
      { name: 'Kitchen', address: '127.0.0.1:6600' },
    ]);
    assert.deepEqual(servicesIn(answer('127.0.0.2'), '127.0.0.1', service), []);
    assert.deepEqual(servicesIn(answer('198.51.100.1'), '198.51.100.1', service), []);
    const { answers } = answer('127.0.0.1');
    const many = Array.from({ length: 5000 }, () => answers).flat();
    assert.deepEqual(servicesIn({ answers: many }, '127.0.0.1', service), []);
    for (const odd of [null, 7, { answers: 7 }, { answers: [null, { type: 'PTR', name: service, data: 7 }] }])
      assert.deepEqual(servicesIn(odd, '127.0.0.1', service), []);
  });

  it('has a name without control characters and marks of the direction, of at most 80 characters', () => {
    const name = `\u202E<b>Ki\0tchen\u001B[31m\r\n</b>${'\u{1F600}'.repeat(100)}`;
    const xml = `<friendlyName>${name}</friendlyName><service><serviceType>urn:schemas-upnp-org:service:AVTransport:1</serviceType><controlURL>/a</controlURL></service>`;
    const [group] = statusIn({ server: { groups: [{ name }] } }).groups;
    for (const shown of [rendererIn(xml, 'http://192.0.2.7/')?.name, group?.name]) {
      assert.match(shown ?? '', /^<b>Ki tchen \[31m <\/b>/);
      assert.equal(Array.from(shown ?? '').length, 80);
    }
    const fault = new SpeakerFault('speaker-refused', { problem: `a\u0007b\u2028c${'x'.repeat(1000)}` });
    assert.match(fault.values.problem ?? '', /^a b cx+$/);
    assert.equal(fault.values.problem?.length, 200);
  });

  it('cannot demand samples of any size', () => {
    const streams = [
      '1:16:2',
      '4000000000:16:2',
      '48000:16:100000',
      '48000:16:-2',
      'NaN:16:2',
      '48000:16:Infinity',
    ].map((format) => ({ uri: { raw: `tcp://0.0.0.0:4953/?sampleformat=${format}` } }));
    assert.deepEqual(statusIn({ server: { streams } }).streams, []);
  });

  it('keeps no other one back that answers a search', async () => {
    const stop = new AbortController();
    const devices = async function* () {
      yield* ['hangs', 'fails', 'answers'];
    };
    const work = async (device: string, signal: AbortSignal) => {
      if (device === 'fails') throw new Error('a failure');
      if (device === 'hangs') await sleep(60_000, undefined, { signal });
      return [device];
    };
    const found = [];
    for await (const device of concurrently(devices, work, stop.signal)) {
      found.push(device);
      stop.abort();
    }
    assert.deepEqual(found, ['answers']);
  });

  it('ends no search with thousands of answers, and the search ends when it is stopped', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, resolve));
    const stop = new AbortController();
    const found: string[] = [];
    const searching = (async () => {
      for await (const { address } of kindOf('mpd').find(stop.signal)) found.push(address);
    })();
    const packet: { encode(packet: object): Buffer } = require('dns-packet');
    for (let index = 0; index < 5000; index += 1) {
      const name = `Player ${index}._mpd._tcp.local`;
      const answers = [
        { type: 'PTR', name: '_mpd._tcp.local', ttl: 120, data: name },
        { type: 'SRV', name, ttl: 120, data: { target: 'host.local', port: 1 + index } },
        { type: 'A', name: 'host.local', ttl: 120, data: '127.0.0.1' },
      ];
      socket.send(
        index % 2 === 0 ? packet.encode({ type: 'response', answers }) : Buffer.alloc(9000, index),
        5353,
        '127.0.0.1',
      );
      if (index % 100 === 0) await sleep(1);
    }
    stop.abort();
    await searching;
    assert.ok(found.length <= 64, `${found.length} speakers`);
    socket.close();
  });
});
