/** Offers a natural voice for the flows that speak with the local service. */
import { textOf } from '@herald-speech/browser';
import { targetOf, type Target } from '../lib/runtime.js';
import { VoiceOffer } from './offer.js';

/** Shows the offer while the tab is visible. */
export function sidebarOffer() {
  // The texts of natural voices belong to the nodes.
  const node = { _: (key: string, values: object = {}) => RED._(`${TEXTS}:${key}`, values) };
  const text = () => node._('picker.natural.offer.robotic-flows');
  const offer = new VoiceOffer({ node, text, choose: () => undefined, installed: () => undefined });
  return {
    element: offer.element,
    start: () => {
      const target = localTarget();
      void offer.show(target, target === undefined ? '' : languageOf(target));
    },
    stop: () => undefined,
  };
}

const TEXTS = '@herald-speech/node-red/herald-text-to-speech';

/** Returns the local service as the flows use it. Undefined if they do not: a request would start the service. */
function localTarget(): Target | undefined {
  const ids = new Set<string>();
  RED.nodes.eachNode((node) => {
    if (node.type === 'herald-text-to-speech') ids.add(textOf(node['account']));
  });
  return [...ids].map(targetOf).find((target) => target?.typed['service'] === 'local');
}

/** Returns the language in which nodes without a language speak. */
const languageOf = ({ typed }: Target): string => (typed['language'] || RED.i18n.lang()).slice(0, 2);
