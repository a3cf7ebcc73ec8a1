// replaced by branch
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import { answerFrom, type ListedVoice } from './local-answers.js';
import type { Features, UpstreamKind } from './upstream.js';

export interface OpenAiOptions {
  model?: string;
  voices?: readonly string[];
  instructions?: string;
  maxTextLength?: number;
}

const kindOf = <Options>(
  featuresOf: (options: Options) => Features,
  voicesOf: (options: Options) => readonly ListedVoice[],
): UpstreamKind<Options> => ({
  defaults: {},
  addressOf: ({ url, apiKey }) => ({ url: String(url), apiKey: String(apiKey) }),
  create: (options, { url }) => ({
    features: featuresOf(options),
    identity: JSON.stringify([url, options]),
    carries: false,
    open: () => ({
      async send(operation, request) {
        const answer = await answerFrom(operation, request, () => Promise.resolve(voicesOf(options)));
        if (answer !== undefined) return answer;
        throw new SpeechError(
          'not-supported',
          text('not-supported-operation', { operation: operation.name }),
        );
      },
      close: () => Promise.resolve(),
    }),
  }),
});

const operations = ['getVoice', 'listVoices', 'searchVoices', 'predictDuration', 'createSpeech'] as const;

export const openAi: UpstreamKind<OpenAiOptions> = kindOf(
  ({ maxTextLength = 4096 }) => ({
    operations,
    fields: ['voice_settings.speed', 'style'],
    formats: ['wav', 'mp3'],
    maxTextLength,
    estimates: true,
  }),
  ({ voices = ['alloy'] }) => voices.map((voice_id) => ({ voice_id, name: voice_id })),
);

export const wyoming: UpstreamKind<object> = kindOf(
  () => ({ operations, fields: [], formats: ['wav'], maxTextLength: 2000, estimates: true }),
  () => [{ voice_id: 'en-george', name: 'George', language: ['en'] }],
);
