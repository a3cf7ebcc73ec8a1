import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type TypedAccount, EditorConnections } from '../../../../nodes/admin/endpoint/editor-connections.js';
import { until } from '../../../support/waiting.js';

/** Connections that log each open and close with the typed base URL. */
function loggedConnections(options: { idle: number; stopped: number; max: number }) {
  const events = new EventEmitter();
  const log: string[] = [];
  const open = ({ url = '' }: TypedAccount) => {
    log.push(`open ${url}`);
    const close = () => {
      log.push(`close ${url}`);
      return Promise.resolve();
    };
    return { connect: () => Promise.reject(new Error('not expected')), close };
  };
  const connections = new EditorConnections({ events }, { open, defaultsOf: () => ({}) }, options);
  return { log, events, connections };
}

const LONG = 60_000;

describe('Connections', () => {
  it('shares a connection between requests with the same values', () => {
    const { connections, log } = loggedConnections({ idle: LONG, stopped: LONG, max: 4 });
    assert.equal(connections.open({ url: 'a' }), connections.open({ url: 'a' }));
    assert.notEqual(connections.open({ url: 'a' }), connections.open({ url: 'a', apiKey: 'another' }));
    assert.deepEqual(log, ['open a', 'open a']);
  });

  it('closes a connection that is idle', async () => {
    const { connections, log } = loggedConnections({ idle: 1, stopped: LONG, max: 4 });
    connections.open({ url: 'a' });
    await until(() => log.includes('close a'));
    connections.open({ url: 'a' });
    assert.deepEqual(log, ['open a', 'close a', 'open a']);
  });

  it('closes an idle connection sooner after the flows have stopped', async () => {
    const { connections, log, events } = loggedConnections({ idle: LONG, stopped: 1, max: 4 });
    connections.open({ url: 'a' });
    events.emit('flows:stopped');
    await until(() => log.includes('close a'));
    assert.equal(events.listenerCount('flows:stopped'), 0);
  });

  it('closes the least recently used connection if the maximum is exceeded', () => {
    const { connections, log } = loggedConnections({ idle: LONG, stopped: LONG, max: 2 });
    for (const url of ['a', 'b', 'a', 'c']) connections.open({ url });
    assert.deepEqual(log, ['open a', 'open b', 'open c', 'close b']);
  });
});
