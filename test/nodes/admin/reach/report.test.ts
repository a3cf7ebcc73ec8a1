import assert from 'node:assert/strict';
import { listAddresses } from '../../../../nodes/admin/reach/report.js';
import { RequestLog } from '../../../../nodes/admin/reach/request-log.js';
import type { NetworkAddress } from '../../../../nodes/output/urls/addresses.js';

const addressOf = (address: string, kind: NetworkAddress['kind']): NetworkAddress => ({
  address,
  family: address.includes(':') ? 'IPv6' : 'IPv4',
  interface: 'eth0',
  network: `${address}/24`,
  kind,
});
const addresses = [
  addressOf('192.168.1.7', 'lan'),
  addressOf('fd00::2', 'lan'),
  addressOf('100.64.0.1', 'vpn'),
  addressOf('172.17.0.1', 'container'),
  addressOf('169.254.3.4', 'link-local'),
  addressOf('127.0.0.1', 'loopback'),
];
const list = (used: string, found: string, server: string) =>
  listAddresses(used, found, server, addresses).map(({ url, isUsed }) => [url, isUsed]);

describe('the list of addresses', () => {
  it('offers base URLs with the port and the path of the found one, for networks that devices reach', () => {
    assert.deepEqual(list('http://192.168.1.7:1880/red', 'http://192.168.1.7:1880/red', '0.0.0.0'), [
      ['http://192.168.1.7:1880/red', true],
      ['http://[fd00::2]:1880/red', false],
      ['http://100.64.0.1:1880/red', false],
      [undefined, false],
      [undefined, false],
      [undefined, false],
    ]);
  });

  it('offers only the address of the server, if it listens at one address', () => {
    const urls = list('http://speaker.example', 'http://100.64.0.1:8080', '100.64.0.1').map(([url]) => url);
    assert.deepEqual(
      urls.filter((url) => url !== undefined),
      ['http://100.64.0.1:8080'],
    );
  });

  it('marks the address in use, also of IPv6 and of the loopback', () => {
    for (const [used, index] of [
      ['http://[fd00::2]:1880', 1],
      ['http://127.0.0.1:1880', 5],
    ] as const)
      assert.equal(
        list(used, used, '').findIndex(([, isUsed]) => isUsed),
        index,
      );
  });
});

describe('the log of requests', () => {
  const options = { maxRequests: 2, wait: 20, collect: 1 };

  it('replies after its waiting time without a change', async () => {
    const log = new RequestLog(() => true, options);
    assert.deepEqual(await log.since(new Set(['a']), 0, new AbortController().signal), {
      version: 0,
      requests: [],
    });
  });

  it('ends with the signal of the caller', () => {
    const stop = new AbortController();
    const waiting = new RequestLog(() => true, { ...options, wait: 60_000 }).since(new Set(), 0, stop.signal);
    stop.abort(new Error('the dialog is closed'));
    return assert.rejects(waiting, /the dialog is closed/);
  });
});
