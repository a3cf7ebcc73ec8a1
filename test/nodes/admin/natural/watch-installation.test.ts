import assert from 'node:assert/strict';
import { createClient } from '@herald-speech/client';
import { readInstallation } from '../../../../nodes/admin/natural/operations.js';
import { watchInstallation } from '../../../../nodes/admin/natural/watch-installation.js';
import { type Script, withServer } from '../../../support/net/scripted-server.js';
import { RUNNING } from '../natural-service.js';

const NAME = 'de_DE-anna-medium';
const read: Parameters<typeof watchInstallation>[1] = (client, options) =>
  client.call(readInstallation, { name: NAME }, options);

/** Watches an installation at a scripted service. Returns the number of times that the watch opened the connection. */
const opened = (script: Script, watches = 1): Promise<number> =>
  withServer(script, async ({ url }) => {
    const client = createClient({ url, apiKey: 'key' });
    let count = 0;
    const connect = async () => {
      count += 1;
      return client;
    };
    await Promise.all(Array.from({ length: watches }, () => watchInstallation(NAME, read, connect, 5)));
    await client.close();
    return count;
  });

/** An installation that ends with the third reply. */
const ending: Script = (_request, index) => ({ body: { ...RUNNING, isDone: index === 2 } });

describe('the watch of an installation', () => {
  it('uses the service until the installation has ended', async () => {
    assert.equal(await opened(ending), 3);
  });

  it('runs once for each voice', async () => {
    assert.equal(await opened(ending, 5), 3);
  });

  it('ends if the installation was cancelled, or the service fails', async () => {
    assert.equal(await opened(() => ({ status: 404 })), 1);
    assert.equal(await opened(() => ({ status: 500 })), 1);
  });
});
