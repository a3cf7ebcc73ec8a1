import { speechRequest } from '@herald-speech/client';
import { defineNode } from './shared/define-node.js';
import { object, text } from './shared/properties.js';

/** Seconds of audio that a text of any length would give; free. */
export = defineNode({
  type: 'herald-predict-duration',
  request: speechRequest,
  speaks: true,
  properties: {
    text: { ...text('comment-o'), source: 'msg', value: 'payload' },
    voice_id: text('user-o'),
    language: text('language'),
    style: text('smile-o'),
    model: text('cube'),
    voice_settings: object('sliders'),
  },
  async run({ client, request, message, ...options }) {
    const { duration, chunks } = await client.predict(request, options);
    return { ...message, payload: duration, speech: { chunks } };
  },
});
