import assert from 'node:assert/strict';
import { SpeechError } from '@herald-speech/client';
import { deviceName } from '../../../../nodes/admin/reach/device-name.js';
import { describeRenderer, rendererIn } from '../../../../nodes/admin/reach/upnp/description.js';
import { playUrl } from '../../../../nodes/admin/reach/upnp/play.js';
import { locationIn } from '../../../../nodes/admin/reach/upnp/search.js';
import { withServer } from '../../../support/net/scripted-server.js';
import { never } from '../../../support/waiting.js';

const LOCATION = 'http://10.0.0.5:1400/xml/device_description.xml';
const NETWORK = '10.0.0.0/24';
const SERVICE = 'urn:schemas-upnp-org:service:AVTransport:1';
const reply = (location: string) =>
  `HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1\r\nLOCATION: ${location}\r\n\r\n`;
const description = (control: string, more = '') => `<?xml version="1.0"?><root>${more}<device>
  <friendlyName>Living &amp; dining &lt;1&gt;</friendlyName>
  <serviceList><service><serviceType>urn:other</serviceType><controlURL>/other</controlURL></service></serviceList>
  <deviceList><device><serviceList><service><serviceType>${SERVICE}</serviceType><controlURL>${control}</controlURL></service>
  </serviceList></device></deviceList></device></root>`;
const rendererAt = (url: string) => ({
  name: 'Kitchen',
  address: '127.0.0.1',
  control: `${url}/control`,
  service: SERVICE,
});

describe('search for DLNA speakers', () => {
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

  it('reads the name and the control URL of a nested renderer', () => {
    assert.deepEqual(rendererIn(description('/MediaRenderer/AVTransport/Control'), LOCATION), {
      name: 'Living & dining <1>',
      address: '10.0.0.5',
      control: 'http://10.0.0.5:1400/MediaRenderer/AVTransport/Control',
      service: SERVICE,
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
        async ({ url }) => assert.equal(await describeRenderer(`${url}/d.xml`, never), undefined),
      );
  });
});

describe('play on a DLNA speaker', () => {
  it('sets the escaped URL with its media type, then plays', () =>
    withServer(
      () => ({ body: {} }),
      async ({ url, requests }) => {
        await playUrl(rendererAt(url), 'http://10.0.0.1/a.mp3?b=1&c=<2>', 'audio/mpeg', never);
        const actions = requests.map(({ headers }) => headers['soapaction']);
        assert.deepEqual(actions, [`"${SERVICE}#SetAVTransportURI"`, `"${SERVICE}#Play"`]);
        const body = String(requests[0]?.body);
        assert.match(body, /<CurrentURI>http:\/\/10\.0\.0\.1\/a\.mp3\?b=1&#38;c=&#60;2&#62;<\/CurrentURI>/);
        assert.match(body, /http-get:\*:audio\/mpeg:\*/);
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
          playUrl(rendererAt(url), 'http://10.0.0.1/a.wav', 'audio/wav', never),
          (error) =>
            error instanceof SpeechError &&
            error.code === 'bad-reply' &&
            /Kitchen.*Illegal MIME-type 714/.test(error.message),
        ),
    ));

  it('names a speaker that does not answer', () =>
    assert.rejects(
      playUrl(rendererAt('http://127.0.0.1:9'), 'http://10.0.0.1/a.wav', 'audio/wav', never),
      (error) =>
        error instanceof SpeechError && error.code === 'no-reply' && /Kitchen: no answer/.test(error.message),
    ));
});

describe('the name of a player', () => {
  const names: [userAgent: string, name: string][] = [
    ['Linux UPnP/1.0 Sonos/83.1-61240 (ZPS22)', 'Sonos'],
    [
      'Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 Chrome/106.0.0.0 Safari/537.36 CrKey/1.56',
      'Google Cast',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/148.0.0.0 Safari/537.36', 'Chrome'],
    ['gmediarender/0.2.0 libupnp/1.14', 'gmediarender'],
    ['Lavf/61.7.100', 'FFmpeg'],
    ['curl/8.14.1', 'curl'],
    ['', ''],
    ['x'.repeat(200), 'x'.repeat(40)],
  ];
  for (const [userAgent, name] of names)
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(userAgent.slice(0, 50))}`, () =>
      assert.equal(deviceName(userAgent), name));
});
