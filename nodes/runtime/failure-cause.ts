import type { messages as audioMessages } from '@herald-speech/audio';
import type { Languages, messages as clientMessages, Text } from '@herald-speech/client';
import { type nodeMessages, say } from './messages.js';
import type { statusMessages } from './status-messages.js';
import type { tableMessages } from './table-messages.js';

type MessageKey = keyof typeof clientMessages | keyof typeof audioMessages | keyof typeof nodeMessages;
type CauseKey = keyof typeof statusMessages & `cause-${string}`;

const tables = {
  'table-kind': 'cause-table',
  'table-empty': 'cause-table-blank',
  'table-bytes': 'cause-table',
  'table-rows': 'cause-table',
  'table-workbook': 'cause-table',
  'table-utf-16': 'cause-table',
  'table-encoding': 'cause-table',
  'table-header': 'cause-table',
  'table-columns': 'cause-table',
  'table-many-columns': 'cause-table',
  'table-column-twice': 'cause-table',
} as const satisfies Record<keyof typeof tableMessages & `table-${string}`, CauseKey>;

/** The short cause of each frequent message. A failure without a cause has the status of its code. */
const causes: ReadonlyMap<string, CauseKey & Constant> = new Map(
  Object.entries({
    ...tables,
    'rule-text': 'cause-text-blank',
    'rule-text-left': 'cause-text-blank',
    'rule-text-needed': 'cause-text-missing',
    'rule-buffer-text': 'cause-text-long',
    'normalized-long': 'cause-text-long',
    'folder-missing': 'cause-folder-missing',
    'prompts-busy': 'cause-folder-busy',
    'prompts-removed': 'cause-folder-missing',
    'file-missing': 'cause-file-missing',
    'rule-path': 'cause-path-missing',
    'rule-folder': 'cause-path-missing',
    'file-unnamed': 'cause-path-missing',
    'file-folder': 'cause-path',
    'file-special': 'cause-path',
    'file-not-folder': 'cause-path',
    'file-outside': 'cause-path',
    'prompts-own-index': 'cause-path',
    'file-denied': 'cause-denied',
    'file-full': 'cause-disk-full',
    'file-format': 'cause-extension',
    'chime-problem': 'cause-chime',
    'rule-chime-choice': 'cause-chime',
    'rule-chime': 'cause-chime',
    'rule-chime-audio': 'cause-chime',
    'rule-chime-long': 'cause-chime',
    'rule-chime-file': 'cause-chime-missing',
    'voice-unknown': 'cause-unknown-voice',
    'voice-named': 'cause-unknown-voice',
    'voice-not-installed': 'cause-not-installed',
    'account-missing': 'cause-account',
    'not-installed': 'cause-service',
    'no-urls': 'cause-no-urls',
    'no-audio-folder': 'cause-data-folder',
    'no-data-folder': 'cause-data-folder',
    'payload-kind': 'cause-audio',
    'payload-format': 'cause-audio',
    'payload-file': 'cause-audio-path',
    'payload-raw': 'cause-audio-raw',
    'buffer-full': 'cause-audio-large',
    'audio-large': 'cause-audio-large',
    'prompts-no-rows': 'cause-table-blank',
    'row-tag': 'cause-table',
  } as const satisfies Partial<Record<MessageKey, CauseKey & Constant>>),
);

/** The causes without a value. */
type Constant = Exclude<CauseKey, 'cause-no-voice' | 'cause-empty' | 'cause-field'>;

/** Messages about the value of a property. */
const ABOUT_FIELDS: readonly string[] = [
  'invalid',
  'missing',
  'not-evaluated',
] satisfies readonly MessageKey[];

/**
 * Returns the short cause of a failure from its message, which contains the messages of its rule and of its causes. A message about
 * a property without a cause of its own names the property.
 */
export function causeOf(text: Text): Text | undefined {
  const { key, values } = text;
  const known = knownCause(text);
  if (known !== undefined) return known;
  for (const inner of innerTexts(text)) {
    const cause = causeOf(inner);
    if (cause !== undefined) return cause;
  }
  const { field } = values;
  return ABOUT_FIELDS.includes(key) && typeof field === 'string'
    ? say('cause-field', { label: field })
    : undefined;
}

/** Returns whether the cause of a failure is a text without letters and digits. */
export const isBlankText = (text: Text): boolean =>
  causeOf(text)?.key === ('cause-text-blank' satisfies CauseKey);

function knownCause(text: Text): Text | undefined {
  const { language, tag } = text.values;
  if (isLanguages(language)) return say('cause-no-voice', { language });
  if (typeof tag === 'string' && ABOUT_EMPTY_TAGS.includes(text.key)) return emptyTag(tag);
  const isOfFile = innerTexts(text).some(({ values: { problem } }) => isText(problem) && isMissing(problem));
  if (text.key === 'chime-problem' && isOfFile) return say('cause-chime-missing');
  const cause = causes.get(text.key);
  return cause && say(cause);
}

/** Messages about a tag without a value. */
const ABOUT_EMPTY_TAGS: readonly string[] = [
  'warning-empty',
  'file-tag',
  'row-tag-empty',
] satisfies readonly MessageKey[];

/** Characters of the name of a tag in a status. */
const MAX_TAG = 24;

/** Returns the status of a tag without a value, such as `{{payload.temprature}}`. */
function emptyTag(tag: string): Text {
  const name = tag.replace(/^\{\{/, '').replace(/\}\}$/, '');
  const characters = Array.from(name);
  const isLong = characters.length > MAX_TAG;
  return say('cause-empty', { tag: isLong ? `${characters.slice(0, MAX_TAG).join('')}…` : name });
}

const isMissing = ({ key }: Text): boolean => key === 'file-missing';

/** Returns the messages in a message. Of a failed fallback, the failure of the node's account counts. */
function innerTexts({ key, values }: Text): Text[] {
  const { failure } = values;
  return (key === 'fallback-failed' ? [failure] : Object.values(values)).filter(isText);
}

const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'english' in value;

const isLanguages = (value: unknown): value is Languages =>
  typeof value === 'object' && value !== null && 'languages' in value;
