import { ruleText } from '../messages.js';
import { OptionError } from '../option-error.js';
import { bitratesAt, DEFAULT_BITRATE, type OutputFormat, sampleRates } from './format.js';
import { formatPresets } from './presets.js';

const encodings = ['pcm', 'mulaw', 'alaw', 'mp3'] as const;
const containers = ['wav', 'raw', 'mp3'] as const;
/** The sample rates of MP3, in hertz. */
const mp3Rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
/** Hertz, for `mp3-64`. */
const DEFAULT_MP3_RATE = 24_000;

/**
 * Reads an output format: `unchanged`, the id of a preset, an `OutputFormat`, or a name:
 * - `wav-RATE` and `raw-RATE` with an optional encoding: `wav-8000`, `wav-8000-mulaw`, `raw-16000-pcm`;
 * - `mp3`, `mp3-BITRATE` and `mp3-BITRATE-RATE`: `mp3-64`, `mp3-48-24000`.
 *
 * Sample rates are in hertz, bit rates in kilobits per second.
 * @throws OptionError for any other value
 */
export function parseFormat(value: unknown): OutputFormat | 'unchanged' {
  if (value === undefined || value === '' || value === 'unchanged') return 'unchanged';
  const preset = formatPresets.find(({ id }) => id === value);
  if (preset !== undefined) return preset.format;
  const fields = typeof value === 'string' ? fieldsOf(value) : value;
  return checked(fields, value);
}

/** Returns the fields in a name. `checked` validates them. */
function fieldsOf(name: string): unknown {
  const [container, first, second, ...rest] = name.toLowerCase().split('-');
  if (rest.length > 0) return undefined;
  if (container === 'mp3') {
    const bitrate = first === undefined ? DEFAULT_BITRATE : Number(first);
    return { container, encoding: 'mp3', sampleRate: Number(second ?? DEFAULT_MP3_RATE), bitrate };
  }
  return { container, encoding: second ?? 'pcm', sampleRate: Number(first) };
}

function checked(fields: unknown, given: unknown): OutputFormat {
  if (typeof fields !== 'object' || fields === null) throw unknownFormat(given);
  const {
    container,
    encoding,
    sampleRate,
    bitrate,
    channels = 1,
  }: Partial<Record<keyof OutputFormat, unknown>> = fields;
  const kind = containers.find((name) => name === container);
  const codec = encodings.find((name) => name === encoding);
  const matches = (kind === 'mp3') === (codec === 'mp3');
  if (kind === undefined || codec === undefined || !matches) throw unknownFormat(given);
  const rates: readonly number[] = kind === 'mp3' ? mp3Rates : sampleRates;
  const rate = rates.find((known) => known === sampleRate);
  if (rate === undefined)
    throw new OptionError('format', given, ruleText('rule-format-rate', { rates: rates.join(', ') }));
  if (channels !== 1 && channels !== 2) throw unknownFormat(given);
  const format: OutputFormat = { container: kind, encoding: codec, sampleRate: rate };
  if (channels === 2) format.channels = 2;
  return kind === 'mp3' ? { ...format, bitrate: bitrateOf(bitrate, rate, given) } : format;
}

function bitrateOf(bitrate: unknown, sampleRate: number, given: unknown): number {
  const bitrates = bitratesAt(sampleRate);
  if (bitrate === undefined) return Math.min(DEFAULT_BITRATE, ...bitrates.slice(-1));
  const found = bitrates.find((known) => known === bitrate);
  if (found !== undefined) return found;
  const values = { bitrates: bitrates.join(', '), rate: sampleRate };
  throw new OptionError('format', given, ruleText('rule-format-bitrate', values));
}

function unknownFormat(value: unknown): OptionError {
  const presets = formatPresets
    .slice(0, 3)
    .map(({ id }) => id)
    .join(', ');
  return new OptionError(
    'format',
    value,
    ruleText('rule-format', { presets, formats: 'wav-16000, raw-8000-mulaw, mp3-64' }),
  );
}
