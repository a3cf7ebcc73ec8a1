/** Speaks a text with the selected voice. */
import { byId, element, fieldsOf, numberOf, trialText, type Voice } from '@herald-speech/browser';
import type { Api } from '../lib/api.js';
import { attempt, type Choice, formField, errorMessage, offer } from '../lib/dom.js';
import { duration, pageLanguageName, plain } from '../lib/format.js';
import type { Limits } from '../lib/limits.js';
import { text } from '../lib/text.js';
import { SettingsView } from './settings-view.js';

/** Milliseconds without input until the page requests a prediction. */
const PAUSE = 400;

export class SpeakView {
  readonly #form = byId('speak-form', HTMLFormElement);
  readonly #text = byId('text', HTMLTextAreaElement);
  readonly #audio = byId('spoken', HTMLAudioElement);
  readonly #settings: SettingsView;
  #voice: Voice | undefined;
  #languages: readonly string[] = [];
  #prediction = new AbortController();

  /** @param onSpoken called after each speech request, which changes credits and usage */
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

  /** Sets the languages for custom voices. The interface does not list the languages of a custom voice. */
  set languages(codes: readonly string[]) {
    this.#languages = codes;
  }

  /** Selects a voice. */
  use(voice: Voice): void {
    this.#voice = voice;
    byId('chosen-voice', HTMLElement).textContent = voice.name;
    const languages = voice.own ? this.#languages : voice.language;
    offer(this.#select('language'), languages.map(choice(pageLanguageName)), 'en');
    const styles = voice.own
      ? [{ value: '', label: text('speak.default') }]
      : voice.styles.map(choice(plain));
    offer(this.#select('style'), styles);
    this.#changed();
  }

  /** Speaks a short sentence with a voice. @throws ApiError */
  async sentence({ voice_id }: Voice, language: string): Promise<Blob> {
    const path = `/v1/text-to-speech/${encodeURIComponent(voice_id)}`;
    const reply = await this.api.send('POST', path, { body: trialText(language) });
    this.onSpoken();
    return reply.blob();
  }

  #changed(): void {
    const { length } = this.#text.value;
    const excess = length - this.limits.text;
    const counter = byId('text-length', HTMLElement);
    counter.textContent = text('speak.length', { length, max: this.limits.text });
    counter.dataset['tone'] = excess > 0 ? 'bad' : 'plain';
    this.#text.setCustomValidity(excess > 0 ? text('speak.too-long', { count: excess }) : '');
    const models = this.#models().map(choice((model) => model));
    offer(this.#select('model'), models, this.limits.defaultModel);
    this.#settings.showFor(this.#select('model').value);
    void this.#predict();
  }

  /** Returns the models for the language and style. The samples of a voice list its combinations (docs/interface.md#sample). */
  #models(): readonly string[] {
    const { models = [], samples = [], own = false } = this.#voice ?? {};
    if (own) return this.limits.models;
    const [language, style] = [this.#select('language').value, this.#select('style').value];
    const matching = samples.filter((sample) => sample.language === language && sample.style === style);
    return samples.length === 0 ? models : [...new Set(matching.map(({ model }) => model))];
  }

  async #predict(): Promise<void> {
    this.#prediction.abort();
    this.#prediction = new AbortController();
    const { signal } = this.#prediction;
    const output = byId('predicted', HTMLElement);
    if (!/[\p{L}\p{N}]/u.test(this.#text.value) || !this.#form.checkValidity()) {
      output.textContent = '';
      return;
    }
    try {
      await sleep(PAUSE, signal);
      const reply = await this.api.json('POST', this.#path('predict-duration'), {
        body: this.#body(),
        signal,
      });
      output.textContent = text('speak.predicted', {
        duration: duration(numberOf(fieldsOf(reply)['duration']) ?? 0),
      });
    } catch (error) {
      if (!signal.aborted) output.textContent = errorMessage(error);
    }
  }

  async #speak(): Promise<string> {
    if (this.#voice === undefined) throw new Error(text('speak.choose'));
    const { name } = this.#voice;
    const format = this.#select('format').value;
    const body = { ...this.#body(), output_format: format };
    const reply = await this.api.send('POST', this.#path('text-to-speech'), { body });
    this.#offerAudio(await reply.blob(), `${name}.${format}`);
    this.onSpoken();
    // Some browsers play audio late, or only after another click. The report does not wait for the sound.
    this.#audio.play().catch(() => undefined);
    return spokenReport(reply, name);
  }

  #offerAudio(audio: Blob, file: string): void {
    URL.revokeObjectURL(this.#audio.src);
    this.#audio.src = URL.createObjectURL(audio);
    this.#audio.hidden = false;
    const link = element(
      'a',
      { id: 'download', className: 'button', href: this.#audio.src, download: file },
      text('speak.download'),
    );
    byId('download', HTMLAnchorElement).replaceWith(link);
  }

  #path(operation: string): string {
    return `/v1/${operation}/${encodeURIComponent(this.#voice?.voice_id ?? '')}`;
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
    return formField(this.#form, name, HTMLSelectElement);
  }
}

/** Describes the audio of a reply. A simple voice can speak in place of a slow natural voice (docs/interface.md#headers). */
function spokenReport({ headers }: Response, name: string): string {
  const values = { duration: duration(Number(headers.get('x-audio-length'))), name };
  const simple = headers.get('x-voice-fallback');
  return simple === null ? text('speak.done', values) : text('speak.simple', { ...values, simple });
}

function choice(label: (word: string) => string) {
  return (value: string): Choice => ({ value, label: label(value) });
}

/** Resolves after a time in milliseconds. Rejects with the reason of the signal if the signal aborts first. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
