import assert from 'node:assert/strict';
import { openAudioPort } from '../../../../nodes/admin/reach/audio-ports.js';
import { portError } from '../../../../nodes/output/urls/try-port.js';
import { freePort } from '../../../support/net/free-port.js';
import { withFlow } from '../../../support/node-red/flow.js';

const host = '127.0.0.1';

describe('the audio port of an account before its first deploy', () => {
  const statusAt = async (port: number) => (await fetch(`http://${host}:${port}/`)).status;

  it('is replaced by a second press, and many presses add one listener', () =>
    withFlow([], async ({ RED }) => {
      const [first, second] = [await freePort(), await freePort()];
      await openAudioPort(RED, 'new', { host, port: first });
      const listeners = new Set(RED.events.listeners('flows:stopped'));
      assert.ok(listeners.size > 0);
      assert.equal(await statusAt(first), 404);
      await openAudioPort(RED, 'new', { host, port: second });
      await openAudioPort(RED, 'new', { host, port: second });
      assert.equal(await statusAt(second), 404);
      await assert.rejects(statusAt(first));
      // Other parts of Herald remove theirs at any time.
      const added = RED.events.listeners('flows:stopped').filter((listener) => !listeners.has(listener));
      assert.deepEqual(added, []);
    }));

  it('opens while the dialog checks whether the port is free', () =>
    withFlow([], async ({ RED }) => {
      const place = { host, port: await freePort() };
      const checks = Array.from({ length: 20 }, () => portError(place));
      const opening = openAudioPort(RED, 'new', place);
      checks.push(...Array.from({ length: 20 }, () => portError(place)));
      await opening;
      assert.equal(await statusAt(place.port), 404);
      await Promise.all(checks);
    }));

  it('stays open if a second press fails', () =>
    withFlow([], async ({ RED }) => {
      const first = await freePort();
      await openAudioPort(RED, 'new', { host, port: first });
      await assert.rejects(openAudioPort(RED, 'new', { host: '203.0.113.9', port: first }));
      assert.equal(await statusAt(first), 404);
    }));
});
