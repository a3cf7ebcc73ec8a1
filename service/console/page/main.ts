/** Starts the page: signs in and shows the data of the account. */
import { Api } from './api.js';
import { loadVoices } from './catalogue.js';
import { CloneView } from './views/clone-view.js';
import { byId, messageOf, showStatus } from './dom.js';
import { KeysView } from './views/keys-view.js';
import { type Limits, loadLimits } from './limits.js';
import { CustomVoicesView } from './views/custom-voices-view.js';
import { NaturalView } from './views/natural-view.js';
import { SamplePlayer } from './sample-player.js';
import { SignIn } from './sign-in.js';
import { SpeakView } from './views/speak-view.js';
import { UsageView } from './views/usage-view.js';
import { VoicesView } from './views/voices-view.js';

const api = new Api((message) => signIn.ask(message));
const signIn = new SignIn(api, () => show());
let load: (() => Promise<void>) | undefined;

signIn.start().catch((error: unknown) => signIn.ask(messageOf(error)));

/** Shows the account. Creates the views once, and loads their data for each account. */
async function show(): Promise<void> {
  load ??= createViews(await loadLimits(api));
  await load();
}

/** Creates the views. Returns a function that loads their data. */
function createViews(limits: Limits): () => Promise<void> {
  const usage = new UsageView(api);
  const keys = new KeysView(api);
  const speak = new SpeakView(api, limits, () => quietly('usage-status', () => usage.load()));
  const player = new SamplePlayer();
  const voices = new VoicesView(player, (voice) => speak.use(voice));
  const choose = (id: string) => {
    voices.choose(id);
    byId('text', HTMLTextAreaElement).focus();
  };
  const customVoices = new CustomVoicesView(api, limits, choose, () => loadCatalogue());
  const loadCatalogue = async () => {
    const all = await loadVoices(api);
    speak.languages = [...new Set(all.flatMap(({ languages }) => languages))];
    voices.show(all);
    customVoices.show(all.filter(({ isCustom }) => isCustom));
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
    quietly('natural-status', () => natural.load());
    await loadCatalogue();
  };
}

/** Runs work in the background. Shows a failure in a status line. */
function quietly(status: string, work: () => Promise<void>): void {
  showStatus(byId(status, HTMLElement), '');
  work().catch((error: unknown) => showStatus(byId(status, HTMLElement), messageOf(error), 'bad'));
}
