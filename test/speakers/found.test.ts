import assert from 'node:assert/strict';
import process from 'node:process';
import { Bonjour } from 'bonjour-service';
import { cast, describedBy } from '../../speakers/cast/cast.js';
import { dlna } from '../../speakers/dlna/dlna.js';
import type { FoundSpeaker, Kind } from '../../speakers/kind.js';
import { sonos } from '../../speakers/sonos/sonos.js';
import { withSonosHouse } from '../support/speakers/sonos-house.js';
import { describeWith } from '../support/programs/describe-with.js';
import { answeringSearches } from '../support/speakers/ssdp.js';
import { until } from '../support/waiting.js';

describeWith(['node'], 'a player of Sonos in the network', () => {
  it('is found with its room, its identity and its model, once and not as a part of a stereo pair', () =>
    withSonosHouse(
      async ({ players, address }) => {
        const [kitchen, hall] = players;
        assert.ok(kitchen && hall);
        hall.isVisible = false;
        const end = new AbortController();
        const locations = [1, 0].map((index) => `http://${address(index)}/xml/device_description.xml`);
        const asked = new Set<string>();
        const found: FoundSpeaker[] = [];
        const isOurs = ({ address: at }: FoundSpeaker) => at.includes(address(0)) || at.includes(address(1));
        const findAll = async (kind: Kind) => {
          for await (const one of kind.find(end.signal)) if (isOurs(one)) found.push(one);
        };
        const search = async () => {
          const finding = [findAll(sonos), findAll(dlna)];
          try {
            await until(() => found.length > 0 && asked.has('ZonePlayer') && asked.has('MediaRenderer'));
            // A second search, which finds nothing new, has asked again.
            asked.clear();
            await until(() => asked.size === 2);
          } finally {
            end.abort();
            await Promise.all(finding);
          }
        };
        await answeringSearches(locations, search, (type) => asked.add(type));
        const { id } = kitchen;
        assert.deepEqual(found, [{ name: 'Kitchen', address: address(), id, model: 'Sonos One' }]);
      },
      ['Kitchen', 'Hall'],
    ));
});

describeWith(['node'], 'a Cast device in the network', () => {
  it('is found with its name, its identity and its port', async () => {
    const end = new AbortController();
    const finding = (async () => {
      for await (const found of cast.find(end.signal)) if (found.id === 'herald-test') return found;
      return undefined;
    })();
    // No other computer sees it.
    const options: object = { interface: '127.0.0.1' };
    const bonjour = new Bonjour(options);
    try {
      bonjour.publish({
        name: `Nest-Mini-${process.pid}`,
        type: 'googlecast',
        port: 32_187,
        txt: { id: 'herald-test', fn: 'Küche', md: 'Nest Mini' },
      });
      const found = await finding;
      assert.deepEqual([found?.name, found?.model], ['Küche', 'Nest Mini']);
      assert.match(found?.address ?? '', /^[\d.]+:32187$/);
    } finally {
      end.abort();
      await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
    }
  });
});

describe('the record of a Cast device', () => {
  it('has its name, its identity and its model', () => {
    const record = { id: '7b2d', fn: 'Küche <b>', md: 'Nest Mini', ve: '05' };
    assert.deepEqual(describedBy(record), { name: 'Küche <b>', id: '7b2d', model: 'Nest Mini' });
    for (const odd of [undefined, {}, { fn: 7, id: '', md: [] }]) assert.deepEqual(describedBy(odd), {});
    assert.equal(describedBy({ fn: 'x'.repeat(1000) }).name?.length, 80);
  });
});
