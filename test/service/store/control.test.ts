import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import {
  askControl,
  type Control,
  type ControlHandler,
  serveControl,
} from '../../../service/store/control.js';
import { isStoreError, kill, useDataFolder } from './support.js';

describe('the control channel', () => {
  const data = useDataFolder();
  let control: Control | undefined;
  afterEach(async () => {
    await control?.close();
    control = undefined;
  });

  const socketFile = () => path.join(data.folder(), 'run', 'control.sock');
  const serve = async (handler: ControlHandler) => (control = await serveControl(data.folder(), handler));
  const ask = (command: unknown, signal?: AbortSignal) => askControl(data.folder(), command, signal);

  it('carries a command there and its result back', async () => {
    await serve((command) => ({ result: [JSON.stringify(command), 'ä\n'] }));
    assert.deepEqual(await ask({ say: 'line\nbreak' }), { result: ['{"say":"line\\nbreak"}', 'ä\n'] });
  });

  it('carries a refusal back', async () => {
    const refusal = { error: { kind: 'conflict', message: 'no room' } };
    await serve(() => refusal);
    assert.deepEqual(await ask({}), refusal);
  });

  it('tells of a handler that failed', async () => {
    await serve(() => assert.fail('broken'));
    assert.deepEqual(await ask({}), { error: { kind: 'failed', message: 'broken' } });
  });

  it('answers several callers, each with what is theirs', async () => {
    await serve(async (command) => {
      await new Promise((resolve) => setImmediate(resolve));
      return { result: String(command) };
    });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => ask(index)));
    assert.deepEqual(
      replies,
      Array.from({ length: 10 }, (_, index) => ({ result: String(index) })),
    );
  });

  it('says that nobody is there where no service ran', async () => {
    assert.equal(await ask({}), undefined);
  });

  it('says that nobody is there after a service was killed, and a new one can be asked', async () => {
    const { child, lines } = data.start('serve');
    await lines.next();
    assert.deepEqual(await ask({ command: 'accounts list' }), { result: { accounts: [] } });
    await kill(child);
    await stat(socketFile());
    assert.equal(await ask({}), undefined);
    await serve(() => ({ result: 'anew' }));
    assert.deepEqual(await ask({}), { result: 'anew' });
  });

  it('is closed for ever when it is closed, with who is connected', async () => {
    const opened = await serve(() => new Promise<never>(() => undefined));
    const stuck = ask({});
    const refused = assert.rejects(stuck, isStoreError('failed', /may have been carried out/));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await opened.close();
    await opened.close();
    await refused;
    assert.equal(await ask({}), undefined);
  });

  it('stops waiting for an answer when it is told to', async () => {
    await serve(() => new Promise<never>(() => undefined));
    const stop = new AbortController();
    const stuck = ask({}, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await assert.rejects(stuck, { name: 'AbortError' });
  });

  it('lets its owner alone in', async () => {
    await serve(() => ({ result: null }));
    assert.equal((await stat(socketFile())).mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(socketFile()))).mode & 0o777, 0o700);
  });

  it('hangs up on a command that has no end', async () => {
    await serve(() => ({ result: 'never' }));
    const caller = net.connect(socketFile());
    const closed = once(caller, 'close');
    caller.on('error', () => undefined).resume();
    const flood = Buffer.alloc(64 * 1024, 'x');
    caller.write(flood);
    caller.write(flood);
    await closed;
  });

  it('answers a command that is not JSON with an error, and goes on', async () => {
    await serve((command) => ({ result: String(command) }));
    const caller = net.connect(socketFile());
    caller.write('{nonsense\n');
    const [piece]: unknown[] = await once(caller, 'data');
    assert.match(String(piece), /"error".*\n$/);
    caller.destroy();
    assert.deepEqual(await ask(1), { result: '1' });
  });

  it('works in a folder whose path is longer than a socket may have', async () => {
    const deep = path.join(data.folder(), 'a'.repeat(200));
    control = await serveControl(deep, () => ({ result: 'deep' }));
    assert.deepEqual(await askControl(deep, {}), { result: 'deep' });
  });
});
