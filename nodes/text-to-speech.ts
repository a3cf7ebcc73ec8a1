import { type Speech, z } from '@herald-speech/client';
import { publishAudio, useAudioRoute } from './output/audio-urls.js';
import { captions } from './output/captions.js';
import { defineNode, type Task } from './runtime/define-node.js';
import { placeOf, writeWhole } from './output/files.js';
import { order, orderProperty } from './runtime/queue-mode.js';
import { choice, flag, text } from './runtime/properties.js';
import { utterance, utteranceLabel, utteranceRequest } from './lib/utterance.js';

const request = utteranceRequest.extend({
  /** What leaves in `msg.payload`: the audio itself, the path of a file, or a URL that plays it. */
  output: z.enum(['buffer', 'file', 'url']).default('buffer'),
  /** Path of the file, where one is written; the folder must be there. */
  filename: z.string().min(1).optional(),
  /** Address that players reach this Node-RED at, for a URL. */
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  order,
});

type SpeechTask = Task<z.output<typeof request>>;

/** Text of any length to audio. */
export = defineNode({
  type: 'herald-text-to-speech',
  request: request.refine(({ output, filename }) => output !== 'file' || filename !== undefined, {
    path: ['filename'],
    message: 'expected the path of the file to write',
  }),
  speaks: true,
  label: utteranceLabel,
  below: 'try',
  properties: {
    ...utterance,
    output_format: choice('file-audio-o', ['wav', 'mp3'], { more: true }),
    include_phonemes: flag('list-ol', 'include_phonemes', { more: true }),
    normalized_text: text('pencil', { more: true }),
    output: choice('sign-out', ['buffer', 'file', 'url'], { value: 'buffer' }),
    filename: text('file-o', { onlyFor: { output: ['file'] } }),
    base_url: text('link', { onlyFor: { output: ['url'] } }),
    order: orderProperty,
  },
  open: useAudioRoute,
  async run(task) {
    const { client, request: fields, message, signal, priority, onProgress } = task;
    const { output: _output, filename: _filename, base_url: _base, order: _order, ...spoken } = fields;
    const speech = await client.speak(spoken, { signal, priority, onProgress });
    const { payload, ...where } = await place(task, speech);
    return { ...message, payload, speech: { ...details(fields, speech), ...where } };
  },
});

/** Puts the audio where the node was told to, and says what the message carries for it. */
async function place(
  { request: { output, filename = '', base_url }, signal, RED }: SpeechTask,
  { audio, format, mime }: Speech,
): Promise<{ payload: Buffer | string; filename?: string; url?: string }> {
  if (output === 'file') {
    const file = placeOf(RED, filename);
    await writeWhole(file, audio, signal);
    return { payload: file, filename: file };
  }
  if (output === 'url') {
    const url = publishAudio(RED, { audio, mime }, format, base_url);
    return { payload: url, url };
  }
  return { payload: Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength) };
}

/** `msg.speech`: what was asked for, and what came of it. */
function details(asked: z.output<typeof request>, { audio: _audio, ...speech }: Speech): object {
  const { voice_id, language, style, model, order: how } = asked;
  const made = { ...speech, cached: false, captions: captions(speech.chunks) };
  return { voice_id, language, style, model, order: how, ...made };
}
