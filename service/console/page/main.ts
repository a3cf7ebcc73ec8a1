/** Starts the page: signs in and shows the data of the account. */
import { byId, choicesOf, element, languageNameIn, SoundButtons } from '@herald-speech/browser';
import { Api } from './lib/api.js';
import { errorMessage, quietly } from './lib/dom.js';
import { restoreDraft, storeDraft } from './lib/draft.js';
import { type Limits, loadLimits } from './lib/limits.js';
import {
  capitalized,
  language,
  languages,
  storeLanguage,
  text,
  useLanguage,
  writeTexts,
} from './lib/text.js';
import { loadVoices } from './views/catalogue.js';
import { CloneView } from './views/clone-view.js';
import { CustomVoicesView } from './views/custom-voices-view.js';
import { KeysView } from './views/keys-view.js';
import { MarkView } from './views/mark-view.js';
import { NaturalView } from './views/natural-view.js';
import { SignIn } from './views/sign-in.js';
import { SpeakView } from './views/speak-view.js';
import { UsageView } from './views/usage-view.js';
import { VoicesView } from './views/voices-view.js';

useLanguage();
writeTexts();
offerLanguages();

const api = new Api((message) => signIn.ask(message));
const signIn = new SignIn(api, () => show());
let load: (() => Promise<void>) | undefined;

signIn.start().catch((error: unknown) => signIn.ask(errorMessage(error)));

/** Shows the account. Creates the views once, and loads their data for each account. */
async function show(): Promise<void> {
  load ??= createViews(await loadLimits(api));
  await load();
  restoreDraft();
}

/** Creates the views. Returns a function that loads their data. */
function createViews(limits: Limits): () => Promise<void> {
  const usage = new UsageView(api);
  const keys = new KeysView(api);
  const mark = new MarkView(api);
  const speak = new SpeakView(api, limits, () => quietly('usage-status', () => usage.load()));
  const player = new SoundButtons({ unreadable: () => text('voices.unplayable') });
  const voices = new VoicesView(
    player,
    (voice, language) => speak.sentence(voice, language),
    (voice) => speak.use(voice),
  );
  const choose = (id: string) => {
    voices.choose(id);
    byId('text', HTMLTextAreaElement).focus();
  };
  const customVoices = new CustomVoicesView(api, limits, choose, () => loadCatalogue());
  const loadCatalogue = async () => {
    const all = await loadVoices(api);
    speak.languages = choicesOf(all, 'language');
    voices.show(all);
    customVoices.show(all.filter(({ own }) => own));
    natural.speaking = all;
  };
  const natural = new NaturalView(api, { player, onChoice: choose, onChange: loadCatalogue });
  const onCloned = async (id: string) => {
    await loadCatalogue();
    voices.choose(id);
  };
  const clone = new CloneView(api, limits, onCloned);
  return async () => {
    keys.hideNew();
    clone.clear();
    quietly('usage-status', () => usage.load());
    quietly('keys-status', () => keys.load());
    quietly('mark-status', () => mark.load());
    quietly('natural-status', () => natural.load());
    await loadCatalogue();
  };
}

/** Offers the languages of the page by their own names. A choice loads the page again, in the same session and with the values of the fields. */
function offerLanguages(): void {
  const list = byId('page-language', HTMLSelectElement);
  list.append(
    ...languages.map((code) =>
      element('option', { value: code, lang: code }, capitalized(languageNameIn(code, code))),
    ),
  );
  list.value = language();
  list.addEventListener('change', () => {
    storeLanguage(list.value);
    storeDraft();
    location.reload();
  });
}
