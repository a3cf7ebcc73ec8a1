import { checkDressing, type Dressing, parseFormat } from '@herald-speech/audio';
import { lazy, pronunciationList, type Text, z } from '@herald-speech/client';
import { markField } from '../../../lib/mark.js';
import { accountRequest, markupField } from '../../../lib/utterance.js';
import { retryFields } from '../../../lib/retries.js';

/** A dressing as JSON: the file of a chime is Base64. */
export type TaskDressing = Omit<Dressing, 'chime'> & { chime?: string | { base64: string } };

/** Returns a dressing as JSON. */
export function dressingToTask({ chime, ...dressing }: Dressing): TaskDressing {
  if (chime === undefined) return dressing;
  const given = typeof chime === 'string' ? chime : { base64: Buffer.from(chime).toString('base64') };
  return { ...dressing, chime: given };
}

/** @throws OptionError for a value out of range, or an invalid chime */
export function dressingOfTask({ chime, ...dressing }: TaskDressing): Dressing {
  if (chime === undefined) return checkDressing(dressing);
  const given = typeof chime === 'string' ? chime : Buffer.from(chime.base64, 'base64');
  return checkDressing({ ...dressing, chime: given });
}

/**
 * The work on one prompt: all that its sound depends on, as plain data without the key of the account. Another member of a
 * fleet can do the work with its connection to the same account.
 */
export const rowTask = lazy(() =>
  z.object({
    request: accountRequest(),
    markup: markupField(),
    cache: z.boolean(),
    pronunciations: pronunciationList().optional(),
    /** The defaults of the account. Another member can have the account with other ones. */
    defaults: z.object({ voice_id: z.string().optional(), language: z.string().optional() }),
    accountPronunciations: pronunciationList(),
    /** Whether the account's fallback may speak the prompt. */
    fallback: z.boolean(),
    ...retryFields(),
    format: z.unknown().transform(parseFormat),
    /** Whether the file has the mark of synthetic speech. A member with an earlier version sends no value. */
    mark: markField(),
    dressing: z.custom<TaskDressing>((value) => typeof value === 'object' && value !== null),
    /** Prompts of the run that each member makes at a time. A member with an earlier version sends no value. */
    parallel: z.int().optional(),
    /** Relative path of the prompt file, for messages. */
    filename: z.string(),
    /** The hash of the row (`hashOf`). Equal hashes mean equal audio. */
    hash: z.string(),
  }),
);

export type RowTask = z.output<ReturnType<typeof rowTask>>;

const warningText = lazy(() => z.custom<Text>(isText));

const isText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ['key', 'values', 'english'].every((name) => name in value);

/** The description of the audio of a prompt. */
export const madeRow = lazy(() =>
  z.object({
    /** Seconds of the audio, with chime and silences. */
    seconds: z.number(),
    /** Seconds that the service charged: 0 if cached, undefined if it did not state them. */
    charged: z.number().optional(),
    /** True if all of the speech came from the cache. */
    cached: z.boolean(),
    voice_id: z.string(),
    language: z.string(),
    /** Warnings about the text, without repetitions. A member with an earlier version sends none. */
    warnings: z.array(warningText()).default([]),
  }),
);

/** The audio of a prompt. */
export interface MadeRow extends z.output<ReturnType<typeof madeRow>> {
  /** A complete file. */
  data: Uint8Array;
}
