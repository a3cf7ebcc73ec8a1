/** The natural voices: finds, installs, plays and removes them. */
import {
  ImportBox,
  isStated,
  NativeBox,
  type NaturalVoice,
  type SoundButtons,
  type Voice,
} from '@herald-speech/browser';
import { type Api, ApiError } from '../lib/api.js';
import { confirmed } from '../lib/dialogs.js';
import { attempt, errorMessage, showSectionStatus } from '../lib/dom.js';
import { pathOf, size } from '../lib/format.js';
import { text } from '../lib/text.js';
import { ConsentDialog } from '../natural/consent-dialog.js';
import { showFolder } from '../natural/folder.js';
import { Installations } from '../natural/installations.js';
import { NaturalLists } from '../natural/lists.js';
import { createElements } from '../natural/markup.js';
import { NaturalService } from '../natural/natural-service.js';
import { showOffer } from '../natural/offer.js';
import type { VoiceActions } from '../natural/row.js';
import { surface } from '../natural/surface.js';
import { measured } from '../natural/words.js';

export interface NaturalViewOptions {
  player: SoundButtons;
  /** Called with the identifier of the voice to speak with. */
  onChoice: (id: string) => void;
  /** Called after voices were installed or removed. Loads the voices of the service and sets `speaking`. */
  onChange: () => Promise<void>;
}

export class NaturalView {
  readonly #elements = createElements();
  readonly #consent = new ConsentDialog();
  readonly #service: NaturalService;
  readonly #installations: Installations;
  readonly #lists: NaturalLists;
  readonly #import: ImportBox;
  readonly #native: NativeBox;
  #speaking: ReadonlyMap<string, Voice> = new Map();
  #freeBytes: number | undefined;
  /** The number of requests for the list. */
  #requests = 0;
  /** The names of the installed voices that are measured again. */
  readonly #measuring = new Set<string>();

  constructor(
    api: Api,
    private readonly options: NaturalViewOptions,
  ) {
    this.#service = new NaturalService(api);
    const onProgress = (name: string) => this.#lists.showProgress(name);
    this.#installations = new Installations(this.#service, onProgress, async () => {
      await this.#update();
    });
    this.#lists = new NaturalLists({
      elements: this.#elements,
      actions: this.#actions(),
      installations: this.#installations,
      isSpeaking: (voice) => this.#voiceOf(voice) !== undefined,
    });
    const check = () => this.#check();
    this.#import = new ImportBox(surface, this.#service.imports, check);
    this.#native = new NativeBox(surface, this.#service.native, check);
    const { refresh, check: again, offered } = this.#elements;
    offered.box.after(this.#native.element, this.#import.element);
    refresh.addEventListener('click', () => this.#attempt(refresh, () => this.#refresh()));
    again.addEventListener('click', () => this.#attempt(again, check));
  }

  /** Sets the voices that the service speaks with. */
  set speaking(voices: readonly Voice[]) {
    this.#speaking = new Map(voices.map((voice) => [voice.voice_id, voice]));
    this.#lists.render();
  }

  /**
   * Loads and shows the list. Hides the section if the service does not offer it to the account.
   * @throws ApiError
   */
  async load(): Promise<void> {
    try {
      await this.#update();
      await this.#native.show();
      this.#offer(true);
    } catch (error) {
      const isRefused = error instanceof ApiError && [403, 404].includes(error.status);
      this.#offer(!isRefused);
      if (!isRefused) throw error;
    }
  }

  #offer(isOffered: boolean): void {
    this.#elements.section.hidden = !isOffered;
    for (const link of document.querySelectorAll<HTMLElement>('[href="#natural"]')) link.hidden = !isOffered;
  }

  /** Loads the list. Reports the installations that were completed since the last time. A late reply does not replace a newer one. */
  async #update(): Promise<readonly NaturalVoice[]> {
    const request = (this.#requests += 1);
    const content = await this.#service.list();
    if (request !== this.#requests) return content.voices;
    const completed = this.#installations.update(content.voices);
    this.#freeBytes = content.freeBytes;
    this.#lists.show(content);
    this.#import.show(content);
    showFolder(this.#elements, content);
    showOffer(content, (voice, pressed) => this.#attempt(pressed, () => this.#accept(voice)));
    if (completed.length > 0) await this.#report(completed);
    return content.voices;
  }

  async #report(completed: readonly NaturalVoice[]): Promise<void> {
    const reports = completed.map((voice) => this.#reportOf(voice));
    const isBad = completed.some(({ job }) => job?.error);
    showSectionStatus(this.#elements.status, reports.join(' '), isBad ? 'bad' : 'good');
    await this.options.onChange();
  }

  #reportOf({ name, title, installed, job }: NaturalVoice): string {
    const isMeasured = this.#measuring.delete(name);
    if (job?.error) return text('natural.measurement-failed', { name: title, problem: job.error });
    const done = text(isMeasured ? 'natural.measured' : 'natural.installed', { name: title });
    return [done, ...(installed ? [`${measured(installed)}.`] : [])].join(' ');
  }

  async #check(): Promise<string> {
    await this.#update();
    await this.options.onChange();
    return '';
  }

  async #refresh(): Promise<string> {
    await this.#service.refresh();
    await this.#update();
    return text('natural.refreshed');
  }

  /** Returns the first voice of the service that an installed voice provides. */
  #voiceOf({ installed }: NaturalVoice): Voice | undefined {
    return this.#speaking.get(installed?.voiceIds[0] ?? '');
  }

  #actions(): VoiceActions {
    return {
      install: (voice) => this.#askConsent(voice),
      cancel: (voice, button) => this.#attempt(button, () => this.#cancel(voice)),
      dismiss: ({ name }, button) => this.#attempt(button, () => this.#dismiss(name)),
      measure: (voice, button) => this.#attempt(button, () => this.#measure(voice)),
      remove: (voice, button) => this.#attempt(button, () => this.#remove(voice)),
      speak: (voice) => this.options.onChoice(this.#voiceOf(voice)?.voice_id ?? ''),
      play: (voice, button) => this.#play(voice, button),
    };
  }

  #attempt(control: HTMLElement, work: () => Promise<string>): void {
    void attempt(this.#elements.status, control, work);
  }

  /** Installs a voice whose licence the pressed button stated. Asks if the model card states another one. */
  async #accept(voice: NaturalVoice): Promise<string> {
    const { name } = voice;
    const card = await this.#service.card(name, new AbortController().signal);
    if (!isStated(card, voice)) {
      this.#askConsent(voice);
      return '';
    }
    this.#installations.start(name, await this.#service.install(name, card.sha256));
    await this.#update();
    location.hash = '#natural';
    return '';
  }

  #askConsent(voice: NaturalVoice): void {
    const { name } = voice;
    this.#consent.open(voice, {
      load: async (signal) => {
        const card = await this.#service.card(name, signal);
        await this.#update(); // The list has the licence of the card from now on.
        return { card, freeBytes: this.#freeBytes };
      },
      accept: async (sha256) => {
        this.#installations.start(name, await this.#service.install(name, sha256));
      },
      onStarted: () => this.#lists.render(),
      // The update has replaced the button that opened the dialog if the card contains another licence.
      onClosed: () => this.#lists.restoreFocus(name),
    });
  }

  async #cancel({ name, title }: NaturalVoice): Promise<string> {
    await this.#installations.end(name);
    const voices = await this.#update();
    if (!voices.find((voice) => voice.name === name)?.installed) {
      return text('natural.cancelled', { name: title });
    }
    await this.options.onChange();
    return this.#measuring.delete(name) ? '' : text('natural.unmeasured', { name: title });
  }

  async #dismiss(name: string): Promise<string> {
    await this.#installations.end(name);
    await this.#update();
    return '';
  }

  async #measure({ name }: NaturalVoice): Promise<string> {
    this.#installations.start(name, await this.#service.measure(name));
    this.#measuring.add(name);
    this.#lists.render();
    return '';
  }

  async #remove({ name, title, bytes }: NaturalVoice): Promise<string> {
    const isWanted = await confirmed({
      title: text('natural.remove-title', { name: title }),
      text: text('natural.remove-warning', { size: size(bytes) }),
      yes: text('natural.remove'),
    });
    if (!isWanted) return '';
    await this.#service.remove(name);
    await this.#update();
    await this.options.onChange();
    return text('natural.removed', { name: title });
  }

  /** Plays a sentence with an installed voice, otherwise the sample of the list. */
  #play(voice: NaturalVoice, button: HTMLButtonElement): void {
    const [sample] = this.#voiceOf(voice)?.samples ?? [];
    const load = async () => (sample ? pathOf(sample.url) : this.#service.sample(voice.name));
    this.options.player
      .toggle(button, load)
      .catch((error: unknown) => showSectionStatus(this.#elements.status, errorMessage(error), 'bad'));
  }
}
