import type { CallOptions } from '../calls/call-options.js';
import type { SpeechService } from './service.js';
import { SpeechError } from '../base/errors.js';
import { checkRequest } from '../interface/check-request.js';
import { abridgedText } from '../interface/describe-issues.js';
import { speechRequest } from '../interface/speech-request.js';
import { models, voiceSettings } from '../interface/models.js';
import { isSpeakable } from '../text/characters.js';
import { cutText } from '../text/chunk.js';
import { plainText } from '../text/plain-text.js';
import { pronounced, type Pronunciation } from '../text/pronunciation.js';
import { cutQuickStart } from '../text/quick-start.js';
import { ownReading, plainReading, type Reading } from '../text/reading.js';
import { INTERPRET_AS, markSayAs, splitMarks } from '../text/say-as.js';
import { cutSentences } from '../text/sentence-cuts.js';
import { shareDuration } from './share-duration.js';
import type { SpeechRequest } from '../interface/operations.js';
import { type Text, text as message } from '../base/messages.js';
import { type WrittenCut, writtenCuts, type WrittenText } from './written-cuts.js';

type Cut = ReturnType<typeof cutText>[number];

/** A text, split into chunks that fit into one request. */
export interface SpeechPlan {
  cuts: WrittenCut[];
  /** The whole text without markup, with the replacements of the pronunciations. `cuts` refer to it. Figures are as in the request. */
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
  /** The readings of all services that may speak the text. Default: the reading of this service. */
  readings?: readonly Reading[] | undefined;
  /** Longest text of a request to any of these services, in UTF-16 code units. Default: the limit of this service. */
  maxPieceLength?: number | undefined;
  /** The pieces of another service that has spoken the first ones, and the index of the next piece. Default: a new division. */
  goOn?: { plan: Pick<SpeechPlan, 'text' | 'cuts'>; from: number } | undefined;
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
  const checked = options.checked === true ? request : checkRequest(speechRequest, request);
  checkText(checked.text, maxTextLength);
  const warnings: Text[] = [];
  const marked =
    options.markup === 'remove' ? withoutMarkup(checked.text, warnings) : withWays(checked.text, warnings);
  const spelled = pronounced(marked, checked.language, options.pronunciations);
  if (spelled !== marked && !isSpeakable(spelled)) throw wrongText(spelled, message('rule-text'));
  const { text: plain, spans } = splitMarks(spelled);
  const reading = readingOf(service, checked);
  // Words replace "#" too, if the reading knows its meaning.
  const replaceHash = service.settings.replaceHash && !reading.writesFigures;
  const text = readable(plain, replaceHash, warnings);
  if (spans.length > 0 && !reading.saysAs) warnings.push(message('warning-not-said-as', { field: 'text' }));
  warnings.push(...unknownFields(checked));
  const longest = service.features.maxTextLength;
  const maxLength = Math.min(longest, options.maxPieceLength ?? longest);
  const whole = { text, spans, reading, maxLength };
  const cuts = cutsOf(whole, checked, warnings, options);
  const written = await withSentTexts(whole, cuts, checked, options);
  if (written.length > 1 && checked.normalized_text !== undefined) {
    const values = { field: 'normalized_text', limit: maxLength, count: written.length };
    throw new SpeechError('bad-request', message('normalized-long', values));
  }
  const hasHash = service.settings.replaceHash && written.some(({ sent }) => sent.includes('#'));
  if (hasHash) warnings.push(message('warning-replaced', { field: 'text', name: HASH.name }));
  const sentText = (sent: string) => (hasHash ? sent.replaceAll('#', ' ') : sent);
  const requests = written.map(({ sent }) => ({ ...checked, text: sentText(sent) }));
  return { cuts: written, text, warnings, requests: await shareDuration(service, requests, options) };
}

/** Returns the reading of a request. The caller's own reading wins, if the model knows the field. */
function readingOf({ reading = plainReading }: SpeechService, request: SpeechRequest): Reading {
  const { normalized_text, language, model } = request;
  if (normalized_text === undefined) return reading;
  // Without a model, services use the first one of the language.
  const used =
    model === undefined
      ? Object.values(models).find((one) => one.languages.includes(language))
      : models[model];
  return used?.normalizes === false ? reading : ownReading;
}

/** A text without markup, and the form in which its service gets it. */
type PlainText = Pick<WrittenText, 'text' | 'spans' | 'reading' | 'maxLength'>;

/** Adds the sent text of each chunk. Cuts a chunk further if its words do not fit into one request. */
async function withSentTexts(
  { reading, ...whole }: PlainText,
  cuts: readonly Cut[],
  { language }: SpeechRequest,
  { readings = [], goOn }: PlanOptions,
): Promise<WrittenCut[]> {
  const all = reading === ownReading ? [] : [reading, ...readings];
  const isPlain = whole.spans.length === 0 && !all.some(({ writesFigures }) => writesFigures);
  // Node.js 20 copies into an object with the new key 30 times faster than it adds the key to a copy.
  const unchanged = (cut: Cut) => ({ sent: cut.text, ...cut });
  if (isPlain && cuts.every(({ text }) => text.length <= whole.maxLength)) return cuts.map(unchanged);
  // The former service has spoken the pieces before `from`: they keep their places.
  const from = goOn?.from ?? 0;
  const rest = await writtenCuts({ ...whole, language, reading, readings: all }, cuts.slice(from));
  return [...cuts.slice(0, from).map(unchanged), ...rest];
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

/** Replaces the elements `say-as` by marks. Other markup is read. */
function withWays(text: string, warnings: Text[]): string {
  const { text: marked, unknown } = markSayAs(text);
  if (!isSpeakable(marked)) throw wrongText(text, message('rule-text'));
  const values = INTERPRET_AS.join(', ');
  warnings.push(
    ...unknown.map((value) =>
      message('warning-say-as', { field: 'text', value: abridgedText(value), values }),
    ),
  );
  return marked;
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

/** Returns the speakable chunks of a text, or the chunks of the former service: no word is then lost or spoken twice. */
function cutsOf(whole: PlainText, request: SpeechRequest, warnings: Text[], options: PlanOptions): Cut[] {
  const former = options.goOn?.plan;
  // The pronunciations of another language can change the text.
  if (former === undefined || former.text.length !== whole.text.length)
    return speakableCuts(whole, request, warnings, options);
  return former.cuts.map(({ start, end }) => ({ start, end, text: whole.text.slice(start, end) }));
}

function speakableCuts(
  { text, spans: whole, maxLength }: PlainText,
  { language, normalized_text }: SpeechRequest,
  warnings: Text[],
  { sentences = false, quickStart = false }: PlanOptions,
): Cut[] {
  // A normalized text belongs to one chunk.
  const divides = normalized_text === undefined;
  const cut = divides && sentences ? cutSentences : divides && quickStart ? cutQuickStart : cutText;
  const all = cut(text, { maxLength, language, whole });
  const cuts = all.filter((cut) => isSpeakable(cut.text));
  if (cuts.length < all.length) {
    warnings.push(message('warning-left-out', { field: 'text', count: all.length - cuts.length }));
  }
  return cuts;
}
