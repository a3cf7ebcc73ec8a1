import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { tagsIn } from '../../speakers/base/xml.js';
import { sonos } from '../../speakers/sonos/sonos.js';
import { groupsIn } from '../../speakers/sonos/topology.js';
import { usedHeap } from '../support/heap.js';
import { serving } from '../support/net/serve.js';
import { withSonosHouse } from '../support/speakers/sonos-house.js';
import { reasonOf } from './reason.js';
import { withStage } from './stage.js';

const ASKED = 'http://192.168.7.20:1400/xml/device_description.xml';
const zone = (...locations: readonly string[]) =>
  `<ZoneGroupState><ZoneGroups><ZoneGroup Coordinator="A" ID="A:1">${locations
    .map((location, index) => `<ZoneGroupMember UUID="${index}" Location="${location}" ZoneName="x"/>`)
    .join('')}</ZoneGroup></ZoneGroups></ZoneGroupState>`;

describe('the groups that a player of Sonos names', () => {
  const locationsIn = (xml: string) =>
    groupsIn(xml, ASKED).flatMap(({ players }) => players.map(({ location }) => location));

  it('have only players of the same network, at the same port', () => {
    const good = ['http://192.168.7.20:1400/a.xml', 'http://192.168.9.1:1400/a.xml'];
    const bad = [
      'http://localhost:1400/a.xml',
      'http://127.0.0.1:1400/a.xml',
      'http://169.254.169.254:1400/latest/meta-data',
      'http://8.8.8.8:1400/a.xml',
      'http://192.168.7.21:1880/flows',
      'http://192.168.7.21/a.xml',
      'https://192.168.7.21:1400/a.xml',
      'http://192.168.7.21.example.com:1400/a.xml',
      'http://[::1]:1400/a.xml',
      'file:///etc/passwd',
      'javascript:1',
      '',
    ];
    assert.deepEqual(locationsIn(zone(...good, ...bad)), good);
  });

  it('are read with other attributes, in any order, and with escaped names', () => {
    const xml = `<ZoneGroup ID="A:1" Coordinator="A" x='1'><ZoneGroupMember ZoneName="K&amp;l &lt;b&gt;" Invisible="1" UUID="A" Location="${ASKED}"><Satellite UUID="S" Location="${ASKED}"/></ZoneGroupMember></ZoneGroup>`;
    assert.deepEqual(groupsIn(xml, ASKED), [
      { coordinator: 'A', players: [{ id: 'A', name: 'K&l <b>', location: ASKED, isVisible: false }] },
    ]);
  });

  it('have at most some players', () => {
    const players = locationsIn(zone(...Array.from({ length: 5000 }, () => ASKED)));
    assert.ok(players.length < 200, String(players.length));
  });

  it('are read in linear time', () => {
    const size = 250_000;
    const hostile = ['<ZoneGroup ', '<a a="', '<ZoneGroup a', 'a', '<a ="', '<ZoneGroup\t', '="'];
    const started = performance.now();
    for (const part of hostile) tagsIn(`<ZoneGroup ${part.repeat(size / part.length)}>`, ['ZoneGroup']);
    // Quadratic time would need minutes.
    assert.ok(performance.now() - started < 10_000);
  });
});

describe('a hostile device in place of a player of Sonos', () => {
  const endless = (text: string) => (response: ServerResponse) => {
    const fill = () => {
      while (!response.destroyed && response.write(text));
    };
    response.on('drain', fill);
    fill();
  };
  const entities = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};&e${n};">`).join(
    '',
  );
  const bomb = `<?xml version="1.0"?><!DOCTYPE root [<!ENTITY e0 "ha">${entities}]><root><device><UDN>&e30;</UDN><friendlyName>&e30;</friendlyName></device></root>`;
  const replies: [does: string, reply: (response: ServerResponse) => void][] = [
    ['never ends a description', endless('<service>'.repeat(1000))],
    ['never begins an answer', () => {}],
    ['sends an XML bomb', (response) => response.end(bomb)],
    [
      'sends a length of 4 GB',
      (response) => response.writeHead(200, { 'Content-Length': 2 ** 32 }).write('<root>'),
    ],
    ['sends nothing', (response) => response.end()],
    ['is another renderer', (response) => response.end('<root><device><UDN>uuid:x</UDN></device></root>')],
  ];
  let reasons: ReadonlyMap<string, string>;
  let growth: number;
  // All devices attack at the same time, and share one limit of memory.
  before(() =>
    withStage(sonos, 1, async ({ play }) => {
      const heap = usedHeap();
      const meet = async (reply: (response: ServerResponse) => void): Promise<string> => {
        let reason = '';
        const server: RequestListener = (_request, response) => reply(response);
        await serving(server, async (base) => (reason = await reasonOf(play(new URL(base).host))));
        return reason;
      };
      reasons = new Map(
        await Promise.all(replies.map(async ([does, reply]) => [does, await meet(reply)] as const)),
      );
      growth = usedHeap() - heap;
    }),
  );

  for (const [does] of replies)
    it(`is unreachable within some seconds and megabytes if it ${does}`, () => {
      assert.equal(reasons.get(does), 'speaker-unreachable');
      assert.ok(growth < 20_000_000, `${growth} bytes`);
    });

  it('leads no request to another server by a redirect', () =>
    withStage(sonos, 1, ({ play }) => {
      let requests = 0;
      return serving(
        () => (requests += 1),
        (other) =>
          serving(
            (_request, response) => response.writeHead(302, { Location: `${other}/flows` }).end(),
            async (base) => {
              assert.equal(await reasonOf(play(new URL(base).host)), 'speaker-unreachable');
              assert.equal(requests, 0);
            },
          ),
      );
    }));

  it('leads no request to another server by its groups', () =>
    withStage(sonos, 1, ({ play }) => {
      let requests = 0;
      return serving(
        () => (requests += 1),
        (other) =>
          withSonosHouse(async ({ setTopology, players, address }) => {
            const [player] = players;
            const [own, foreign] = [
              `http://${address()}/xml/device_description.xml`,
              other.replace('127.0.0.1', 'localhost'),
            ];
            setTopology(
              `<ZoneGroup Coordinator="X" ID="1"><ZoneGroupMember UUID="${player?.id}" Location="${own}"/><ZoneGroupMember UUID="X" Location="${foreign}/x"/></ZoneGroup>`,
            );
            assert.equal(await reasonOf(play(address())), 'speaker-unreachable');
            assert.equal(requests, 0);
          }),
      );
    }));
});
