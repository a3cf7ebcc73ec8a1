import path from 'node:path';
import { type Client, createClient, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type LocalService, useLocalService } from './local-service.js';

/** How a service is reached, until it is closed. */
export interface Way {
  /** @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal */
  connect(signal: AbortSignal): Promise<Client>;
  close(): Promise<void>;
}

/** The voice that speaks on this machine when nobody chose one: the best understood of the built-in ones. */
export const MACHINE_VOICE = 'rms';

/** For a message that asks after `close`: what would be opened for it, nobody would end. */
export const stopped = () => new SpeechError('aborted', 'the account was stopped or deployed anew');

/** The way to the service on this machine, which starts where it does not run yet. */
export function thisMachine(RED: NodeAPI): Way {
  return wayTo(useLocalService(dataFolder(RED), (line) => RED.log.info(`[herald] ${line}`)));
}

/** Where the local service keeps its key and voices. */
function dataFolder(RED: NodeAPI): string {
  return path.resolve(process.env['HERALD_DATA'] || path.join(RED.settings.userDir ?? '.', 'herald'));
}

/** It counts no requests; a new client when it came back at another address. */
function wayTo(service: LocalService): Way {
  let client: Client | undefined;
  let at = '';
  let closed = false;
  return {
    async connect(signal) {
      const { url, key } = await service.ready(signal);
      if (closed) throw stopped();
      if (client !== undefined && at === url) return client;
      const former = client;
      client = createClient({ url, apiKey: key, requestsPerMinute: Infinity, clonesPerMinute: Infinity });
      at = url;
      await former?.close();
      return client;
    },
    async close() {
      closed = true;
      await client?.close();
      await service.release();
    },
  };
}
