import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import { fieldOf } from '../base/values.js';
import { abridgedText } from '../interface/describe-issues.js';
import { hosted } from './hosted/hosted.js';
import { openai } from './openai/openai.js';
import type { OpenAiOptions } from './openai/options.js';
import type { Upstream, UpstreamDefaults, UpstreamKind, UpstreamSetup } from './upstream.js';
import type { ServiceAddress } from '../http/transport.js';
import { wyoming, type WyomingOptions } from './wyoming/wyoming.js';

/** The kind of service behind a client, with its options. */
export type UpstreamChoice =
  | { kind: 'hosted' }
  | ({ kind: 'openai' } & OpenAiOptions)
  | ({ kind: 'wyoming' } & WyomingOptions);

/** A kind of service with its options. */
interface ChosenUpstream {
  readonly defaults: UpstreamDefaults;
  /** @throws SpeechError `not-configured` */
  addressOf(typed: { url: unknown; apiKey: unknown }): ServiceAddress;
  /** @throws SpeechError `not-configured` */
  create(address: ServiceAddress, setup: UpstreamSetup): Upstream;
}

/**
 * Returns the chosen kind of service. To add a kind, add it here and to `UpstreamChoice` (docs/upstreams.md).
 * @throws SpeechError `not-configured` for an unknown kind
 */
export function upstreamOf(choice: UpstreamChoice): ChosenUpstream {
  switch (choice.kind) {
    case 'hosted':
      return chosen(hosted, choice);
    case 'wyoming':
      return chosen(wyoming, choice);
    case 'openai':
      return chosen(openai, choice);
    default:
      throw unknownKind(choice);
  }
}

/** Returns the error of a kind that no type permits: a program in JavaScript has no types. */
function unknownKind(choice: never): SpeechError {
  const rule = 'expected a kind of docs/upstreams.md';
  const value = abridgedText(fieldOf(choice, 'kind'));
  return new SpeechError('not-configured', text('invalid', { field: 'upstream.kind', value, rule }));
}

const chosen = <Options>(
  { defaults, addressOf, create }: UpstreamKind<Options>,
  options: Options,
): ChosenUpstream => ({
  defaults,
  addressOf,
  create: (address, setup) => create(options, address, setup),
});
