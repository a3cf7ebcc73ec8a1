import { checkChime, chimes, type Dressing, dressingRanges, OptionError } from '@herald-speech/audio';
import { between, lazy, rule, SpeechError, type Text, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { readBounded, resolvePath } from '../output/files/files.js';
import { say } from '../runtime/messages.js';
import { choiceProperty, numberProperty, type Property, textProperty } from './property.js';

/** The chimes of the dialog. */
const CHOICES = ['none', ...chimes, 'file'] as const;
/** Bytes of a file with a chime: 30 seconds of WAV at 48,000 hertz, stereo, 32 bits. */
const MAX_CHIME_BYTES = 12_000_000;

const { silenceBefore, silenceAfter, gap, repeat, volume, loudness } = dressingRanges;

const inRange = ({ min, max }: { min: number; max: number }) => between(z.number(), min, max);

/** The request fields of an announcement, in seconds, percent and LUFS. The defaults change nothing. */
export const announcementFields = lazy(() => ({
  /** `none`, `file`, the name of a built-in chime, a path, or a Buffer with a WAV or MP3 file. */
  chime: z.unknown().optional().superRefine(checkGivenChime),
  /** Path of the chime `file`. */
  chime_file: z.string().min(1).optional(),
  silence_before: inRange(silenceBefore).default(0),
  silence_after: inRange(silenceAfter).default(0),
  gap: inRange(gap).default(0),
  repeat: between(z.int(), repeat.min, repeat.max).default(1),
  audio_volume: inRange(volume).default(100),
  loudness: inRange(loudness).optional(),
}));

/** Requires a path for the chime `file`: the arguments of `refine` for a schema with the fields of an announcement. */
export const chimeFileGiven = lazy(
  (): [
    (given: Pick<AnnouncementRequest, 'chime' | 'chime_file'>) => boolean,
    { path: string[]; message: string },
  ] => [
    ({ chime, chime_file }) => chime !== 'file' || chime_file !== undefined,
    { path: ['chime_file'], message: rule(say('rule-chime-file')) },
  ],
);

/** An announcement with checked values. */
type AnnouncementRequest = z.output<z.ZodObject<ReturnType<typeof announcementFields>>>;

/** The node properties of an announcement. */
export const announcementProperties = {
  chime: choiceProperty('bell-o', CHOICES, { section: 'announcement', value: 'none' }),
  chime_file: textProperty('file-o', { section: 'announcement', onlyFor: { chime: ['file'] } }),
  silence_before: numberProperty('step-backward', { section: 'announcement' }),
  silence_after: numberProperty('step-forward', { section: 'announcement' }),
  gap: numberProperty('ellipsis-h', { section: 'announcement' }),
  repeat: numberProperty('retweet', { section: 'announcement' }),
  audio_volume: numberProperty('volume-up', { section: 'announcement' }),
  loudness: numberProperty('signal', { section: 'announcement' }),
} satisfies Record<string, Property>;

function checkGivenChime(value: unknown, context: z.core.$RefinementCtx): void {
  const isChoice = CHOICES.some((choice) => choice === value);
  if (isNone(value) || isChoice || isPath(value)) return;
  const problem = value instanceof Uint8Array ? problemOf(value) : ruleOfChoices();
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: problem.english, params: { text: problem } });
}

const ruleOfChoices = (): Text =>
  say('rule-chime-choice', { choices: CHOICES.map((choice) => `"${choice}"`).join('|') });

/** Returns the rule that a file with a chime breaks. */
function problemOf(file: Uint8Array): Text | undefined {
  try {
    checkChime(file);
    return undefined;
  } catch (error) {
    if (error instanceof OptionError) return error.rule;
    throw error;
  }
}

const isNone = (chime: unknown): boolean => chime === undefined || chime === '' || chime === 'none';

/** Whether a chime is read from a file. The names of built-in chimes have neither a folder nor an extension. */
export const isPath = (chime: unknown): chime is string =>
  typeof chime === 'string' && (chime === 'file' || /[/\\]|\.\w+$/.test(chime));

/**
 * Returns the dressing of an announcement. Reads and checks the file of its chime.
 * @throws SpeechError `bad-request` for a file that is missing, too large or not WAV or MP3 audio
 */
export async function dressingOf(
  RED: NodeAPI,
  request: AnnouncementRequest,
  signal: AbortSignal,
): Promise<Dressing> {
  const { chime, silence_before, silence_after, audio_volume, gap, repeat, loudness } = request;
  const times = { silenceBefore: silence_before, silenceAfter: silence_after, gap, repeat };
  return {
    ...times,
    volume: audio_volume,
    ...(loudness !== undefined && { loudness }),
    ...(!isNone(chime) && { chime: await chimeOf(RED, request, signal) }),
  };
}

async function chimeOf(
  RED: NodeAPI,
  { chime, chime_file = '' }: AnnouncementRequest,
  signal: AbortSignal,
): Promise<ReturnType<typeof checkChime>> {
  if (!isPath(chime)) return checkChime(chime);
  const [field, name] = chime === 'file' ? ['chime_file', chime_file] : ['chime', chime];
  const file = resolvePath(RED, name);
  try {
    const bytes = await readBounded(file, MAX_CHIME_BYTES, signal);
    const problem = problemOf(bytes);
    if (problem === undefined) return bytes;
    throw new SpeechError('bad-request', say('file', { file: JSON.stringify(file), problem }));
  } catch (error) {
    if (!(error instanceof SpeechError) || error.text === undefined) throw error;
    throw error.with({ message: say('chime-problem', { field, problem: error.text }) });
  }
}
