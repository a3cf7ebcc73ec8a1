import assert from 'node:assert/strict';
import process from 'node:process';
import { createClient } from '../../../client/index.js';
import { type FoundService, servicesIn, wyomingServers } from '../../../client/zeroconf/index.js';
import { leavingNothing } from '../../support/leftovers.js';
import { announcing } from '../../support/net/announced-wyoming.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { until } from '../../support/waiting.js';

describeWith(['node'], 'the Wyoming servers of the network', () => {
  it('are found with their names and addresses that a client accepts, each once', async () => {
    const name = `Piper ${process.pid}`;
    const end = new AbortController();
    const found: FoundService[] = [];
    const finding = (async () => {
      for await (const one of wyomingServers(end.signal)) if (one.name.startsWith(name)) found.push(one);
    })();
    await announcing([32_201, 32_202], name, async () => {
      await until(() => found.length === 2);
      end.abort();
      await finding;
    });
    const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(
      sorted.map((one) => one.name),
      [`${name} 32201`, `${name} 32202`],
    );
    for (const [place, { address }] of sorted.entries()) {
      assert.match(address, new RegExp(`^[\\d.]+:3220${place + 1}$`));
      const client = createClient({ url: address, apiKey: '', upstream: { kind: 'wyoming' } });
      await client.close();
    }
  });

  it('are searched until the caller stops, and nothing stays open', () =>
    leavingNothing(async () => {
      const end = new AbortController();
      const search = wyomingServers(end.signal);
      const next = search.next();
      end.abort();
      await next;
      await search.return(undefined);
      const stopped = wyomingServers(AbortSignal.abort());
      assert.equal((await stopped.next()).done, true);
    }));
});

describe('an answer to a search', () => {
  it('has a name without control characters, of at most 80 characters', () => {
    const service = '_wyoming._tcp.local';
    const instance = `\u202e${'x'.repeat(200)}\u0007.${service}`;
    const answers = [
      { type: 'PTR', name: service, data: instance },
      { type: 'SRV', name: instance, data: { target: 'host.local', port: 10_200 } },
      { type: 'A', name: 'host.local', data: '127.0.0.1' },
    ];
    assert.deepEqual(servicesIn({ answers }, '127.0.0.1', service), [
      { name: 'x'.repeat(80), address: '127.0.0.1:10200' },
    ]);
  });
});
