import assert from 'node:assert/strict';
import { SpeakerFault } from '../../speakers/fault.js';
import { actionsOf } from '../../speakers/upnp/control.js';
import { describeRenderer, rendererIn } from '../../speakers/upnp/description.js';
import { locationIn } from '../../speakers/upnp/search.js';
import { withServer } from '../support/net/scripted-server.js';
import { never } from '../support/waiting.js';

const LOCATION = 'http://10.0.0.5:1400/xml/device_description.xml';
const NETWORK = { address: '10.0.0.1', includes: (other: string) => other.startsWith('10.0.0.') };
const SERVICE = 'urn:schemas-upnp-org:service:AVTransport:1';
const reply = (location: string) =>
  `HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1\r\nLOCATION: ${location}\r\n\r\n`;
const description = (control: string, more = '') => `<?xml version="1.0"?><root>${more}<device>
  <friendlyName>Living &amp; dining &lt;1&gt;</friendlyName><UDN>uuid:1</UDN>
  <serviceList><service><serviceType>urn:other</serviceType><controlURL>/other</controlURL></service></serviceList>
  <deviceList><device><serviceList><service><serviceType>${SERVICE}</serviceType><controlURL>${control}</controlURL></service>
  </serviceList></device></deviceList></device></root>`;

describe('search for UPnP speakers', () => {
  it('accepts the description at the address that replied', () => {
    assert.equal(locationIn(reply(LOCATION), '10.0.0.5', NETWORK), LOCATION);
  });

  const refused: [string, string][] = [
    ['a description at another host', reply('http://10.0.0.6/description.xml')],
    ['a description at a host name', reply('http://speaker.example/description.xml')],
    ['a scheme other than http', reply('file:///etc/passwd')],
    ['a reply without a location', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['an announcement', `NOTIFY * HTTP/1.1\r\nLOCATION: ${LOCATION}\r\n\r\n`],
    ['bytes without a meaning', '\u0000\u0001'],
  ];
  for (const [what, text] of refused)
    it(`ignores ${what}`, () => assert.equal(locationIn(text, '10.0.0.5', NETWORK), undefined));

  for (const from of ['10.0.1.5', '169.254.169.254', '127.0.0.1', '::1', ''])
    it(`ignores a reply with the forged sender "${from}" outside of the network`, () =>
      assert.equal(locationIn(reply(`http://${from}/description.xml`), from, NETWORK), undefined));

  it('reads the name, the identity and the control URL of a nested renderer', () => {
    const found = rendererIn(description('/MediaRenderer/AVTransport/Control'), LOCATION);
    assert.equal(found?.name, 'Living & dining <1>');
    assert.equal(found.udn, 'uuid:1');
    assert.deepEqual(found.transport, {
      control: 'http://10.0.0.5:1400/MediaRenderer/AVTransport/Control',
      type: SERVICE,
    });
  });

  it('ignores a device with a control URL of another host, and a device that plays nothing', () => {
    assert.equal(rendererIn(description('http://10.0.0.6/control'), LOCATION), undefined);
    assert.equal(rendererIn(description('/c', '<URLBase>http://10.0.0.6/</URLBase>'), LOCATION), undefined);
    assert.equal(rendererIn('<root><device></device></root>', LOCATION), undefined);
    assert.equal(rendererIn('<service>'.repeat(20_000), LOCATION), undefined);
  });

  it('ignores a device whose description is missing, redirected or larger than 256 kB', async () => {
    for (const answer of [
      { status: 404, body: {} },
      { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      { body: Buffer.alloc(300_000, 'a') },
    ])
      await withServer(
        () => answer,
        ({ url }) => assert.rejects(describeRenderer(`${url}/d.xml`, never), unreachable),
      );
  });
});

describe('an action of a UPnP speaker', () => {
  const actionsAt = (url: string) => actionsOf({ control: `${url}/control`, type: SERVICE }, () => never);

  it('has escaped values', () =>
    withServer(
      () => ({ body: {} }),
      async ({ url, requests }) => {
        await actionsAt(url)('SetAVTransportURI', { CurrentURI: 'http://10.0.0.1/a.mp3?b=1&c=<2>' });
        assert.equal(requests[0]?.headers['soapaction'], `"${SERVICE}#SetAVTransportURI"`);
        const body = String(requests[0]?.body);
        assert.match(body, /<CurrentURI>http:\/\/10\.0\.0\.1\/a\.mp3\?b=1&#38;c=&#60;2&#62;<\/CurrentURI>/);
      },
    ));

  it('names the reason of a speaker that refuses', () =>
    withServer(
      () => ({
        status: 500,
        body: Buffer.from(
          '<UPnPError><errorCode>714</errorCode><errorDescription>Illegal MIME-type</errorDescription></UPnPError>',
        ),
      }),
      ({ url }) =>
        assert.rejects(
          actionsAt(url)('Play'),
          (error) =>
            error instanceof SpeakerFault &&
            error.reason === 'speaker-refused' &&
            error.values.problem === 'Illegal MIME-type 714',
        ),
    ));

  it('says that a speaker does not answer', () =>
    assert.rejects(actionsAt('http://127.0.0.1:9')('Play'), unreachable));
});

const unreachable = (error: unknown): boolean =>
  error instanceof SpeakerFault && error.reason === 'speaker-unreachable';
