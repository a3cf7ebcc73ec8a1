import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Caller, isFromThisMachine } from '../../../service/console/loopback.js';

const caller = (headers: Caller['headers'] = {}, remoteAddress = '127.0.0.1', localPort = 7800): Caller => ({
  headers: { host: `127.0.0.1:${localPort}`, ...headers },
  socket: { remoteAddress, localPort },
});

describe('a request', () => {
  describe('is from this machine', () => {
    const own: Array<[string, Caller]> = [
      ['over IPv4', caller()],
      ['over IPv6', caller({ host: '[::1]:7800' }, '::1')],
      ['over IPv4 on a socket for both', caller({ host: 'localhost:7800' }, '::ffff:127.0.0.1')],
      ['to the port that names need not tell', caller({ host: 'localhost' }, '127.0.0.1', 80)],
      [
        'when its page is the service',
        caller({ origin: 'http://127.0.0.1:7800', 'sec-fetch-site': 'same-origin' }),
      ],
      ['when its address was typed', caller({ 'sec-fetch-site': 'none' })],
    ];
    for (const [how, request] of own) it(how, () => assert.equal(isFromThisMachine(request), true));
  });

  describe('is not from this machine', () => {
    const foreign: Array<[string, Caller]> = [
      ['when it comes over the network', caller({}, '192.168.1.20')],
      ['when it comes over the network, from an address much like ours', caller({}, '::ffff:128.0.0.1')],
      ['when nobody knows its address', { ...caller(), socket: { localPort: 7800 } }],
      ['when its host is a foreign name that points here', caller({ host: 'evil.example:7800' })],
      ['when its host begins like ours', caller({ host: '127.0.0.1.evil.example:7800' })],
      ['when its host has another port', caller({ host: '127.0.0.1:80' })],
      ['when its host is missing', caller({ host: undefined })],
      ['when its page is of another site', caller({ 'sec-fetch-site': 'cross-site' })],
      ['when its page is of another port', caller({ 'sec-fetch-site': 'same-site' })],
      ['when its page has another origin', caller({ origin: 'http://localhost:1880' })],
      ['when its page has no origin', caller({ origin: 'null' })],
      ['when its page has another scheme', caller({ origin: 'https://127.0.0.1:7800' })],
      ['when a proxy passes it on', caller({ 'x-forwarded-for': '203.0.113.9' })],
      ['when a proxy says so by the standard', caller({ forwarded: 'for=203.0.113.9' })],
    ];
    for (const [how, request] of foreign) it(how, () => assert.equal(isFromThisMachine(request), false));
  });

  it('is from this machine under three names, and no other', () => {
    const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.webAuthority(), fc.string());
    fc.assert(
      fc.property(hosts, (host) => {
        fc.pre(!['127.0.0.1:7800', 'localhost:7800', '[::1]:7800'].includes(host));
        assert.equal(isFromThisMachine(caller({ host })), false);
      }),
    );
  });
});
