import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type RequestSource, isLoopbackRequest } from '../../../service/kit/loopback.js';

const caller = (
  headers: RequestSource['headers'] = {},
  remoteAddress = '127.0.0.1',
  localPort = 7800,
): RequestSource => ({
  headers: { host: `127.0.0.1:${localPort}`, ...headers },
  socket: { remoteAddress, localPort },
});

describe('the check for loopback requests', () => {
  const accepted: Array<[string, RequestSource]> = [
    ['IPv4', caller()],
    ['IPv6', caller({ host: '[::1]:7800' }, '::1')],
    ['IPv4 on a dual-stack socket', caller({ host: 'localhost:7800' }, '::ffff:127.0.0.1')],
    ['port 80 without a port in the Host header', caller({ host: 'localhost' }, '127.0.0.1', 80)],
    ['a page of the service', caller({ origin: 'http://127.0.0.1:7800', 'sec-fetch-site': 'same-origin' })],
    ['an address that the user typed', caller({ 'sec-fetch-site': 'none' })],
  ];
  for (const [how, request] of accepted)
    it(`accepts ${how}`, () => assert.equal(isLoopbackRequest(request), true));

  const rejected: Array<[string, RequestSource]> = [
    ['a network address', caller({}, '192.168.1.20')],
    ['a network address that resembles a loopback address', caller({}, '::ffff:128.0.0.1')],
    ['an unknown address', { ...caller(), socket: { localPort: 7800 } }],
    ['a foreign host name that resolves to a loopback address', caller({ host: 'evil.example:7800' })],
    [
      'a foreign host name that begins with a loopback address',
      caller({ host: '127.0.0.1.evil.example:7800' }),
    ],
    ['a Host header with another port', caller({ host: '127.0.0.1:80' })],
    ['a missing Host header', caller({ host: undefined })],
    ['a page of another site', caller({ 'sec-fetch-site': 'cross-site' })],
    ['a page of another port', caller({ 'sec-fetch-site': 'same-site' })],
    ['a page with another origin', caller({ origin: 'http://localhost:1880' })],
    ['a page without an origin', caller({ origin: 'null' })],
    ['a page with another scheme', caller({ origin: 'https://127.0.0.1:7800' })],
    ['a request with the header X-Forwarded-For of a proxy', caller({ 'x-forwarded-for': '203.0.113.9' })],
    ['a request with the header Forwarded of a proxy', caller({ forwarded: 'for=203.0.113.9' })],
  ];
  for (const [how, request] of rejected)
    it(`rejects ${how}`, () => assert.equal(isLoopbackRequest(request), false));

  it('rejects every Host header except three loopback names', () => {
    const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.webAuthority(), fc.string());
    fc.assert(
      fc.property(hosts, (host) => {
        fc.pre(!['127.0.0.1:7800', 'localhost:7800', '[::1]:7800'].includes(host));
        assert.equal(isLoopbackRequest(caller({ host })), false);
      }),
    );
  });
});
