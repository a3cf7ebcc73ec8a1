import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { ServiceError } from '../kit/errors.js';
import { AccessGate } from '../http/gate.js';
import { urlOf } from '../http/server.js';
import type { Log } from '../kit/log.js';
import { announceByZeroconf } from './announce.js';
import { ConnectedClient } from './client.js';
import type { ConnectionTimeouts } from './connection.js';
import { errorEvent, wyomingFailure } from './error-event.js';
import type { WyomingDependencies, WyomingOptions } from './options.js';

export interface WyomingServerOptions {
  host: string;
  /** TCP port. 0 selects any free port. */
  port: number;
  /** Name for zeroconf. Undefined announces nothing. */
  announce?: string | undefined;
  timeouts?: Partial<ConnectionTimeouts>;
  /** Milliseconds for texts in work to finish when the server closes. */
  grace: number;
}

export interface WyomingServer {
  /** `tcp://host:port`, for clients on the same computer. */
  url: string;
  /** Ends the announcement and all connections. */
  close(): Promise<void>;
}

const wyomingTimeouts: ConnectionTimeouts = {
  idle: 300_000,
  stalled: 60_000,
  yielding: 10_000,
  probing: 3000,
  lingering: 2000,
};

/** Maximum number of connections. A further one closes the oldest one that is idle or keeps the service waiting. */
export const MAX_WYOMING_CONNECTIONS = 250;
/** Maximum number of refused connections whose clients still read the error. Further ones get no error. */
const MAX_REFUSALS = 50;

/** The account of a Wyoming request counts like a key with this identifier in usage reports. */
const KEY_ID = 'wyoming';

/**
 * Serves the Wyoming protocol for an account. Its tier limits the rate.
 * @param grace milliseconds for texts in work to finish when the server closes
 * @throws AccountsError `not-found` for an unknown account; the errors of `serveWyoming`
 */
export async function startWyoming(
  { account: name, ...options }: WyomingOptions,
  dependencies: Omit<WyomingDependencies, 'callerOf' | 'account'>,
  grace: number,
): Promise<WyomingServer> {
  const { accounts, keys } = dependencies.ledger;
  const account = accounts.named(name).id;
  const gate = new AccessGate({ keys, localCaller: () => undefined });
  const callerOf = () => gate.admitCaller({ account: accounts.get(account), keyId: KEY_ID });
  return serveWyoming({ ...options, grace }, { ...dependencies, callerOf, account });
}

/**
 * Serves the Wyoming protocol (docs/wyoming.md).
 * @throws Error if the server cannot listen, such as for a port in use
 */
export async function serveWyoming(
  options: WyomingServerOptions,
  dependencies: WyomingDependencies,
): Promise<WyomingServer> {
  const { host, port, grace } = options;
  const timeouts = { ...wyomingTimeouts, ...options.timeouts };
  const clients: Clients = new Map();
  const onSocket = (socket: Socket) => admit(new ConnectedClient(socket, timeouts, dependencies), clients);
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, onSocket);
  server.maxConnections = MAX_WYOMING_CONNECTIONS + MAX_REFUSALS;
  await listen(server, port, host);
  const url = urlOf(server, host).replace(/^http/, 'tcp');
  const announcement = announceAt(url, options, dependencies.log);
  const close = async () => {
    await Promise.all([announcement?.end(), closeServer(server, clients, grace)]);
  };
  return { url, close };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const message = `Wyoming cannot listen (${error instanceof Error ? error.message : String(error)})`;
    throw new Error(`${message}: choose another address with --wyoming`, { cause: error });
  }
}

function announceAt(url: string, { announce: name, host }: WyomingServerOptions, log: Log) {
  return name === undefined
    ? undefined
    : announceByZeroconf({ name, host, port: Number(new URL(url).port), log });
}

/** The connected clients. Each promise resolves at the end of its client. */
type Clients = Map<ConnectedClient, Promise<void>>;

/** Serves a client until its connection ends. */
function admit(client: ConnectedClient, clients: Clients): void {
  if (clients.size >= MAX_WYOMING_CONNECTIONS && !endIdle(clients)) {
    const message = 'all connections of the service are in use: try again later';
    client.end(errorEvent(wyomingFailure(new ServiceError(503, message))));
  }
  clients.set(
    client,
    client.serve().finally(() => clients.delete(client)),
  );
}

/** Closes the oldest idle connection at once. Returns false if all are busy. */
function endIdle(clients: Clients): boolean {
  const idle = [...clients.keys()].find((client) => client.isIdle);
  idle?.destroy('another client needs the connection');
  return idle !== undefined;
}

async function closeServer(server: Server, clients: Clients, grace: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const client of clients.keys()) client.endAfterWork();
  const outOfTime = setTimeout(() => {
    for (const client of clients.keys()) client.destroy('the service is closing');
  }, grace);
  await closed;
  await Promise.all(clients.values());
  clearTimeout(outOfTime);
}
