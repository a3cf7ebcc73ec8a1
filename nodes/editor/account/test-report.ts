/** The lines of a successful test of an account. */
import { type Fields, fieldsOf, textOf, textsOf } from '@herald-speech/browser';
import { numeral } from '../lib/languages.js';
import { errorFrom, errorText, type Target } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';

/** A line of the result. */
export interface TestLine {
  text: string;
  /** Whether the line reports a fault. */
  isWrong: boolean;
}

export const well = (text: string): TestLine => ({ text, isWrong: false });
export const wrong = (text: string): TestLine => ({ text, isWrong: true });

/** Returns the localized lines of a successful test. The account is not valid if its default voice is unknown. */
export function reportOf(reply: Fields, { typed }: Target, node: EditorNode): TestLine[] {
  const { service = '' } = typed;
  const voiceError = reply['voice'];
  const voice = voiceError === undefined ? undefined : errorText(errorFrom(voiceError), node);
  const examined = reply['examined'] === undefined ? undefined : fieldsOf(reply['examined']);
  const count = textOf(reply['voices']);
  const listsVoices = examined?.['listsVoices'] !== false;
  const [answer, ...facts] = examinedLines(examined, typed, node);
  // A web page has no voices and no features.
  if (answer !== undefined && examined?.['address'] === 'page') return [answer];
  const lines = [
    ...balanceLines(reply, node),
    node._(listsVoices ? 'test.voices' : 'test.no-voices', { count }),
    ...(reply['serverVoice'] === true ? [node._('test.server-voice')] : []),
    latencyText(reply, node),
    featuresText(fieldsOf(reply['features']), node),
    ...costLines(service, node),
    ...(serviceFacts(service).has('getCredits') && service !== 'local' ? [rateText(typed, node)] : []),
  ];
  return [
    answer ?? well(node._(`test.well-${service}`)),
    ...facts,
    ...lines.map(well),
    ...(voice === undefined ? [] : [wrong(node._('test.voice', { wrong: voice }))]),
  ];
}

/** The keys of the texts about an address that no list confirms. */
const DOUBTS: Readonly<Record<string, string>> = { unknown: 'test.unconfirmed', page: 'test.page' };

/** Returns the lines about address, key and model of a service that tells about them: first the one about the address. */
function examinedLines(
  examined: Fields | undefined,
  { apiKey = '' }: Target['typed'],
  node: EditorNode,
): TestLine[] {
  if (examined === undefined) return [];
  const doubt = DOUBTS[textOf(examined['address'])];
  return [
    doubt === undefined ? well(node._('test.well-openai')) : wrong(node._(doubt)),
    ...(examined['isKeyChecked'] === true
      ? []
      : [well(node._(apiKey === '' ? 'test.key-blank' : 'test.key-unchecked'))]),
    ...modelLines(examined, node),
  ];
}

/** Models that a line names. */
const NAMED_MODELS = 5;

function modelLines(examined: Fields, node: EditorNode): TestLine[] {
  if (examined['isModelListed'] === true) return [];
  const models = textsOf(examined['models']).slice(0, NAMED_MODELS).join(', ');
  if (models === '') return [well(node._('test.model-unchecked'))];
  return [wrong(node._('test.model-unlisted', { model: textOf(examined['model']), models }))];
}

/** Returns the balance, with a warning if it is used up. `null` means free of charge. */
function balanceLines(reply: Fields, node: EditorNode): string[] {
  if (reply['balance'] === undefined) return [];
  const balance = textOf(reply['balance']);
  if (balance === '') return [node._('test.no-balance')];
  return [node._(Number(balance) > 0 ? 'test.balance' : 'test.no-credits', { balance })];
}

const latencyText = (reply: Fields, node: EditorNode): string =>
  node._(reply['spoken'] === true ? 'test.latency-spoken' : 'test.latency', {
    latency: numeral(Number(reply['latencyMs'])),
  });

/** The features of a service that the test names. */
const FEATURES = {
  speed: 'test.speed',
  styles: 'test.styles',
  instructions: 'test.instructions',
  customVoices: 'test.customVoices',
} as const;

function featuresText(features: Fields, node: EditorNode): string {
  const having = Object.entries(FEATURES).flatMap(([name, key]) =>
    features[name] === true ? [node._(key)] : [],
  );
  const formats = textsOf(features['formats']).map((format) => format.toUpperCase());
  const length = numeral(Number(features['maxTextLength']));
  return node._('test.features', { features: [...having, ...formats].join(', '), length });
}

/** States that the test spoke no sentence because the service may charge it. */
function costLines(service: string, node: EditorNode): string[] {
  const { isFree, has } = serviceFacts(service);
  return isFree || has('getCredits') ? [] : [node._('test.not-spoken')];
}

function rateText(typed: Target['typed'], node: EditorNode): string {
  const rate = typed['requestsPerMinute'] || 'auto';
  return rate === 'auto' ? node._('test.rate-auto') : node._('test.rate', { rate });
}
