import { type CompleteChoice, rule, type Speech, z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { useAudioRoute } from './output/audio-urls.js';
import { captions } from './output/captions.js';
import { defineNode, type Task } from './runtime/define-node.js';
import { prepareDelivery } from './output/delivery.js';
import { renderingOf } from './output/whole-speech.js';
import { parallelField, parallelProperty } from './runtime/parallel.js';
import { queueMode, queueModeProperty } from './runtime/queue-mode.js';
import { choice, flag, text } from './runtime/properties.js';
import { retryFields, retryProperties } from './runtime/retries.js';
import { completed, utterance, utteranceLabel, utteranceRequest, voiceDetails } from './lib/utterance.js';
import { localize } from './runtime/localize.js';
import { say } from './runtime/messages.js';
import { DeferredTemplate } from './runtime/template.js';

const schema = () =>
  utteranceRequest().extend({
    /** The content of `msg.payload`: the audio, the path of a file, or a URL that plays it. */
    output: z.enum(['buffer', 'file', 'url']).default('buffer'),
    /** Path of the file to write. */
    filename: z.union([z.string().min(1), z.instanceof(DeferredTemplate)]).optional(),
    create_folder: z.boolean().default(false),
    /** The address at which players reach this Node-RED, for output `url`. */
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    order: queueMode(),
    parallel: parallelField(),
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
    filename: text('file-o', { section: 'output', template: 'deferred', onlyFor: { output: ['file'] } }),
    base_url: text('link', { section: 'output', onlyFor: { output: ['url'] } }),
    output_format: choice('file-audio-o', ['wav', 'mp3'], { section: 'output', more: true }),
    create_folder: flag('folder-o', 'create_folder', {
      section: 'output',
      more: true,
      onlyFor: { output: ['file'] },
    }),
    include_phonemes: flag('list-ol', 'include_phonemes', { section: 'output', more: true }),
    order: queueModeProperty,
    parallel: parallelProperty,
    ...retryProperties,
  },
  retries: ({ retry_attempts: attempts, retry_wait: wait }) => ({ attempts, wait }),
  open: useAudioRoute,
  async run(task) {
    const { client, finished, request, message, signal, priority, onProgress, onSpoken, RED } = task;
    const delivery = await prepareDelivery(RED, request, { ...message, ...request }, signal);
    const fields = await completed(task);
    const { markup, ...spoken } = spokenFields(fields);
    const { serviceFormat: output_format } = delivery;
    const speech = await client.speak(
      { ...spoken, output_format },
      {
        signal,
        priority,
        onProgress,
        markup,
        checked: true,
        finished,
      },
    );
    let result: NodeMessage = message;
    for await (const { payload, location } of delivery.deliver(renderingOf(speech)))
      result = { ...message, payload, speech: { ...details(task, fields, speech), ...location } };
    onSpoken({ seconds: speech.duration });
    return result;
  },
});

/** Returns the fields of the speech request, without those that only the node reads. */
function spokenFields(fields: SpeechTask['request'] & CompleteChoice) {
  const { output: _output, filename: _filename, create_folder: _create, base_url: _base, ...others } = fields;
  const {
    order: _mode,
    parallel: _parallel,
    retry_attempts: _attempts,
    retry_wait: _wait,
    ...spoken
  } = others;
  return spoken;
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
