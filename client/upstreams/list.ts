import { hosted } from './hosted/hosted.js';
import { openAi, type OpenAiOptions, wyoming } from './stubs.js'; // replaced by branch
import type { Upstream, UpstreamDefaults, UpstreamKind, UpstreamSetup } from './upstream.js';
import type { ServiceAddress } from '../http/transport.js';

/** The kind of service behind a client, with its options. */
export type UpstreamChoice = { kind: 'hosted' } | ({ kind: 'openai' } & OpenAiOptions) | { kind: 'wyoming' };

/** A kind of service with its options. */
interface ChosenUpstream {
  readonly defaults: UpstreamDefaults;
  /** @throws SpeechError `not-configured` */
  addressOf(typed: { url: unknown; apiKey: unknown }): ServiceAddress;
  /** @throws SpeechError `not-configured` */
  create(address: ServiceAddress, setup: UpstreamSetup): Upstream;
}

/** Returns the chosen kind of service. To add a kind, add it here and to `UpstreamChoice` (docs/upstreams.md). */
export function upstreamOf(choice: UpstreamChoice): ChosenUpstream {
  switch (choice.kind) {
    case 'hosted':
      return chosen(hosted, choice);
    case 'openai':
      return chosen(openAi, choice);
    case 'wyoming':
      return chosen(wyoming, choice);
  }
}

const chosen = <Options>(
  { defaults, addressOf, create }: UpstreamKind<Options>,
  options: Options,
): ChosenUpstream => ({
  defaults,
  addressOf,
  create: (address, setup) => create(options, address, setup),
});
