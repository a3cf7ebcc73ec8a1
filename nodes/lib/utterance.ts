import { lazy, type SpeechRequest, speechRequest, z } from '@herald-speech/client';
import { object, type Property, text } from '../runtime/properties.js';

/** Converts a number, such as a sensor value, to text. */
const numberToText = (value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : value;

/** The request of every node that speaks or predicts a duration. */
export const utteranceRequest = lazy(() =>
  speechRequest.extend({ text: z.preprocess(numberToText, z.string()) }),
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
