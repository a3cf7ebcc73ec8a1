import { inspectAudio, MAX_SAMPLE_BYTES, operations, z } from '@herald-speech/client';
import { defineNode } from './runtime/define-node.js';
import { placeOf, readBounded } from './output/files.js';
import { fromMessage, text } from './runtime/properties.js';

const clone = operations.createClonedVoice;
/** Seconds of a sample that are usually enough (docs/interface.md#clone). */
const GOOD_SECONDS = { min: 5, max: 30 };

/** A new voice from a sample: a Buffer, or the path of a file. */
export = defineNode({
  type: 'herald-clone-voice',
  request: clone.request.extend({
    files: z.custom<Uint8Array | string>(
      (value) => value instanceof Uint8Array || (typeof value === 'string' && value !== ''),
      'expected a Buffer with a WAV or MP3 file, or the path of one',
    ),
  }),
  label: ['name'],
  properties: {
    files: {
      ...fromMessage('file-audio-o', 'payload'),
      types: ['msg', 'str', 'flow', 'global', 'env', 'jsonata'],
    },
    name: text('tag'),
    description: text('align-left'),
  },
  async run({ client, request: { files, ...request }, message, RED, ...options }) {
    const sample =
      typeof files === 'string'
        ? await readBounded(placeOf(RED, files), MAX_SAMPLE_BYTES, options.signal)
        : files;
    const payload = await client.call(clone, { ...request, files: sample }, options);
    return { ...message, payload, voice_id: payload.voice_id, speech: describe(sample) };
  },
});

/** What is known of a sample that was accepted, and what could be better about it. */
function describe(bytes: Uint8Array): object {
  const { format, duration: seconds, channels, sampleRate } = inspectAudio(bytes);
  const sample = { format, seconds, channels, sampleRate, bytes: bytes.length };
  const { min, max } = GOOD_SECONDS;
  const length = `sample: ${seconds.toFixed(1)} s; ${min} to ${max} s are usually best`;
  return {
    sample,
    warnings: [
      ...(seconds < min || seconds > max ? [length] : []),
      ...(channels > 1 ? ['sample: several channels; mono is preferred'] : []),
    ],
  };
}
