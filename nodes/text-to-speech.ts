import { type Dressing, dressingRanges } from '@herald-speech/audio';
import {
  type AccountRequest,
  between,
  clientDefaults,
  lazy,
  pronunciationList,
  rule,
  speakWith,
  speechRequest,
  withoutMarks,
  z,
} from '@herald-speech/client';
import { renderAnnounced, sendResults } from './lib/announced-speech.js';
import {
  announcementProperties,
  announcementFields,
  chimeFileGiven,
  dressingOf,
} from './lib/announcement.js';
import { markField, markProperty, signedMarkOption } from './lib/mark.js';
import { formatField, formatFor, formatProperty, type Formats } from './lib/output-format.js';
import { MessageReporter } from './lib/message-reporter.js';
import {
  accountRequest,
  nodeSpeech,
  textLeft,
  utteranceProperties,
  utteranceLabel,
  utteranceRequest,
} from './lib/utterance.js';
import { useAudioRoute } from './output/urls/audio-urls.js';
import { type CheckedDestination, checkDestination } from './output/destination.js';
import { MAX_BUFFER_BYTES } from './output/to-buffer.js';
import { type AccountTask, defineNode } from './lib/define-node.js';
import { say } from './runtime/messages.js';
import { parallelField, parallelProperty } from './lib/parallel.js';
import {
  choiceProperty,
  flagProperty,
  numberProperty,
  objectProperty,
  type Property,
  textProperty,
} from './lib/property.js';
import { queueMode, queueModeProperty } from './lib/queue-mode.js';
import { checkSpeakers } from './speakers/speaker-destination.js';
import { retryFields, retryProperties } from './lib/retries.js';
import { DeferredTemplate } from './runtime/template.js';

/** UTF-16 code units of a text for a Buffer, which must fit into memory. */
const { maxTextLength } = clientDefaults;

const OUTPUTS = ['buffer', 'file', 'url', 'pieces', 'speaker'] as const;
/** The captions beside an audio file. */
const CAPTIONS = ['none', 'vtt', 'srt'] as const;
/** The time at which a message with a URL leaves. */
const URL_TIMES = ['complete', 'first'] as const;

/** The effects of an announcement on the music of its speakers. */
const MUSIC = ['pause', 'lower', 'replace'] as const;
/** The time at which a message with the output `speaker` leaves. */
const TIMES = ['ended', 'started'] as const;
/** Maximum number of speakers of an announcement. */
const MAX_SPEAKERS = 32;

const name = () => z.string().trim().min(1);

/** The request fields of the output `speaker`. */
const speakerFields = lazy(() => ({
  /** Names or ids of speakers. A text may have several with commas between them. Blank: the only speaker. */
  speakers: z
    .union([name().transform((given) => [given]), z.array(name()).max(MAX_SPEAKERS)], {
      error: rule(say('rule-speakers')),
    })
    .optional(),
  /** Percent of the full volume of the speakers. Blank: as they are set. */
  volume: between(z.number(), 0, 100).optional(),
  music: z.enum(MUSIC).default('pause'),
  speaker_when: z.enum(TIMES).default('ended'),
}));

const place = { section: 'output', onlyFor: { output: ['speaker'] }, isScoped: true } as const;

/** The node properties of the output `speaker`. */
const speakerProperties = {
  speakers: objectProperty('volume-up', { ...place, alias: 'speaker', nodes: 'herald-speaker' }),
  volume: numberProperty('sliders', place),
  music: choiceProperty('music', MUSIC, { ...place, value: 'pause', more: true }),
  speaker_when: choiceProperty('clock-o', TIMES, { ...place, value: 'ended', more: true }),
} satisfies Record<string, Property>;

const schema = () =>
  utteranceRequest()
    .omit({ output_format: true })
    .extend({
      pronunciations: pronunciationList().optional(),
      /** The content of `msg.payload`: the audio, the path of a file, a URL that plays it, or a piece of it. */
      output: z.enum(OUTPUTS).default('buffer'),
      /** Path of the file to write. */
      filename: z.union([z.string().min(1), z.instanceof(DeferredTemplate)]).optional(),
      create_folder: z.boolean().default(false),
      captions: z.enum(CAPTIONS).default('none'),
      /** The address at which players reach this Node-RED, for the outputs `url` and `speaker`. */
      base_url: z.url({ protocol: /^https?$/ }).optional(),
      url_when: z.enum(URL_TIMES).default('complete'),
      ...speakerFields(),
      format: formatField(),
      mark: markField(),
      cache: z.boolean().default(true),
      progress_messages: z.boolean().default(false),
      ...announcementFields(),
      order: queueMode(),
      parallel: parallelField(),
      ...retryFields(),
    });

type SpeechTask = AccountTask<z.output<ReturnType<typeof schema>>>;

/** Converts text of any length to audio. */
export = defineNode({
  type: 'herald-text-to-speech',
  request: () =>
    schema()
      .refine(({ output, filename }) => output !== 'file' || filename !== undefined, {
        path: ['filename'],
        message: rule(say('rule-path')),
      })
      .refine(({ output, text }) => output !== 'buffer' || text.length <= maxTextLength, {
        path: ['text'],
        message: rule(say('rule-buffer-text', { limit: maxTextLength, bytes: MAX_BUFFER_BYTES })),
        // The checks below read the text.
        abort: true,
      })
      .refine(...textLeft())
      .refine(...chimeFileGiven()),
  speaks: true,
  label: utteranceLabel,
  below: 'try',
  properties: {
    ...utteranceProperties,
    pronunciations: objectProperty('book', { section: 'say', more: true }),
    normalized_text: textProperty('pencil', { section: 'expert' }),
    output: choiceProperty('sign-out', OUTPUTS, { section: 'output', value: 'buffer' }),
    filename: textProperty('file-o', {
      section: 'output',
      template: 'deferred',
      onlyFor: { output: ['file'] },
    }),
    captions: choiceProperty('cc', CAPTIONS, {
      section: 'output',
      value: 'none',
      onlyFor: { output: ['file'] },
    }),
    base_url: textProperty('link', {
      section: 'output',
      onlyFor: { output: ['url', 'speaker'] },
      isScoped: true,
    }),
    url_when: choiceProperty('clock-o', URL_TIMES, {
      section: 'output',
      value: 'complete',
      onlyFor: { output: ['url'] },
    }),
    ...speakerProperties,
    format: formatProperty,
    create_folder: flagProperty('folder-o', {
      section: 'output',
      more: true,
      onlyFor: { output: ['file'] },
    }),
    cache: flagProperty('database', { section: 'output', more: true }),
    mark: markProperty,
    progress_messages: flagProperty('tasks', { section: 'expert' }),
    include_phonemes: flagProperty('list-ol', { section: 'expert' }),
    ...announcementProperties,
    order: queueModeProperty,
    parallel: parallelProperty,
    ...retryProperties,
  },
  open: useAudioRoute,
  async speak(task) {
    const { request, signal, RED, turn } = task;
    const dressing = await dressingOf(RED, request, signal);
    const destination = await checkedDestinationOf(task, dressing.silenceAfter);
    try {
      const asked = { output_format: destination.serviceFormat, format: request.format.format };
      const { output_format, format } = formatFor(asked, task.account.abilities?.().formats);
      const reporter = new MessageReporter(task, destination, dressing.silenceAfter);
      const dressed = { ...dressing, silenceBefore: silenceBefore(dressing, destination) };
      const options = {
        format,
        dressing: dressed,
        ...(await signedMarkOption(RED, request.mark)),
        signal,
        turn,
      };
      const pieces = speakWith(task.account.speaker, requestOf(task, output_format), speechOptionsOf(task));
      return await sendResults(renderAnnounced(pieces, destination, options, reporter), task, reporter);
    } finally {
      destination.close?.();
    }
  },
});

/** @param silenceAfter seconds of silence after the text */
function checkedDestinationOf(task: SpeechTask, silenceAfter: number): Promise<CheckedDestination> {
  const { account, sound, node, RED, signal, priority, again, addDetails } = task;
  const { format, output, order, ...request } = task.request;
  if (output !== 'speaker') {
    const players = output === 'url' ? { players: account.players?.() } : {};
    const destination = { ...request, output, sound, node, ...format, ...players };
    return checkDestination(RED, destination, () => tagsOf(task), signal);
  }
  const players = () => account.players?.();
  const destination = { ...request, sound, ...format, players, silenceAfter };
  const interrupts = order === 'interrupt' && !again;
  return checkSpeakers(RED, destination, { node: node.id, priority, interrupts, signal, addDetails });
}

/** Returns the seconds of silence before an announcement, with the time in which its speakers wake up. */
const silenceBefore = ({ silenceBefore: own }: Dressing, { wakeUp = 0 }: CheckedDestination): number =>
  Math.min(own + wakeUp, dressingRanges.silenceBefore.max);

/** Returns the values of the tags of a file name. */
const tagsOf = ({ message, request, defaults }: SpeechTask): object => {
  const { language = defaults.language, voice_id = defaults.voice_id } = request;
  return { ...message, ...request, text: withoutMarks(request.text), language, voice_id };
};

/** Returns the request of a task without the properties of the node. */
function requestOf({ request }: SpeechTask, output_format: Formats['output_format']): AccountRequest {
  const fields = Object.entries({ ...request, output_format }).filter(
    ([name]) => name in speechRequest.shape,
  );
  return accountRequest().parse(Object.fromEntries(fields));
}

function speechOptionsOf({ request, defaults, signal, priority, onProgress }: SpeechTask) {
  const { markup, cache, pronunciations, gap, retry_attempts: attempts, retry_wait: wait } = request;
  const ofText = { markup, cache, pronunciations, sentences: gap > 0, retries: { attempts, wait } };
  return { ...nodeSpeech, ...ofText, defaults, signal, priority, onProgress, checked: true };
}
