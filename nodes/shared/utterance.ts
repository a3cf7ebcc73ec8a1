import type { SpeechRequest } from '@herald-speech/client';
import { object, type Property, text } from './properties.js';

/** What is spoken, and how: the properties of every node that speaks, or tells what speech would be like. */
export const utterance = {
  text: { ...text('comment-o'), source: 'msg', value: 'payload' },
  voice_id: text('user-o'),
  language: text('language'),
  style: text('smile-o'),
  model: text('cube'),
  voice_settings: object('sliders'),
} satisfies { [Field in keyof SpeechRequest]?: Property };
