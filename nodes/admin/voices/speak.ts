import { dressingRanges, type OutputFormat, render } from '@herald-speech/audio';
import { checkRequest, inspectAudio, lazy, operations, pronunciationList, z } from '@herald-speech/client';
import { announcementFields, chimeFileGiven, dressingOf, isPath } from '../../lib/announcement.js';
import { formatField, formatFor } from '../../lib/output-format.js';
import { COMPLETED, markupField, VOICE } from '../../lib/utterance.js';
import { collect } from '../../output/to-buffer.js';
import { localize } from '../../runtime/localize.js';
import { endpoint, type EndpointTask } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';

/** The speech request of the dialog. The account's defaults apply to a blank voice and language. */
const spoken = lazy(() =>
  operations.createSpeech.request
    .pick({ ...VOICE, text: true })
    .partial(COMPLETED)
    .strip(),
);

/** The request of the dialog. */
const trial = lazy(() => {
  const fields = spoken().extend({
    markup: markupField(),
    pronunciations: pronunciationList().optional(),
    format: formatField(),
    ...announcementFields(),
  });
  return fields.refine(...chimeFileGiven());
});

/** The fields of the form that the request contains. The dialog has its own text. */
export const trialFields = lazy(() => Object.keys(trial().shape).filter((field) => field !== 'text'));

/** Speaks a sample text of at most 300 characters with its announcement. Costs credits if the account has credits. */
export const speakSample = endpoint({
  path: '/herald/speak',
  permission: 'herald.write',
  request: () => target().extend({ request: z.record(z.string(), z.unknown()) }),
  isNew: ({ request: { chime } }) => isPath(chime),
  async run(task) {
    const { file, rendering, speech } = await renderSample(task, task.request.request);
    return {
      audio: file.toString('base64'),
      mime: rendering.mime,
      // Includes the chime, the silences and the repetitions.
      duration: inspectAudio(file).duration,
      chargedSeconds: speech.chargedSeconds,
      warnings: speech.warningTexts.map((warning) => localize(task.translator, warning)),
    };
  },
});

/**
 * Speaks the sample text of a dialog, and returns it as a complete file.
 * @param wakeUp more seconds of silence at its start
 */
export async function renderSample(
  { RED, client, defaults, signal }: Pick<EndpointTask<unknown>, 'RED' | 'client' | 'defaults' | 'signal'>,
  typed: object,
  wakeUp = 0,
) {
  const tried = checkRequest(trial(), typed);
  const { markup, pronunciations, format: asked } = tried;
  const format = formatFor(asked, client.features.formats);
  const own = await dressingOf(RED, tried, signal);
  const silenceBefore = Math.min(own.silenceBefore + wakeUp, dressingRanges.silenceBefore.max);
  const dressing = { ...own, silenceBefore };
  const whole = await client.complete(spoken().parse(tried), defaults, { signal });
  const options = { signal, markup, pronunciations, checked: true };
  const speech = await client.speak({ ...whole, output_format: format.output_format }, options);
  const rendering = await render(once(speech.audio), { format: playable(format.format), dressing, signal });
  return { file: await collect(rendering), rendering, speech };
}

/** Returns a format that browsers play and that sounds the same: MP3, or WAV with the sample rate of the chosen format. */
const playable = (format: OutputFormat | 'unchanged'): OutputFormat | 'unchanged' =>
  format === 'unchanged' || format.container === 'mp3'
    ? format
    : { container: 'wav', encoding: 'pcm', sampleRate: format.sampleRate };

async function* once(audio: Uint8Array) {
  yield { audio, index: 0, count: 1 };
}
