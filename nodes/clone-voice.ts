import { inspectAudio, MAX_SAMPLE_BYTES, operations, rule, z } from '@herald-speech/client';
import { defineNode } from './lib/define-node.js';
import { readBounded, resolvePath } from './output/files/files.js';
import { fromMessage, textProperty } from './lib/property.js';
import { localize, type Translator } from './runtime/localize.js';
import { say } from './runtime/messages.js';

const clone = operations.createClonedVoice;
/** Recommended length of a sample in seconds (docs/interface.md#clone). */
const GOOD_SECONDS = { min: 5, max: 30 };

/** Creates a custom voice from a sample: a Buffer or the path of a file. */
export = defineNode({
  type: 'herald-clone-voice',
  request: () =>
    clone.request.extend({
      files: z.custom<Uint8Array | string>(
        (value) => value instanceof Uint8Array || (typeof value === 'string' && value !== ''),
        rule(say('rule-sample-or-path')),
      ),
    }),
  needs: 'createClonedVoice',
  label: ['name'],
  below: 'clone',
  hasNote: true,
  properties: {
    files: {
      ...fromMessage('file-audio-o', 'payload'),
      types: ['msg', 'str', 'flow', 'global', 'env', 'jsonata'],
    },
    name: textProperty('tag'),
    description: textProperty('align-left'),
  },
  async run({ client, request: { files, ...request }, message, RED, ...options }) {
    const sample =
      typeof files === 'string'
        ? await readBounded(resolvePath(RED, files), MAX_SAMPLE_BYTES, options.signal)
        : files;
    const payload = await client.call(clone, { ...request, files: sample }, options);
    return { ...message, payload, voice_id: payload.voice_id, speech: describe(sample, payload, RED) };
  },
});

/** Returns `msg.speech`: the properties of an accepted sample, and warnings about its quality and the new voice. */
function describe(
  bytes: Uint8Array,
  reply: Readonly<Record<string, unknown>>,
  translator: Translator,
): object {
  const { format, duration: seconds, channels, sampleRate } = inspectAudio(bytes);
  const sample = { format, seconds, channels, sampleRate, bytes: bytes.length };
  const { min, max } = GOOD_SECONDS;
  const warnings = [
    ...(seconds < min || seconds > max
      ? [say('warning-length', { seconds: { decimal: seconds }, min, max })]
      : []),
    ...(reply['approximate'] === true ? [say('warning-approximation')] : []),
    ...(channels > 1 ? [say('warning-channels')] : []),
  ];
  return { sample, warnings: warnings.map((warning) => localize(translator, warning)) };
}
