import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { limitedTo } from '@herald-speech/client/abort';
import { isErrno, PRIVATE_FILE } from '@herald-speech/client/files';
import { z } from 'zod';
import { openSocketFolder, withSocketAddress } from '../../kit/local-socket.js';
import { asStoreError, StoreError } from '../../kit/store-error.js';

/** The reply to a command. `kind` is for programs, `message` for users. */
const controlReply = z.union([
  z.object({ result: z.json() }),
  z.object({ error: z.object({ kind: z.string(), message: z.string() }) }),
]);

export type ControlReply = z.output<typeof controlReply>;

/** A function that validates and runs a command. The command is a JSON value. */
export type ControlHandler = (command: unknown) => ControlReply | Promise<ControlReply>;

export interface ControlServer {
  /** Stops listening and closes all connections. May be called more than once. */
  close(): Promise<void>;
}

const SOCKET = 'control.sock';

/** Limits: characters of command and reply, milliseconds of one exchange, number of connections. */
const limits = { command: 64 * 1024, reply: 16 * 1024 * 1024, time: 10_000, callers: 16 } as const;

/**
 * Accepts commands from other processes of the same user on DIR/run/control.sock (a named pipe on Windows). A connection
 * carries one line of JSON in each direction. The caller must hold the lock of the folder.
 * @throws StoreError `read-only`, `full` or `failed`
 */
export async function serveControl(folder: string, handler: ControlHandler): Promise<ControlServer> {
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

/** Listens on the socket. An existing file is left from a crash, because this process holds the lock. */
async function listen(server: net.Server, file: string): Promise<void> {
  await rm(file, { force: true });
  await withSocketAddress(path.dirname(file), SOCKET, async (address) => {
    server.listen(address);
    await once(server, 'listening');
  });
  server.unref();
  if (process.platform !== 'win32') await chmod(file, PRIVATE_FILE);
}

async function converse(caller: net.Socket, handler: ControlHandler): Promise<void> {
  addAbortSignal(AbortSignal.timeout(limits.time), caller).on('error', () => caller.destroy());
  try {
    const line = await readLine(caller, limits.command);
    caller.end(`${JSON.stringify(await replyTo(line, handler))}\n`);
  } catch {
    caller.destroy(); // The caller closed the connection or exceeded a limit, so it reads no reply.
  }
}

async function replyTo(line: string, handler: ControlHandler): Promise<ControlReply> {
  try {
    return await handler(JSON.parse(line));
  } catch (error) {
    return { error: { kind: 'failed', message: error instanceof Error ? error.message : String(error) } };
  }
}

/**
 * Sends a command to the process that holds the lock of a data folder.
 * @returns the reply, or undefined if no process accepts commands there
 * @throws StoreError `failed` if the connection breaks after the command was sent, so that its outcome is unknown; the
 *   abort error of `signal`
 */
export async function askControl(
  folder: string,
  command: unknown,
  signal?: AbortSignal,
): Promise<ControlReply | undefined> {
  const socket = await connect(folder, signal);
  if (socket === undefined) return undefined;
  addAbortSignal(limitedTo(limits.time, ...(signal ? [signal] : [])), socket);
  try {
    socket.write(`${JSON.stringify(command)}\n`);
    return controlReply.parse(JSON.parse(await readLine(socket, limits.reply)));
  } catch (error) {
    const message = 'the service received the command but sent no reply: check if the command took effect';
    throw signal?.aborted === true ? error : new StoreError('failed', message, { cause: error });
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

/** Reads one line. The stream remains open. */
async function readLine(socket: net.Socket, limit: number): Promise<string> {
  let line = '';
  socket.setEncoding('utf8');
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    line += String(piece);
    if (line.length > limit) throw new Error(`the line is longer than ${limit} characters`);
    const end = line.indexOf('\n');
    if (end >= 0) return line.slice(0, end);
  }
  throw new Error('the connection ended before the end of the line');
}
