import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type TypedAccount, Connections } from '../../../nodes/admin/connections.js';
import { until } from '../../support/flow.js';

/** Connections that note what is opened and closed, by the address that was typed. */
function noting(options: { idle: number; stopped: number; max: number }) {
  const events = new EventEmitter();
  const notes: string[] = [];
  const open = ({ url = '' }: TypedAccount) => {
    notes.push(`open ${url}`);
    const close = () => {
      notes.push(`close ${url}`);
      return Promise.resolve();
    };
    return { connect: () => Promise.reject(new Error('nobody connects here')), close };
  };
  return { notes, events, ways: new Connections({ events }, { open, defaultsOf: () => ({}) }, options) };
}

const LONG = 60_000;

describe('ways that are open for the editor', () => {
  it('are shared by requests with the same values', () => {
    const { ways, notes } = noting({ idle: LONG, stopped: LONG, max: 4 });
    assert.equal(ways.open({ url: 'a' }), ways.open({ url: 'a' }));
    assert.notEqual(ways.open({ url: 'a' }), ways.open({ url: 'a', apiKey: 'another' }));
    assert.deepEqual(notes, ['open a', 'open a']);
  });

  it('are closed when nobody has used them for a while', async () => {
    const { ways, notes } = noting({ idle: 1, stopped: LONG, max: 4 });
    ways.open({ url: 'a' });
    await until(() => notes.includes('close a'));
    ways.open({ url: 'a' });
    assert.deepEqual(notes, ['open a', 'close a', 'open a']);
  });

  it('are closed when the flows stop and nobody uses them again', async () => {
    const { ways, notes, events } = noting({ idle: LONG, stopped: 1, max: 4 });
    ways.open({ url: 'a' });
    events.emit('flows:stopped');
    await until(() => notes.includes('close a'));
    assert.equal(events.listenerCount('flows:stopped'), 0);
  });

  it('are few: the one that was used longest ago makes room', () => {
    const { ways, notes } = noting({ idle: LONG, stopped: LONG, max: 2 });
    for (const url of ['a', 'b', 'a', 'c']) ways.open({ url });
    assert.deepEqual(notes, ['open a', 'open b', 'open c', 'close b']);
  });
});
