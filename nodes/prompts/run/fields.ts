import { between, lazy, pronunciationList, rule, z } from '@herald-speech/client';
import { MAX_CONNECTIONS } from '../../account/limits.js';
import { announcementProperties, announcementFields, chimeFileGiven } from '../../lib/announcement.js';
import { markField, markProperty } from '../../lib/mark.js';
import { formatField, formatProperty } from '../../lib/output-format.js';
import { utteranceProperties, utteranceRequest, voiceProperties } from '../../lib/utterance.js';
import { say } from '../../runtime/messages.js';
import {
  choiceProperty,
  flagProperty,
  fromMessage,
  numberProperty,
  objectProperty,
  type Property,
  textProperty,
} from '../../lib/property.js';
import { retryFields, retryProperties } from '../../lib/retries.js';

const ACTIONS = ['run', 'plan'] as const;
const GONE = ['keep', 'delete'] as const;

/** Prompts that a node makes at a time. Each may send several requests, within the limits of the account. */
export const DEFAULT_PARALLEL = 4;
export const MAX_PARALLEL = MAX_CONNECTIONS;

/** The evaluated properties of the prompts node. A missing field of a row has the value of the node. */
export const promptFields = lazy(() =>
  utteranceRequest()
    .omit({ text: true, output_format: true, include_phonemes: true, normalized_text: true })
    .extend({
      /** An array of objects, or CSV as a string or a Buffer. */
      rows: z.unknown().optional(),
      /** Path of a CSV file. It wins over `rows`. */
      csv_file: z.string().min(1).optional(),
      /** Path of the folder of the prompt files. */
      folder: z.string(rule(say('rule-folder'))).min(1, rule(say('rule-folder'))),
      pronunciations: pronunciationList().optional(),
      format: formatField(),
      mark: markField(),
      cache: z.boolean().default(true),
      ...announcementFields(),
      ...retryFields(),
      parallel: between(z.int(), 1, MAX_PARALLEL).default(DEFAULT_PARALLEL),
      action: z.enum(ACTIONS).default('run'),
      each_file: z.boolean().default(false),
      gone: z.enum(GONE).default('keep'),
      index_csv: z.boolean().default(false),
      index_html: z.boolean().default(false),
      fallback: z.boolean().default(false),
      resume: z.boolean().default(false),
      spread: z.boolean().default(false),
    })
    .refine(...chimeFileGiven()),
);

/** The evaluated and checked properties. */
export type PromptRequest = z.output<ReturnType<typeof promptFields>>;

const more = { section: 'output', more: true } as const;

/** The saved properties of the prompts node. */
export const promptProperties = {
  rows: {
    ...fromMessage('table', 'payload'),
    types: ['msg', 'json', 'flow', 'global', 'env', 'jsonata'],
    section: 'say',
  },
  csv_file: textProperty('file-text-o', { section: 'say', pathFor: 'rows' }),
  folder: textProperty('folder-o', { section: 'say' }),
  pronunciations: objectProperty('book', { section: 'say', more: true }),
  markup: utteranceProperties.markup,
  ...voiceProperties,
  format: { ...formatProperty, more: false },
  action: choiceProperty('play-circle-o', ACTIONS, { section: 'output', value: 'run' }),
  gone: choiceProperty('trash-o', GONE, { ...more, value: 'keep' }),
  index_csv: flagProperty('list-alt', more),
  index_html: flagProperty('print', more),
  each_file: flagProperty('tasks', more),
  cache: flagProperty('database', more),
  mark: markProperty,
  ...announcementProperties,
  parallel: numberProperty('clone', { section: 'expert' }),
  ...retryProperties,
  fallback: flagProperty('life-ring', { section: 'queue' }),
  // `msg.resume` ends a pause, so a message cannot set this property.
  resume: {
    ...flagProperty('undo', { section: 'queue', value: 'false', ofNode: true }),
    types: ['bool', 'env'],
  },
  spread: flagProperty('share-alt', { section: 'expert' }),
} satisfies Record<string, Property>;
