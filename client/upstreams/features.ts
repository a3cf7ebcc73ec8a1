import { SpeechError } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import { abridgedText } from '../interface/describe-issues.js';
import { fieldDefaults, voiceSettings } from '../interface/models.js';
import type { Operation } from '../interface/operation.js';
import { createSpeech, predictDuration, type SpeechRequest, streamSpeech } from '../interface/operations.js';
import type { Features } from './upstream.js';

/** The error of a service without an operation. */
const LACKS: Readonly<
  Partial<Record<string, 'not-supported-custom' | 'not-supported-credits' | 'not-supported-usage'>>
> = {
  createClonedVoice: 'not-supported-custom',
  listCustomVoices: 'not-supported-custom',
  searchCustomVoices: 'not-supported-custom',
  getCustomVoice: 'not-supported-custom',
  editCustomVoice: 'not-supported-custom',
  deleteCustomVoice: 'not-supported-custom',
  getCredits: 'not-supported-credits',
  getUsage: 'not-supported-usage',
  getVoiceUsage: 'not-supported-usage',
};

/** The operations whose request is speech. */
const SPEECH: readonly string[] = [createSpeech, streamSpeech, predictDuration].map(({ name }) => name);

/** The fields that each service needs, or whose absence changes no audio. */
const COMMON: readonly string[] = ['voice_id', 'text', 'language', 'output_format'];

/** A request whose fields are checked. */
type Request = Readonly<Record<string, unknown>>;

/**
 * Checks that a service has the operation and follows all fields of a request.
 * @throws SpeechError `not-supported`, before anything is sent
 */
export function checkFeatures(features: Features, { name }: Operation, request: Request): void {
  if (features.operations !== 'all' && !features.operations.some((one) => one === name))
    throw new SpeechError('not-supported', lackOf(name));
  if (features.fields === 'all' || !SPEECH.includes(name)) return;
  const [field] = unsupportedFields(features, request);
  if (field !== undefined) throw new SpeechError('not-supported', text('not-supported-field', { field }));
  const { output_format: format } = request;
  if (format !== undefined && !features.formats.some((one) => one === format)) {
    const values = {
      field: 'output_format',
      value: abridgedText(format),
      formats: features.formats.join(', '),
    };
    throw new SpeechError('not-supported', text('not-supported-format', values));
  }
}

function lackOf(operation: string): Text {
  const known = LACKS[operation];
  return known === undefined ? text('not-supported-operation', { operation }) : text(known);
}

/** Returns the fields of a speech request that the service does not follow. A field with its default changes nothing. */
export function unsupportedFields({ fields }: Features, request: Request): string[] {
  if (fields === 'all') return [];
  const { voice_settings: settings = {}, ...others } = request;
  const given = [
    ...changed(others, fieldDefaults),
    ...changed(typeof settings === 'object' && settings !== null ? settings : {}, settingDefaults).map(
      (name) => `voice_settings.${name}`,
    ),
  ];
  return given.filter((field) => !COMMON.includes(field) && !fields.includes(field));
}

const settingDefaults = Object.fromEntries(
  Object.entries(voiceSettings).map(([name, limits]) => [name, limits.default]),
);

const changed = (fields: object, defaults: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields)
    .filter(
      ([name, value]) => value !== undefined && !(Object.hasOwn(defaults, name) && value === defaults[name]),
    )
    .map(([name]) => name);

/** Returns a speech request without the fields that the service does not follow, for a fallback that must speak anyway. */
export function withoutUnsupported(features: Features, request: SpeechRequest): SpeechRequest {
  const lacking = new Set(unsupportedFields(features, request));
  if (lacking.size === 0) return request;
  const kept = (fields: object, prefix = '') =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !lacking.has(prefix + name)));
  const { voice_id, text: spoken, language, voice_settings: settings, ...others } = request;
  const voice_settings = settings && kept(settings, 'voice_settings.');
  return { voice_id, text: spoken, language, ...kept(others), ...(voice_settings && { voice_settings }) };
}
