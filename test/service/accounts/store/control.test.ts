import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { stat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import {
  askControl,
  type ControlServer,
  type ControlHandler,
  serveControl,
} from '../../../../service/accounts/store/control.js';
import { isStoreError, kill, useDataFolder } from './support.js';

describe('the control socket', () => {
  const data = useDataFolder();
  let control: ControlServer | undefined;
  afterEach(async () => {
    await control?.close();
    control = undefined;
  });

  const socketFile = () => path.join(data.folder(), 'run', 'control.sock');
  const serve = async (handler: ControlHandler) => (control = await serveControl(data.folder(), handler));
  const ask = (command: unknown, signal?: AbortSignal) => askControl(data.folder(), command, signal);

  /** Serves commands without a reply. `arrived` resolves with the first command. */
  async function serveWithoutEnd() {
    const commands = new EventEmitter();
    const arrived = once(commands, 'command');
    const opened = await serve(() => {
      commands.emit('command');
      return new Promise<never>(() => undefined);
    });
    return { opened, arrived };
  }

  it('passes a command to the handler and returns the result', async () => {
    await serve((command) => ({ result: [JSON.stringify(command), 'ä\n'] }));
    assert.deepEqual(await ask({ say: 'line\nbreak' }), { result: ['{"say":"line\\nbreak"}', 'ä\n'] });
  });

  it('returns a refusal', async () => {
    const refusal = { error: { kind: 'conflict', message: 'no room' } };
    await serve(() => refusal);
    assert.deepEqual(await ask({}), refusal);
  });

  it('returns the error of a handler that throws', async () => {
    await serve(() => assert.fail('broken'));
    assert.deepEqual(await ask({}), { error: { kind: 'failed', message: 'broken' } });
  });

  it('returns to each of several callers the result of their command', async () => {
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

  it('returns undefined if no service ever ran', async () => {
    assert.equal(await ask({}), undefined);
  });

  it('returns undefined after a service was killed, and works with a new service', async () => {
    const { child, lines } = data.start('serve');
    await lines.next();
    assert.deepEqual(await ask({ command: 'accounts list' }), { result: { accounts: [] } });
    await kill(child);
    await stat(socketFile());
    assert.equal(await ask({}), undefined);
    await serve(() => ({ result: 'anew' }));
    assert.deepEqual(await ask({}), { result: 'anew' });
  });

  it('closes all connections on close, also if closed twice', async () => {
    const { opened, arrived } = await serveWithoutEnd();
    const refused = assert.rejects(ask({}), isStoreError('failed', /check if the command took effect/));
    await arrived;
    await opened.close();
    await opened.close();
    await refused;
    assert.equal(await ask({}), undefined);
  });

  it('stops waiting for a reply when the signal aborts', async () => {
    const { arrived } = await serveWithoutEnd();
    const stop = new AbortController();
    const aborted = assert.rejects(ask({}, stop.signal), { name: 'AbortError' });
    await arrived;
    stop.abort();
    await aborted;
  });

  it('is accessible to its owner only', async () => {
    await serve(() => ({ result: null }));
    assert.equal((await stat(socketFile())).mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(socketFile()))).mode & 0o777, 0o700);
  });

  it('closes the connection of a command without an end', async () => {
    await serve(() => ({ result: 'never' }));
    const caller = net.connect(socketFile());
    const closed = once(caller, 'close');
    caller.on('error', () => undefined).resume();
    const flood = Buffer.alloc(64 * 1024, 'x');
    caller.write(flood);
    caller.write(flood);
    await closed;
  });

  it('returns an error for a command that is not JSON, and accepts the next command', async () => {
    await serve((command) => ({ result: String(command) }));
    const caller = net.connect(socketFile());
    caller.write('{nonsense\n');
    const [piece]: unknown[] = await once(caller, 'data');
    assert.match(String(piece), /"error".*\n$/);
    caller.destroy();
    assert.deepEqual(await ask(1), { result: '1' });
  });

  it('works in a folder with a path that is too long for a socket', async () => {
    const deep = path.join(data.folder(), 'a'.repeat(200));
    control = await serveControl(deep, () => ({ result: 'deep' }));
    assert.deepEqual(await askControl(deep, {}), { result: 'deep' });
  });
});
