import assert from 'node:assert/strict';
import { deviceName } from '../../../../nodes/admin/reach/device-name.js';

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
