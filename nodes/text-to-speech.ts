import { type CompleteChoice, rule, type Speech, z } from '@herald-speech/client';
import { publishAudio, useAudioRoute } from './output/audio-urls.js';
import { captions } from './output/captions.js';
import { defineNode, type Task } from './runtime/define-node.js';
import { resolvePath, writeAtomically } from './output/files.js';
import { queueMode, queueModeProperty } from './runtime/queue-mode.js';
import { choice, flag, text } from './runtime/properties.js';
import { completed, utterance, utteranceLabel, utteranceRequest, voiceDetails } from './lib/utterance.js';
import { localize } from './runtime/localize.js';
import { say } from './runtime/messages.js';

const schema = () =>
  utteranceRequest().extend({
    /** The content of `msg.payload`: the audio, the path of a file, or a URL that plays it. */
    output: z.enum(['buffer', 'file', 'url']).default('buffer'),
    /** Path of the file to write. The folder must exist. */
    filename: z.string().min(1).optional(),
    /** The address at which players reach this Node-RED, for output `url`. */
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    order: queueMode(),
  });

type SpeechTask = Task<z.output<ReturnType<typeof schema>>>;

/** Converts text of any length to audio. */
export = defineNode({
  type: 'herald-text-to-speech',
  request: () =>
    schema().refine(({ output, filename }) => output !== 'file' || filename !== undefined, {
      path: ['filename'],
      message: rule(say('rule-path')),
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
    order: queueModeProperty,
  },
  open: useAudioRoute,
  async run(task) {
    const { client, message, signal, priority, onProgress } = task;
    const fields = await completed(task);
    const { output: _output, filename: _filename, base_url: _base, order: _mode, markup, ...spoken } = fields;
    const speech = await client.speak(spoken, { signal, priority, onProgress, markup, checked: true });
    const { payload, ...location } = await deliver(task, speech);
    return { ...message, payload, speech: { ...details(task, fields, speech), ...location } };
  },
});

/** Writes or publishes the audio as the `output` property requires. Returns `msg.payload` and fields of `msg.speech`. */
async function deliver(
  { request: { output, filename = '', base_url }, signal, RED }: SpeechTask,
  { audio, format, mime }: Speech,
): Promise<{ payload: Buffer | string; filename?: string; url?: string }> {
  if (output === 'file') {
    const file = resolvePath(RED, filename);
    await writeAtomically(file, audio, signal);
    return { payload: file, filename: file };
  }
  if (output === 'url') {
    const url = publishAudio(RED, { audio, mime }, format, base_url);
    return { payload: url, url };
  }
  return { payload: Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength) };
}

/** Returns `msg.speech`: the settings of the request and the properties of the audio. */
function details(
  { again, RED }: SpeechTask,
  fields: SpeechTask['request'] & CompleteChoice,
  { audio: _audio, warningTexts, ...speech }: Speech,
): object {
  const order = again ? 'wait' : fields.order;
  const warnings = warningTexts.map((text) => localize(RED, text));
  return { ...voiceDetails(fields), order, ...speech, warnings, captions: captions(speech.chunks) };
}
