import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseWav } from '../../../client/audio/wav.js';
import { speechHeader } from '../../../service/kit/audio/wav.js';
import { type AccountLedger, openLedger } from '../../../service/accounts/ledger.js';
import type { Tier } from '../../../service/accounts/tiers.js';
import { lockDataFolder } from '../../../service/kit/data-lock.js';
import { type Service, type ServiceOptions, startService } from '@herald-speech/local-service';

/** A service on a free port with a separate data folder, which `close` removes. */
export interface TestService extends Service {
  data: string;
  /** Closes the service and keeps its data folder. */
  stop(): Promise<void>;
  /** Sends a request with the key. An object becomes a JSON body. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
}

/** Starts a service. Close it in `after`: `close` removes the data folder, unless the options name one. */
export async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  const data = options.data ?? (await mkdtemp(path.join(os.tmpdir(), 'herald-service-')));
  const service = await startService({ port: 0, speech: { size: 1 }, ...options, data });
  return {
    ...service,
    data,
    send: (method, where, body, headers) =>
      fetch(service.url + where, init(service.key, method, body, headers)),
    stop: service.close,
    close: async () => {
      await service.close();
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Opens the ledger of a data folder that no service uses, runs `work`, and closes the ledger. */
export async function withLedger<Result>(
  data: string,
  work: (ledger: AccountLedger) => Result,
): Promise<Result> {
  const lock = await lockDataFolder(data);
  try {
    const ledger = openLedger(lock);
    try {
      return work(ledger);
    } finally {
      ledger.close();
    }
  } finally {
    await lock.release();
  }
}

/** Creates an account and returns its key. */
export function openAccount(
  { accounts, keys }: AccountLedger,
  name: string,
  tier: Tier,
  credits = 0,
): string {
  return keys.create(accounts.create({ name, tier, credits }).id).key;
}

function init(key: string, method: string, body?: object, headers?: Record<string, string>): RequestInit {
  const all: Record<string, string> = { 'x-sup-api-key': key, ...headers };
  if (body === undefined) return { method, headers: all };
  if (body instanceof FormData) return { method, headers: all, body };
  return { method, headers: { 'content-type': 'application/json', ...all }, body: JSON.stringify(body) };
}

/** Returns the samples of a 16-bit WAV, scaled to -1 to 1. */
export function samplesOf(wav: Uint8Array): { samples: Float32Array; sampleRate: number } {
  const { data, format } = parseWav(wav);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const samples = Float32Array.from(
    { length: data.length / 2 },
    (_, index) => view.getInt16(2 * index, true) / 32_768,
  );
  return { samples, sampleRate: format.sampleRate };
}

/** Returns a 16-bit WAV of a sine wave, as a clone sample. `pitch` is in hertz. */
export function toneFile(pitch: number, seconds: number): Uint8Array<ArrayBuffer> {
  const data = tone(pitch, seconds);
  return Uint8Array.from([...speechHeader(16_000, data.byteLength), ...new Uint8Array(data.buffer)]);
}

/** Returns a sine wave, which stands in for a voice. `pitch` and `sampleRate` are in hertz. */
export function tone(pitch: number, seconds: number, sampleRate = 16_000): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, index) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * pitch * index) / sampleRate)),
  );
}
