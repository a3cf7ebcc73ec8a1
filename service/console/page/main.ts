/** Starts the page: gets access, then shows what the account has. */
import { Api } from './api.js';
import { loadVoices } from './catalogue.js';
import { CloneView } from './views/clone-view.js';
import { byId, say, wordsOf } from './dom.js';
import { KeysView } from './views/keys-view.js';
import { type Limits, loadLimits } from './limits.js';
import { OwnVoicesView } from './views/custom-voices-view.js';
import { SignIn } from './sign-in.js';
import { SpeakView } from './views/speak-view.js';
import { UsageView } from './views/usage-view.js';
import { VoicesView } from './views/voices-view.js';

const api = new Api((message) => signIn.ask(message));
const signIn = new SignIn(api, () => show());
let load: (() => Promise<void>) | undefined;

signIn.start().catch((error: unknown) => signIn.ask(wordsOf(error)));

/** Shows the account; the views are made once, and loaded again for every account. */
async function show(): Promise<void> {
  load ??= createViews(await loadLimits(api));
  await load();
}

/** @returns how to load all that the views show */
function createViews(limits: Limits): () => Promise<void> {
  const usage = new UsageView(api);
  const keys = new KeysView(api);
  const speak = new SpeakView(api, limits, () => quietly('usage-status', () => usage.load()));
  const voices = new VoicesView((voice) => speak.use(voice));
  const choose = (id: string) => {
    voices.choose(id);
    byId('text', HTMLTextAreaElement).focus();
  };
  const own = new OwnVoicesView(api, limits, choose, () => loadCatalogue());
  const loadCatalogue = async () => {
    const all = await loadVoices(api);
    speak.languages = [...new Set(all.flatMap(({ languages }) => languages))];
    voices.show(all);
    own.show(all.filter(({ isOwn }) => isOwn));
  };
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
    await loadCatalogue();
  };
}

/** Does what the user does not wait for; a failure shows in its own place. */
function quietly(place: string, work: () => Promise<void>): void {
  work().catch((error: unknown) => say(byId(place, HTMLElement), wordsOf(error), 'bad'));
}
