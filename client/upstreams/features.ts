import { SpeechError } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import { fieldOf } from '../base/values.js';
import { abridgedText } from '../interface/describe-issues.js';
import { fieldDefaults, voiceSettings } from '../interface/models.js';
import type { Operation } from '../interface/operation.js';
import {
  createSpeech,
  type OperationName,
  predictDuration,
  type SpeechRequest,
  streamSpeech,
} from '../interface/operations.js';
import type { Features } from './upstream.js';

/** The reason of a missing operation. */
const LACKS = {
  createClonedVoice: text('not-supported-custom'),
  listCustomVoices: text('not-supported-custom'),
  searchCustomVoices: text('not-supported-custom'),
  getCustomVoice: text('not-supported-custom'),
  editCustomVoice: text('not-supported-custom'),
  deleteCustomVoice: text('not-supported-custom'),
  getCredits: text('not-supported-credits'),
  getUsage: text('not-supported-usage'),
  getVoiceUsage: text('not-supported-usage'),
} satisfies Partial<Record<OperationName, Text>>;

/** The operations whose request is speech. */
const SPEECH: readonly string[] = [createSpeech, streamSpeech, predictDuration].map(({ name }) => name);

/** The fields that each service needs, or whose absence changes no audio. */
const COMMON: readonly string[] = ['voice_id', 'text', 'language'];

/** A request whose fields are checked. */
type Request = Readonly<Record<string, unknown>>;

/** Checks that a service has an operation. @throws SpeechError `not-supported` */
export function checkOperation({ operations }: Pick<Features, 'operations'>, { name }: Operation): void {
  if (operations === 'all' || operations.some((one) => one === name)) return;
  throw new SpeechError('not-supported', lackOf(name)).with({ operation: name, attempts: 0 });
}

/**
 * Checks that a service has the operation and follows all fields of a request.
 * @throws SpeechError `not-supported`, before anything is sent
 */
export function checkFeatures(features: Features, operation: Operation, request: Request): void {
  checkOperation(features, operation);
  const { name } = operation;
  if (!SPEECH.includes(name)) return;
  const [field] = unsupportedFields(features, request);
  if (field !== undefined) throw new SpeechError('not-supported', lackOfField(features, field, request));
}

function lackOf(operation: string): Text {
  const reasons: Readonly<Partial<Record<string, Text>>> = LACKS;
  return reasons[operation] ?? text('not-supported-operation', { operation });
}

function lackOfField({ formats }: Features, field: string, { output_format: format }: Request): Text {
  if (field !== FORMAT) return text('not-supported-field', { field });
  return text('not-supported-format', { field, value: abridgedText(format), formats: formats.join(', ') });
}

const FORMAT = 'output_format';

/**
 * Returns the fields of a speech request that the service does not follow. A field with its default changes nothing, except a format
 * that the service does not make.
 */
export function unsupportedFields({ fields, formats }: Features, request: Request): string[] {
  const { [FORMAT]: format } = request;
  const lacking = format === undefined || formats.some((one) => one === format) ? [] : [FORMAT];
  if (fields === 'all') return lacking;
  for (const name of Object.keys(request)) {
    if (name === SETTINGS) lacking.push(...lackingSettings(fields, request[SETTINGS]));
    else if (name !== FORMAT && !COMMON.includes(name) && !fields.includes(name)) {
      if (isChanged(name, request[name], fieldDefaults)) lacking.push(name);
    }
  }
  return lacking;
}

const SETTINGS = 'voice_settings';
const SETTING = `${SETTINGS}.`;

function lackingSettings(fields: readonly string[], settings: unknown): string[] {
  const names = typeof settings === 'object' && settings !== null ? Object.keys(settings) : [];
  return names
    .filter((name) => isChanged(name, fieldOf(settings, name), settingDefaults))
    .map((name) => SETTING + name)
    .filter((field) => !fields.includes(field));
}

const settingDefaults = Object.fromEntries(
  Object.entries(voiceSettings).map(([name, limits]) => [name, limits.default]),
);

/** Returns whether a field has a value other than its default. */
const isChanged = (name: string, value: unknown, defaults: Readonly<Record<string, unknown>>): boolean =>
  value !== undefined && !(Object.hasOwn(defaults, name) && value === defaults[name]);

/** Returns a speech request without the fields that the service does not follow, for a fallback that must speak anyway. */
export function withoutUnsupported(features: Features, request: SpeechRequest): SpeechRequest {
  const lacking = new Set(unsupportedFields(features, request));
  if (lacking.size === 0) return request;
  const kept = (fields: object, prefix = '') =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !lacking.has(prefix + name)));
  const { voice_id, text: spoken, language, voice_settings: settings, ...others } = request;
  const voice_settings = settings && kept(settings, SETTING);
  return { voice_id, text: spoken, language, ...kept(others), ...(voice_settings && { voice_settings }) };
}
