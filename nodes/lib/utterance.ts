import { type SpeechRequest, speechRequest, z } from '@herald-speech/client';
import { object, type Property, text } from '../runtime/properties.js';

/** A number, such as the value of a sensor, is read as it is written. */
const spoken = (value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : value;

/** The request of every node that speaks, or tells what speech would be like. */
export const utteranceRequest = speechRequest.extend({ text: z.preprocess(spoken, z.string()) });

/** What is spoken, and how: the properties of every node that speaks, or tells what speech would be like. */
export const utterance = {
  text: { ...text('comment-o'), source: 'msg', value: 'payload' },
  voice_id: text('user-o', { voices: 'all' }),
  language: text('language'),
  style: text('smile-o', { more: true }),
  model: text('cube', { more: true }),
  voice_settings: object('sliders', { more: true }),
} satisfies { [Field in keyof SpeechRequest]?: Property };

/** Properties that the label of a node that speaks shows. */
export const utteranceLabel = ['text', 'voice_id', 'language', 'style'] as const;
