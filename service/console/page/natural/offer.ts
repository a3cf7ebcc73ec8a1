/** Offers a natural voice in the language of the page while the service has none: one press installs it. */
import { byId, element, type NaturalList, type NaturalVoice, offeredVoice } from '@herald-speech/browser';
import { size } from '../lib/format.js';
import { language, text } from '../lib/text.js';

/**
 * Shows or hides the offer.
 * @param install installs the voice, whose licence the button states
 */
export function showOffer(
  list: NaturalList,
  install: (voice: NaturalVoice, pressed: HTMLElement) => void,
): void {
  const place = byId('voice-offer', HTMLElement);
  const voice = offeredVoice(list, language(), navigator.languages);
  place.hidden = voice === undefined || voice.job?.isDone === false;
  if (voice === undefined) return;
  const licence = voice.licence === '' ? text('natural.in-card') : voice.licence;
  const label = text('offer.install', { name: voice.title, size: size(voice.bytes), licence });
  const button = element('button', { type: 'button' }, label);
  button.addEventListener('click', () => install(voice, button));
  place.replaceChildren(element('span', {}, text('offer.robotic')), ' ', button);
}
