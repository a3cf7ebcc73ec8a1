import type { OutputFormat } from './format.js';

const wav = (sampleRate: number, encoding: 'pcm' | 'mulaw' | 'alaw' = 'pcm') =>
  ({ container: 'wav', encoding, sampleRate }) as const;
const raw = (sampleRate: number, encoding: 'pcm' | 'mulaw' | 'alaw' = 'pcm') =>
  ({ container: 'raw', encoding, sampleRate }) as const;

/** The formats of common players, switches and hubs by name. */
export const formatPresets = [
  { id: 'asterisk-wav', format: wav(8000) },
  { id: 'asterisk-sln', format: raw(8000) },
  { id: 'asterisk-sln16', format: raw(16_000) },
  { id: 'asterisk-ulaw', format: raw(8000, 'mulaw') },
  { id: 'asterisk-alaw', format: raw(8000, 'alaw') },
  { id: 'twilio', format: raw(8000, 'mulaw') },
  { id: 'yeastar', format: wav(8000) },
  { id: 'alexa', format: { container: 'mp3', encoding: 'mp3', sampleRate: 24_000, bitrate: 48 } },
  // Snapcast plays the sample format 48000:16:2 by default.
  { id: 'snapcast', format: { ...raw(48_000), channels: 2 } },
  { id: 'hermes', format: wav(16_000) },
] as const satisfies readonly { id: string; format: OutputFormat }[];

export type PresetId = (typeof formatPresets)[number]['id'];
