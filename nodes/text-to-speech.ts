import { type CompleteChoice, rule, type Speech, z } from '@herald-speech/client';
import { useAudioRoute } from './output/audio-urls.js';
import { captions } from './output/captions.js';
import { defineNode, type Task } from './runtime/define-node.js';
import { formatOf, prepareDelivery } from './output/delivery.js';
import { queueMode, queueModeProperty } from './runtime/queue-mode.js';
import { choice, flag, text } from './runtime/properties.js';
import { retryFields, retryProperties } from './runtime/retries.js';
import { completed, utterance, utteranceLabel, utteranceRequest, voiceDetails } from './lib/utterance.js';
import { localize } from './runtime/localize.js';
import { say } from './runtime/messages.js';

const schema = () =>
  utteranceRequest().extend({
    /** The content of `msg.payload`: the audio, the path of a file, or a URL that plays it. */
    output: z.enum(['buffer', 'file', 'url']).default('buffer'),
    /** Path of the file to write. */
    filename: z.string().min(1).optional(),
    create_folder: z.boolean().default(false),
    /** The address at which players reach this Node-RED, for output `url`. */
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    order: queueMode(),
    ...retryFields(),
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
    normalized_text: text('pencil', { section: 'say', more: true }),
    output: choice('sign-out', ['buffer', 'file', 'url'], { section: 'output', value: 'buffer' }),
    filename: text('file-o', { section: 'output', onlyFor: { output: ['file'] } }),
    base_url: text('link', { section: 'output', onlyFor: { output: ['url'] } }),
    output_format: choice('file-audio-o', ['wav', 'mp3'], { section: 'output', more: true }),
    create_folder: flag('folder-o', 'create_folder', {
      section: 'output',
      more: true,
      onlyFor: { output: ['file'] },
    }),
    include_phonemes: flag('list-ol', 'include_phonemes', { section: 'output', more: true }),
    order: queueModeProperty,
    ...retryProperties,
  },
  retries: ({ retry_attempts: attempts, retry_wait: wait }) => ({ attempts, wait }),
  open: useAudioRoute,
  async run(task) {
    const { client, finished, request, message, signal, priority, onProgress, RED } = task;
    const deliver = await prepareDelivery(RED, request, signal);
    const fields = await completed(task);
    const { markup, ...spoken } = spokenFields(fields);
    const speech = await client.speak(spoken, {
      signal,
      priority,
      onProgress,
      markup,
      checked: true,
      finished,
    });
    const { payload, ...location } = await deliver(speech);
    return { ...message, payload, speech: { ...details(task, fields, speech), ...location } };
  },
});

/** Returns the fields of the speech request, without those that only the node reads. */
function spokenFields(fields: SpeechTask['request'] & CompleteChoice) {
  const { output, filename = '', create_folder: _create, base_url: _base, order: _mode, ...others } = fields;
  const { retry_attempts: _attempts, retry_wait: _wait, ...spoken } = others;
  return output === 'file' ? { ...spoken, output_format: formatOf(filename, spoken.output_format) } : spoken;
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
