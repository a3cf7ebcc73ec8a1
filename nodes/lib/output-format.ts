import { formatPresets, OptionError, type OutputFormat, parseFormat } from '@herald-speech/audio';
import { lazy, z } from '@herald-speech/client';
import { choiceProperty, type Property } from './property.js';

/** Formats that the service itself delivers. All others are converted. */
const serviceFormats = ['wav', 'mp3'] as const;
type ServiceFormat = (typeof serviceFormats)[number];

/** Formats of the dialog. A message or a JSON value can set further ones, such as `wav-16000-alaw`. */
const FORMATS = [
  ...serviceFormats,
  ...formatPresets.map(({ id }) => id),
  'wav-8000',
  'wav-8000-mulaw',
  'wav-16000',
  'wav-22050',
  'wav-24000',
  'wav-44100',
  'wav-48000',
  'mp3-64',
  'mp3-128',
] as const;

/** The format of the audio: of the request to the service, and of the output. */
export interface Formats {
  output_format: ServiceFormat | undefined;
  format: OutputFormat | 'unchanged';
}

/**
 * The request field of the format. `wav` and `mp3` are requested from the service and not changed. The service delivers the
 * source of all other formats as it wants.
 */
export const formatField = lazy(() =>
  z
    .unknown()
    .optional()
    .transform((value, context): Formats => {
      const output_format = serviceFormats.find((name) => name === value);
      if (output_format !== undefined) return { output_format, format: 'unchanged' };
      try {
        return { output_format, format: parseFormat(value) };
      } catch (error) {
        if (!(error instanceof OptionError)) throw error;
        context.addIssue({ code: 'custom', message: error.rule.english, params: { text: error.rule } });
        return z.NEVER;
      }
    }),
);

/** The formats that Herald encodes in place of a service, with a rate that every voice has about. */
const encoded = { wav: 'wav-24000', mp3: 'mp3' } as const satisfies Record<ServiceFormat, string>;

/**
 * Returns the format of the request and of the output for services that make only some formats. Herald encodes the others.
 * @param made the formats that all services of a text make, the default of the service first
 */
export function formatFor(
  { output_format, format }: Formats,
  made: readonly ServiceFormat[] = serviceFormats,
): Formats {
  if (output_format === undefined || made.includes(output_format)) {
    // Without a format, a file has WAV.
    const isWav = made[0] === 'wav' || !made.includes('wav');
    return { output_format: output_format ?? (isWav ? undefined : 'wav'), format };
  }
  const source = made.find((one) => one === 'wav');
  return {
    output_format: source,
    format: format === 'unchanged' ? parseFormat(encoded[output_format]) : format,
  };
}

/** The node property of the format. Flows save it as `output_format`. */
export const formatProperty: Property = {
  ...choiceProperty('file-audio-o', FORMATS, { section: 'output', more: true, alias: 'output_format' }),
  types: ['str', 'json', 'msg', 'flow', 'global', 'env', 'jsonata'],
};
