import type { CallOptions } from '../calls/account.js';
import type { SpeechService } from './service.js';
import { SpeechError } from '../base/errors.js';
import { checkRequest } from '../interface/check-request.js';
import { abridgedText } from '../interface/describe-issues.js';
import { speechRequest } from '../interface/lazy-schemas.js';
import { MAX_TEXT_LENGTH } from '../interface/limits.js';
import { voiceSettings } from '../interface/models.js';
import { isSpeakable } from '../text/characters.js';
import { cutText } from '../text/chunk.js';
import { plainText } from '../text/plain-text.js';
import { pronounced, type Pronunciation } from '../text/pronunciation.js';
import { cutQuickStart } from '../text/quick-start.js';
import { cutSentences } from '../text/sentence-cuts.js';
import { shareDuration } from './share-duration.js';
import type { SpeechRequest } from '../interface/operations.js';
import { type Text, text as message } from '../base/messages.js';

type Cut = ReturnType<typeof cutText>[number];

/** A text, split into chunks of at most 300 characters. */
export interface SpeechPlan {
  cuts: Cut[];
  /** The whole text as sent. */
  text: string;
  /** The checked request of each chunk. */
  requests: SpeechRequest[];
  warnings: Text[];
}

export interface PlanOptions extends CallOptions {
  /** Whether the first of several pieces is a sentence or clause of up to about 100 characters. Default false. */
  quickStart?: boolean | undefined;
  /** Whether each sentence is a piece. Default false. */
  sentences?: boolean | undefined;
  pronunciations?: readonly Pronunciation[] | undefined;
}

/**
 * Checks a request and splits its text.
 * @param maxTextLength UTF-16 code units
 * @throws SpeechError `bad-request` before anything is sent. To divide a `duration` among several chunks, the plan needs
 *   predictions; their failures are thrown as well (docs/interface.md#open-points).
 */
export async function planSpeech(
  service: SpeechService,
  request: SpeechRequest,
  options: PlanOptions,
  maxTextLength = Infinity,
): Promise<SpeechPlan> {
  const { replaceHash } = service.settings;
  const checked = options.checked === true ? request : checkRequest(speechRequest, request);
  checkText(checked.text, maxTextLength);
  const warnings: Text[] = [];
  const plain = options.markup === 'remove' ? withoutMarkup(checked.text, warnings) : checked.text;
  const spelled = pronounced(plain, checked.language, options.pronunciations);
  if (spelled !== plain && !isSpeakable(spelled)) throw wrongText(spelled, message('rule-text'));
  const text = readable(spelled, replaceHash, warnings);
  warnings.push(...unknownFields(checked));
  const cuts = speakableCuts(text, checked, options, warnings);
  if (cuts.length > 1 && checked.normalized_text !== undefined) {
    throw new SpeechError(
      'bad-request',
      message('normalized-long', { field: 'normalized_text', limit: MAX_TEXT_LENGTH, count: cuts.length }),
    );
  }
  const requests = cuts.map((cut) => ({ ...checked, text: cut.text }));
  return { cuts, text, warnings, requests: await shareDuration(service, requests, options) };
}

/** @throws SpeechError `bad-request` */
function checkText(text: string, maxLength: number): void {
  if (text.length > maxLength) throw wrongText(text, message('rule-characters', { limit: maxLength }));
  if (!isSpeakable(text)) throw wrongText(text, message('rule-text'));
}

function wrongText(text: string, rule: Text): SpeechError {
  return new SpeechError(
    'bad-request',
    message('invalid', { field: 'text', value: abridgedText(text), rule }),
  );
}

/** @throws SpeechError `bad-request` if the text is nothing but markup */
function withoutMarkup(text: string, warnings: Text[]): string {
  const { text: plain, removed } = plainText(text);
  if (!isSpeakable(plain)) throw wrongText(text, message('rule-text-left'));
  warnings.push(...removed.map((kind) => message(`warning-${kind}`, { field: 'text' })));
  return plain;
}

/** Warns of fields and voice settings that the client does not know. It sends them, because a newer service may know them. */
function unknownFields({ voice_settings = {}, ...fields }: SpeechRequest): Text[] {
  const names = Object.keys(fields).filter((field) => !Object.hasOwn(speechRequest.shape, field));
  const settings = Object.keys(voice_settings).filter((name) => !Object.hasOwn(voiceSettings, name));
  return [...names, ...settings.map((name) => `voice_settings.${name}`)].map((field) =>
    message('warning-unknown', { field }),
  );
}

/** A service may refuse "#" (docs/interface.md#open-points). */
const HASH = { name: '"#"', pattern: /#/g };
/** A lone surrogate, as in a text that was cut by length, has no UTF-8 encoding. */
const HALF_CHARACTER = { name: message('warning-half-character'), pattern: /\p{Surrogate}/gu };

/** Replaces characters that a service may refuse by spaces, so that all offsets stay the same. */
function readable(text: string, replaceHash: boolean, warnings: Text[]): string {
  const refused = replaceHash ? [HASH, HALF_CHARACTER] : [HALF_CHARACTER];
  const found = refused.filter(({ pattern }) => text.search(pattern) >= 0);
  warnings.push(...found.map(({ name }) => message('warning-replaced', { field: 'text', name })));
  return found.reduce((before, { pattern }) => before.replace(pattern, ' '), text);
}

function speakableCuts(
  text: string,
  { language, normalized_text }: SpeechRequest,
  { sentences = false, quickStart = false }: PlanOptions,
  warnings: Text[],
): Cut[] {
  // A normalized text belongs to one chunk.
  const divides = normalized_text === undefined;
  const cut = divides && sentences ? cutSentences : divides && quickStart ? cutQuickStart : cutText;
  const all = cut(text, { maxLength: MAX_TEXT_LENGTH, language });
  const cuts = all.filter((cut) => isSpeakable(cut.text));
  if (cuts.length < all.length) {
    warnings.push(message('warning-left-out', { field: 'text', count: all.length - cuts.length }));
  }
  return cuts;
}
