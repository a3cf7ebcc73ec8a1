import {
  type AccountRequest,
  type CompleteChoice,
  isSpeakable,
  lazy,
  messages,
  plainText,
  rule,
  speechRequest,
  textsOf,
  type VoiceChoice,
  z,
} from '@herald-speech/client';
import type { Task } from './define-node.js';
import { say } from '../runtime/messages.js';
import { exactValue } from '../runtime/exact-values.js';
import { choiceProperty, objectProperty, type Property, textProperty } from './property.js';

/** Converts a number, such as a sensor value, to text. */
const numberToText = (value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : value;

/** Converts the numbers of voice settings that arrive as text. */
const textsToNumbers = (settings: unknown): unknown =>
  typeof settings === 'object' && settings !== null && !Array.isArray(settings)
    ? Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, exactValue(value, 'num')]))
    : settings;

const clientText = textsOf(messages);

const MARKUP = ['remove', 'read'] as const;

/** Whether tags, Markdown and emoji in the text are removed or read. */
export const markupField = () => z.enum(MARKUP).default('remove');

/**
 * The request fields that describe the voice: properties of every node that speaks, columns of a table of prompts, and fields of
 * _Try it_.
 */
export const VOICE = {
  voice_id: true,
  language: true,
  style: true,
  model: true,
  voice_settings: true,
} as const;

/** The names of these fields. */
export const voiceFields: readonly string[] = Object.keys(VOICE);

/** Fields that a request can lack: the defaults of the account complete them. */
export const COMPLETED = { voice_id: true, language: true } as const;

/** A speech request whose missing voice or language the defaults of the account complete. */
export const accountRequest = lazy(() =>
  speechRequest.partial(COMPLETED).transform(({ voice_id, language, ...others }): AccountRequest => ({
    ...others,
    ...(voice_id !== undefined && { voice_id }),
    ...(language !== undefined && { language }),
  })),
);

/** The request of every node that speaks or predicts a duration. `completeRequest` adds a missing voice or language. */
export const utteranceRequest = lazy(() =>
  speechRequest.partial(COMPLETED).extend({
    text: z.preprocess(
      numberToText,
      z.string(rule(say('rule-text-needed'))).refine(isSpeakable, rule(clientText('rule-text'))),
    ),
    markup: markupField(),
    voice_settings: z.preprocess(textsToNumbers, speechRequest.shape.voice_settings),
  }),
);

export type Markup = (typeof MARKUP)[number];

/** Whether a text is left without its markup. A text that was blank before has an error of its own. */
export const hasTextLeft = ({ text, markup }: { text: string; markup: Markup }): boolean =>
  markup === 'read' || !isSpeakable(text) || isSpeakable(plainText(text).text);

/**
 * The check that a text is left without its markup, before the first call: otherwise a service that is down gives a retryable error,
 * and a retry loop sends a message that no service can speak. The client finds a text that pronunciations or elements `say-as` leave
 * blank when it plans the request, because their rules depend on the language of the voice.
 */
export const textLeft = lazy((): [typeof hasTextLeft, { path: string[]; message: string }] => [
  hasTextLeft,
  { path: ['text'], message: rule(clientText('rule-text-left')) },
]);

/**
 * Completes the voice, language, style and model of a request with the account's defaults.
 * @throws SpeechError `bad-request` if the voice does not speak the language
 */
export const completeRequest = <Request extends VoiceChoice>({
  client,
  request,
  defaults,
  signal,
  priority,
}: Task<Request>): Promise<Request & CompleteChoice> =>
  client.complete(request, defaults, { signal, priority });

/** Returns the fields of `msg.speech` that describe the voice. If a request names no model, the service uses the default. */
export const voiceDetails = ({ voice_id, language, style, model }: CompleteChoice) => ({
  voice_id,
  language,
  style,
  model,
});

/** The properties of the voice. */
export const voiceProperties = {
  voice_id: textProperty('user-o', { section: 'voice', voices: 'all' }),
  language: textProperty('language', { section: 'voice' }),
  style: textProperty('smile-o', { section: 'voice', more: true }),
  model: textProperty('cube', { section: 'expert' }),
  voice_settings: objectProperty('sliders', { section: 'voice', more: true }),
} satisfies Record<keyof typeof VOICE, Property>;

/** The properties of every node that speaks or predicts a duration. */
export const utteranceProperties = {
  text: {
    ...textProperty('comment-o', { section: 'say', template: true }),
    source: 'msg',
    value: 'payload',
  },
  ...voiceProperties,
  markup: choiceProperty('code', MARKUP, { section: 'say', more: true }),
} satisfies Partial<Record<string, Property>>;

/** Properties for the label of these nodes. */
export const utteranceLabel = ['text', 'voice_id', 'style'] as const;

/** The options of all speech of nodes: the same cuts for every output, because the cache stores pieces. */
export const nodeSpeech = { quickStart: true, checked: true } as const;
