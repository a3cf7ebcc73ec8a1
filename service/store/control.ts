import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { z } from 'zod';
import { openSocketFolder, withSocketAddress } from './local-socket.js';
import { asStoreError, isErrno, StoreError } from './store-error.js';

/** What became of a command; `kind` is for programs, `message` for people. */
const controlReply = z.union([
  z.object({ result: z.json() }),
  z.object({ error: z.object({ kind: z.string(), message: z.string() }) }),
]);

export type ControlReply = z.output<typeof controlReply>;

/** Carries out a command that came as JSON, which it checks itself. */
export type ControlHandler = (command: unknown) => ControlReply | Promise<ControlReply>;

export interface Control {
  /** Cuts off who is connected. May be called more than once. */
  close(): Promise<void>;
}

const SOCKET = 'control.sock';

/** Bounds of one exchange: bytes of the command and of the reply, milliseconds in all, callers at a time. */
const limits = { command: 64 * 1024, reply: 16 * 1024 * 1024, time: 10_000, callers: 16 } as const;

/**
 * Answers commands of other processes of the same user on DIR/run/control.sock (a named pipe on Windows): a connection
 * carries one line of JSON in and one out. Only the holder of the folder's lock may call this.
 * @throws StoreError
 */
export async function serveControl(folder: string, handler: ControlHandler): Promise<Control> {
  const callers = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (caller) => {
    callers.add(caller.once('close', () => callers.delete(caller)));
    void converse(caller, handler);
  });
  server.maxConnections = limits.callers;
  const file = path.join(await openSocketFolder(folder), SOCKET);
  await listen(server, file).catch((error: unknown) => {
    throw asStoreError(error, file);
  });
  const close = async () => {
    await rm(file, { force: true });
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const caller of callers) caller.destroy();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}

/** What a crash left there is nobody's: the lock tells. */
async function listen(server: net.Server, file: string): Promise<void> {
  await rm(file, { force: true });
  await withSocketAddress(path.dirname(file), SOCKET, async (address) => {
    server.listen(address);
    await once(server, 'listening');
  });
  server.unref();
  if (process.platform !== 'win32') await chmod(file, 0o600);
}

async function converse(caller: net.Socket, handler: ControlHandler): Promise<void> {
  addAbortSignal(AbortSignal.timeout(limits.time), caller).on('error', () => caller.destroy());
  try {
    const line = await readLine(caller, limits.command);
    caller.end(`${JSON.stringify(await answer(line, handler))}\n`);
  } catch {
    caller.destroy(); // It left, or said too much: there is nobody to tell.
  }
}

async function answer(line: string, handler: ControlHandler): Promise<ControlReply> {
  try {
    return await handler(JSON.parse(line));
  } catch (error) {
    return { error: { kind: 'failed', message: error instanceof Error ? error.message : String(error) } };
  }
}

/**
 * Gives a command to the process that holds a data folder.
 * @returns undefined where nobody answers commands there
 * @throws StoreError `failed` when the connection broke after the command was sent, so that it may have been carried out
 */
export async function askControl(
  folder: string,
  command: unknown,
  signal?: AbortSignal,
): Promise<ControlReply | undefined> {
  const socket = await connect(folder, signal);
  if (socket === undefined) return undefined;
  const deadline = AbortSignal.timeout(limits.time);
  addAbortSignal(signal ? AbortSignal.any([signal, deadline]) : deadline, socket);
  try {
    socket.write(`${JSON.stringify(command)}\n`);
    return controlReply.parse(JSON.parse(await readLine(socket, limits.reply)));
  } catch (error) {
    const words = 'the service took the command but gave no answer, so it may have been carried out';
    throw signal?.aborted === true ? error : new StoreError('failed', words, { cause: error });
  } finally {
    socket.destroy();
  }
}

async function connect(folder: string, signal?: AbortSignal): Promise<net.Socket | undefined> {
  try {
    return await withSocketAddress(await openSocketFolder(folder), SOCKET, async (address) => {
      const socket = net.connect(address);
      await once(socket, 'connect', signal ? { signal } : {});
      return socket;
    });
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ECONNREFUSED')) return undefined;
    throw signal?.aborted === true ? error : asStoreError(error, folder);
  }
}

/** Reads to the first end of line. The stream stays open. */
async function readLine(socket: net.Socket, limit: number): Promise<string> {
  let line = '';
  socket.setEncoding('utf8');
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    line += String(piece);
    if (line.length > limit) throw new Error(`a line is longer than ${limit} characters`);
    const end = line.indexOf('\n');
    if (end >= 0) return line.slice(0, end);
  }
  throw new Error('the connection ended in the middle of a line');
}
