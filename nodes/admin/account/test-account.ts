import {
  asSpeechError,
  type Client,
  type Examination,
  type Features,
  operations,
  PAGE_SIZE,
  type SpeechDefaults,
} from '@herald-speech/client';
import { messageError, type MessageError } from '../../runtime/ports.js';
import { localizeError } from '../../runtime/localize.js';
import { hasOperation } from '../../account/operations.js';
import { type RemoteService, remoteOf } from '../../account/services.js';
import { ANSWER_TIMEOUT_MS, explainTest, noAnswer, type TestedAddress } from './explain-test.js';
import { endpoint, type EndpointTask } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';

/** The result of a successful test. */
interface Report {
  /** Credit balance, or null if the service is free of charge. Missing if the service does not count credits. */
  balance?: number | null;
  /** Number of preset voices, which can be approximate. */
  voices: number;
  /** Milliseconds of a short request. */
  latencyMs: number;
  /** Whether the latency is the one of a spoken sentence. */
  spoken: boolean;
  /** Whether the default voice of the service spoke the sentence. */
  serverVoice?: boolean;
  features: ReportedFeatures;
  /** Only of a service whose list of voices proves nothing. */
  examined?: Examined | undefined;
  /** The error that speaking with the account's default voice would cause, if any. */
  voice?: MessageError | undefined;
}

/** An examination in the words of the dialog. */
interface Examined extends Omit<Examination, 'models'> {
  /** The first models that the service lists; none if it lists no models. */
  models: readonly string[];
  isModelListed: boolean;
}

/** Models that the dialog offers. */
const MAX_MODELS = 100;

/** The abilities of a service in the words of the dialog. */
interface ReportedFeatures {
  speed: boolean;
  styles: boolean;
  instructions: boolean;
  customVoices: boolean;
  formats: readonly string[];
  /** UTF-16 code units of one request. */
  maxTextLength: number;
}

/** Tests the connection and the key, and reads the balance and the voices. Costs no credits. */
export const testAccount = endpoint({
  path: '/herald/test',
  permission: 'herald.read',
  request: target,
  async run({ client, defaults, request: { typed }, signal, translator }): Promise<Report> {
    // The first call runs alone, so that a wrong address or key causes one error, not three.
    const service = typed && remoteOf(typed);
    const field = service?.addressIn ?? 'url';
    const address = { field, address: typed?.[field]?.trim() ?? '' };
    const first = await firstCall(client, address, signal);
    const speaks = service?.isFree === true;
    const [examined, page, problem] = await Promise.all([
      answerIn(address, signal, (limited) => examine(client, limited)),
      client.call(operations.searchVoices, { page_size: PAGE_SIZE.min }, { signal }),
      problemOf(client, { defaults, speaks }, { signal, translator }),
    ]);
    return {
      ...first,
      ...problem,
      examined,
      voices: page.total ?? page.items.length,
      features: reportedFeatures(client.features, service),
    };
  },
});

function reportedFeatures(features: Features, service: RemoteService | undefined): ReportedFeatures {
  const { fields, formats, maxTextLength } = features;
  const has = (field: string) => fields === 'all' || fields.includes(field);
  return {
    speed: has('voice_settings.speed'),
    styles: has('style') && !service?.shows.includes('speech'),
    instructions: has('style') && service?.shows.includes('speech') === true,
    customVoices: hasOperation(features, operations.createClonedVoice),
    formats,
    maxTextLength,
  };
}

type FirstReply = Pick<Report, 'balance' | 'latencyMs'>;

/**
 * Reads the balance, or a voice of a service without credits, in one attempt.
 * @throws SpeechError with the cause in the words of the dialog
 */
function firstCall(client: Client, address: TestedAddress, parent: AbortSignal): Promise<FirstReply> {
  return answerIn(address, parent, async (signal) => {
    const start = performance.now();
    const balance = await balanceOf(client, signal);
    return { ...balance, latencyMs: Math.round(performance.now() - start) };
  });
}

/** Returns the first models of a service, and whether it lists the model of the account. */
async function examine(client: Client, signal: AbortSignal): Promise<Examined | undefined> {
  const examination = await client.examine({ signal });
  if (examination === undefined) return undefined;
  const { models = [], ...facts } = examination;
  return {
    ...facts,
    models: models.slice(0, MAX_MODELS),
    isModelListed: models.includes(facts.model),
  };
}

/**
 * Does a part of the test within 10 seconds.
 * @throws SpeechError with the cause in the words of the dialog
 */
async function answerIn<Result>(
  address: TestedAddress,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(noAnswer(address.field)), ANSWER_TIMEOUT_MS);
  const signal = AbortSignal.any([parent, late.signal]);
  try {
    return await work(signal);
  } catch (error) {
    throw await explainTest(asSpeechError(error), address, parent);
  } finally {
    clearTimeout(timer);
  }
}

async function balanceOf(client: Client, signal: AbortSignal): Promise<Pick<Report, 'balance'>> {
  const options = { signal, attempts: 1 };
  if (hasOperation(client.features, operations.getCredits)) {
    const { balance } = await client.call(operations.getCredits, {}, options);
    return { balance };
  }
  await client.call(operations.searchVoices, { page_size: PAGE_SIZE.min }, options);
  return {};
}

/** The account of a test, and whether it may speak. */
interface Tested {
  defaults: SpeechDefaults;
  /** Whether speech is free, so that the test speaks a sentence. */
  speaks: boolean;
}

/**
 * Speaks a sentence if that is free, or predicts its duration, which fails like speech. Returns the error that speaking with the
 * defaults would cause, or the latency of the sentence.
 */
async function problemOf(
  client: Client,
  { defaults, speaks }: Tested,
  { signal, translator }: Pick<EndpointTask<unknown>, 'signal' | 'translator'>,
): Promise<Pick<Report, 'voice' | 'spoken' | 'serverVoice'> & { latencyMs?: number }> {
  try {
    const voice = await client.complete({}, defaults, { signal });
    const request = { ...voice, text: 'Hello' };
    if (!speaks) {
      await client.predict(request, { signal });
      return { spoken: false };
    }
    const start = performance.now();
    await client.speak(request, { signal, cache: false });
    const latencyMs = Math.round(performance.now() - start);
    return { spoken: true, latencyMs, serverVoice: voice.voice_id === client.features.defaultVoice };
  } catch (error) {
    return { spoken: false, voice: messageError(localizeError(translator, asSpeechError(error))) };
  }
}
