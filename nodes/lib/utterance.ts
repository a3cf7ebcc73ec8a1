import { lazy, type SpeechRequest, speechRequest, z } from '@herald-speech/client';
import { exactValue } from '../runtime/exact-values.js';
import { object, type Property, text } from '../runtime/properties.js';

/** Converts a number, such as a sensor value, to text. */
const numberToText = (value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : value;

/** Converts the numbers of voice settings that arrive as text. */
const textsToNumbers = (settings: unknown): unknown =>
  typeof settings === 'object' && settings !== null && !Array.isArray(settings)
    ? Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, exactValue(value, 'num')]))
    : settings;

/** The request of every node that speaks or predicts a duration. */
export const utteranceRequest = lazy(() =>
  speechRequest.extend({
    text: z.preprocess(numberToText, z.string()),
    voice_settings: z.preprocess(textsToNumbers, speechRequest.shape.voice_settings),
  }),
);

/** The properties of every node that speaks or predicts a duration. */
export const utterance = {
  text: { ...text('comment-o'), source: 'msg', value: 'payload' },
  voice_id: text('user-o', { voices: 'all' }),
  language: text('language'),
  style: text('smile-o', { more: true }),
  model: text('cube', { more: true }),
  voice_settings: object('sliders', { more: true }),
} satisfies { [Field in keyof SpeechRequest]?: Property };

/** Properties for the label of these nodes. */
export const utteranceLabel = ['text', 'voice_id', 'language', 'style'] as const;
