import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { lazy } from '@herald-speech/client/interface';
import type * as BonjourService from 'bonjour-service';
import { isLoopbackUrl } from '../kit/loopback.js';
import type { Log } from '../kit/log.js';

/** An announcement in the network. */
export interface ZeroconfAnnouncement {
  /** Withdraws the announcement. Never rejects. */
  end(): Promise<void>;
}

export interface AnnouncementOptions {
  /** Name of the service in the network. */
  name: string;
  /** Address on which the service listens. Other addresses are not announced, unless it is a wildcard. */
  host: string;
  port: number;
  log: Log;
}

/** Milliseconds for the withdrawal to leave. */
const WITHDRAWAL_TIME = 500;
const WILDCARDS = ['0.0.0.0', '::'];

/** Loaded with the first announcement. */
const bonjourService = lazy((): typeof BonjourService => require('bonjour-service'));

const nothing: ZeroconfAnnouncement = { end: async () => undefined };

/**
 * Announces the service by zeroconf as `_wyoming._tcp`, in IPv4 networks. A failure, such as a network without multicast, only
 * leaves a log entry.
 */
export function announceByZeroconf({ name, host, port, log }: AnnouncementOptions): ZeroconfAnnouncement {
  const fail = (error: unknown) =>
    log({ level: 'error', error: `announcement of Wyoming: ${String(error)}` });
  if (isLoopbackUrl(`http://${host.includes(':') ? `[${host}]` : host}`)) {
    fail(`the address ${host} cannot be reached from the network: set --wyoming 0.0.0.0:${port}`);
    return nothing;
  }
  try {
    return start({ name, host, port }, fail);
  } catch (error) {
    fail(error);
    return nothing;
  }
}

function start(
  { name, host, port }: Omit<AnnouncementOptions, 'log'>,
  fail: (error: unknown) => void,
): ZeroconfAnnouncement {
  // The library reads the interfaces in timers, where an error would end the process.
  os.networkInterfaces();
  const { Bonjour } = bonjourService();
  const bonjour = new Bonjour(networkOf(host), fail);
  // Without a listener, an error such as a used port would end the process.
  bonjour['server'].mdns.on('error', fail);
  const service = bonjour.publish({ name, type: 'wyoming', port });
  const records = service.records.bind(service);
  service.records = () => records().filter((record) => record.type !== 'A' || isReachable(record.data, host));
  // The library calls this if the name is in use. Its function would withdraw the service with that name.
  service.stop = () => {
    service.activated = false;
    fail(`the name "${name}" is in use: choose another one with --wyoming-announce`);
  };
  return { end: () => withdraw(bonjour, fail) };
}

/** Returns the options of the multicast socket. The socket listens on the wildcard address: only such a socket receives multicast. */
function networkOf(host: string): object {
  return WILDCARDS.includes(host) ? {} : { interface: host, bind: '0.0.0.0' };
}

function isReachable(address: unknown, host: string): boolean {
  return WILDCARDS.includes(host) || address === host;
}

async function withdraw(bonjour: BonjourService.Bonjour, fail: (error: unknown) => void): Promise<void> {
  try {
    const withdrawn = new Promise<void>((resolve) => bonjour.unpublishAll(() => resolve()));
    await Promise.race([withdrawn, delay(WITHDRAWAL_TIME, undefined, { ref: false })]);
    const destroyed = new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
    await Promise.race([destroyed, delay(WITHDRAWAL_TIME, undefined, { ref: false })]);
  } catch (error) {
    fail(error);
  }
}
