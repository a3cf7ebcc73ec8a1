/** Speaks a text with the chosen voice. */
import type { Api } from '../api.js';
import { attempt, byId, type Choice, fieldOf, make, offer, wordsOf } from '../dom.js';
import type { Limits } from '../limits.js';
import { fields, number } from '../read.js';
import { SettingsView } from './settings-view.js';
import type { Voice } from '../voice.js';
import { duration, languageName, plain } from '../words.js';

/** Milliseconds without a change before the duration is predicted. */
const PAUSE = 400;

export class SpeakView {
  readonly #form = byId('speak-form', HTMLFormElement);
  readonly #text = byId('text', HTMLTextAreaElement);
  readonly #audio = byId('spoken', HTMLAudioElement);
  readonly #settings: SettingsView;
  #voice: Voice | undefined;
  #languages: readonly string[] = [];
  #prediction = new AbortController();

  /** @param onSpoken told when something was spoken, and so charged */
  constructor(
    private readonly api: Api,
    private readonly limits: Limits,
    private readonly onSpoken: () => void,
  ) {
    this.#settings = new SettingsView(limits);
    this.#form.addEventListener('input', () => this.#changed());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#form.reportValidity()) return;
      const button = byId('speak-button', HTMLButtonElement);
      void attempt(byId('speak-status', HTMLElement), button, () => this.#speak());
    });
  }

  /** Languages that an own voice is tried with: nothing says which it has. */
  set languages(codes: readonly string[]) {
    this.#languages = codes;
  }

  /** Speaks with this voice from now on. */
  use(voice: Voice): void {
    this.#voice = voice;
    byId('chosen-voice', HTMLElement).textContent = voice.name;
    const languages = voice.isOwn ? this.#languages : voice.languages;
    offer(this.#select('language'), languages.map(choice(languageName)), 'en');
    const styles = voice.isOwn ? [{ value: '', label: 'Its own' }] : voice.styles.map(choice(plain));
    offer(this.#select('style'), styles);
    this.#changed();
  }

  #changed(): void {
    const { length } = this.#text.value;
    const excess = length - this.limits.text;
    const counter = byId('text-length', HTMLElement);
    counter.textContent = `${length} of ${this.limits.text} characters`;
    counter.dataset['tone'] = excess > 0 ? 'bad' : 'plain';
    this.#text.setCustomValidity(excess > 0 ? `${excess} characters too many for one request` : '');
    const models = this.#models().map(choice((model) => model));
    offer(this.#select('model'), models, this.limits.defaultModel);
    this.#settings.showFor(this.#select('model').value);
    void this.#predict();
  }

  /** The samples are the authority on what a voice can do (docs/interface.md#sample). */
  #models(): readonly string[] {
    const { models = [], samples = [], isOwn = false } = this.#voice ?? {};
    if (isOwn) return this.limits.models;
    const [language, style] = [this.#select('language').value, this.#select('style').value];
    const fitting = samples.filter((sample) => sample.language === language && sample.style === style);
    return samples.length === 0 ? models : [...new Set(fitting.map(({ model }) => model))];
  }

  async #predict(): Promise<void> {
    this.#prediction.abort();
    this.#prediction = new AbortController();
    const { signal } = this.#prediction;
    const place = byId('predicted', HTMLElement);
    if (!/[\p{L}\p{N}]/u.test(this.#text.value) || !this.#form.checkValidity()) {
      place.textContent = '';
      return;
    }
    try {
      await sleep(PAUSE, signal);
      const reply = await this.api.json('POST', this.#path('predict-duration'), {
        body: this.#body(),
        signal,
      });
      place.textContent = `About ${duration(number(fields(reply)['duration']))}`;
    } catch (error) {
      if (!signal.aborted) place.textContent = wordsOf(error);
    }
  }

  async #speak(): Promise<string> {
    if (this.#voice === undefined) throw new Error('Choose a voice first.');
    const { name } = this.#voice;
    const format = this.#select('format').value;
    const body = { ...this.#body(), output_format: format };
    const reply = await this.api.send('POST', this.#path('text-to-speech'), { body });
    this.#offerAudio(await reply.blob(), `${name}.${format}`);
    this.onSpoken();
    // A browser that wants another click leaves the player to it.
    await this.#audio.play().catch(() => undefined);
    return `${duration(Number(reply.headers.get('x-audio-length')))} with ${name}.`;
  }

  #offerAudio(audio: Blob, file: string): void {
    URL.revokeObjectURL(this.#audio.src);
    this.#audio.src = URL.createObjectURL(audio);
    this.#audio.hidden = false;
    const link = make(
      'a',
      { id: 'download', className: 'button', href: this.#audio.src, download: file },
      'Download',
    );
    byId('download', HTMLAnchorElement).replaceWith(link);
  }

  #path(operation: string): string {
    return `/v1/${operation}/${encodeURIComponent(this.#voice?.id ?? '')}`;
  }

  #body() {
    const [style, model] = [this.#select('style').value, this.#select('model').value];
    const voice_settings = this.#settings.values();
    return {
      text: this.#text.value,
      language: this.#select('language').value,
      ...(style && { style }),
      ...(model && { model }),
      ...(Object.keys(voice_settings).length > 0 && { voice_settings }),
    };
  }

  #select(name: string): HTMLSelectElement {
    return fieldOf(this.#form, name, HTMLSelectElement);
  }
}

function choice(label: (word: string) => string) {
  return (value: string): Choice => ({ value, label: label(value) });
}

/** Resolves after so many milliseconds. @throws when the signal fires first */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
