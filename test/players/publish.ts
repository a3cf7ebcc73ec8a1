import assert from 'node:assert/strict';
import { checkDestination } from '../../nodes/output/destination.js';
import { useAudioServer } from '../../nodes/output/urls/audio-server.js';
import { type AudioRequest, watchRequests } from '../../nodes/output/urls/requests.js';
import { type Flow, speechNode, withFlow } from '../support/node-red/flow.js';
import { freePort } from '../support/net/free-port.js';
import { serving } from '../support/net/serve.js';
import { headerOf, type Speaking, speaking } from '../nodes/output/speaking.js';
import { never } from '../support/waiting.js';

/** Bytes of a second of audio: 16-bit samples at 8,000 hertz. */
export const SECOND = 16_000;

/** Returns loud noise: samples that no player can confuse with silence or with other seconds. */
export const noise = (seconds: number, seed = 1): Buffer => {
  let state = seed;
  const next = () => (state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff) >> 16;
  return Buffer.from(Uint8Array.from({ length: seconds * SECOND }, next));
};

/** Returns a WAV file as the node makes it. */
export const wavOf = (...samples: Buffer[]): Buffer => {
  const data = Buffer.concat(samples);
  return Buffer.concat([headerOf(data.length), data]);
};

/** A Node-RED with a speech node that serves audio. */
export interface Serving {
  /** The latest state of each request so far, by its number. */
  readonly requests: ReadonlyMap<number, AudioRequest>;
  /** Publishes complete audio and returns its URL. */
  publish(...samples: Buffer[]): Promise<string>;
  /** Publishes the first samples of a speech that continues. */
  publishFirst(first: Buffer): Promise<Live>;
}

/** A speech that is still spoken. */
interface Live {
  url: string;
  add(samples: Buffer): void;
  /** Completes the speech. */
  end(): Promise<void>;
}

/** The place at which players reach the audio. */
interface Place {
  /** An address of this computer. */
  host?: string;
  via?: AudioRequest['via'];
}

/**
 * Runs `work` with a Node-RED that serves audio.
 * @param userDir the folder of the audio
 */
export const withAudioRoute = (
  userDir: string,
  work: (served: Serving) => Promise<void>,
  { host = '127.0.0.1', via = 'node-red' }: Place = {},
): Promise<void> =>
  withFlow(
    [speechNode('text-to-speech', { account: '' })],
    async (flow) => {
      const requests = new Map<number, AudioRequest>();
      const stop = watchRequests((request) => requests.set(request.id, request));
      const serve = (origin: string) => work(servingAt(flow, origin, requests));
      try {
        await (via === 'node-red'
          ? serving(flow.RED.httpNode, serve, host)
          : withAudioPort(flow, serve, host));
      } finally {
        stop();
      }
    },
    { settings: { userDir } },
  );

/** Runs `work` with the address of an audio port. */
async function withAudioPort(
  flow: Flow,
  work: (origin: string) => Promise<void>,
  host: string,
): Promise<void> {
  const port = await freePort();
  const inUse = useAudioServer(flow.RED, { host, port }, () => undefined);
  try {
    await inUse.ready();
    await work(`http://${host}:${port}`);
  } finally {
    await inUse.release();
  }
}

function servingAt(flow: Flow, base_url: string, requests: ReadonlyMap<number, AudioRequest>): Serving {
  const deliver = async (url_when: 'first' | 'complete', { rendering }: Speaking) => {
    const wanted = { output: 'url', base_url, url_when } as const;
    const delivery = await checkDestination(flow.RED, wanted, () => ({}), never);
    return delivery.deliver(rendering);
  };
  const urlOf = ({ value }: { value?: { payload?: unknown } | void }) =>
    value ? String(value.payload) : assert.fail('no URL');
  return {
    requests,
    async publish(...samples) {
      const speech = speaking(samples.length);
      const results = await deliver('complete', speech);
      for (const data of samples) void speech.add(data);
      speech.end();
      return urlOf(await results.next());
    },
    async publishFirst(first) {
      const speech = speaking(2);
      const results = await deliver('first', speech);
      void speech.add(first);
      const url = urlOf(await results.next());
      const over = results.next();
      return {
        url,
        add: (data) => void speech.add(data),
        async end() {
          speech.end();
          assert.equal((await over).done, true);
        },
      };
    },
  };
}
