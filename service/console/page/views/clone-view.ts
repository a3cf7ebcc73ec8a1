/** Clones a voice from a file or a recording. */
import {
  byId,
  fieldsOf,
  MAX_SECONDS,
  type Recording,
  RecordingError,
  startRecording,
  textOf,
} from '@herald-speech/browser';
import type { Api } from '../lib/api.js';
import { attempt, errorMessage, showSectionStatus } from '../lib/dom.js';
import { duration, size } from '../lib/format.js';
import type { Limits } from '../lib/limits.js';
import { text } from '../lib/text.js';

export class CloneView {
  readonly #form = byId('clone-form', HTMLFormElement);
  readonly #input = byId('sample-file', HTMLInputElement);
  readonly #name = byId('clone-name', HTMLInputElement);
  readonly #audio = byId('sample', HTMLAudioElement);
  readonly #record = byId('record', HTMLButtonElement);
  readonly #status = byId('clone-status', HTMLElement);
  #sample: File | undefined;
  #recording: Recording | undefined;

  /** @param onCloned called with the identifier of the new voice */
  constructor(
    private readonly api: Api,
    private readonly limits: Limits,
    private readonly onCloned: (id: string) => Promise<void>,
  ) {
    this.#name.maxLength = limits.name;
    this.#input.addEventListener('change', () => this.#takeFile());
    this.#record.addEventListener('click', () => void this.#toggleRecording());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#form.reportValidity()) return;
      const button = event.submitter instanceof HTMLElement ? event.submitter : this.#form;
      void attempt(this.#status, button, () => this.#clone());
    });
  }

  /** Clears the form and the sample. */
  clear(): void {
    this.#form.reset();
    this.#take(undefined);
  }

  #takeFile(): void {
    const [file] = this.#input.files ?? [];
    if (file === undefined) return;
    this.#take(file.size < this.limits.sampleBytes ? file : undefined);
    if (this.#sample === undefined) {
      const most = size(this.limits.sampleBytes);
      showSectionStatus(
        this.#status,
        text('clone.too-large', { file: file.name, size: size(file.size), most }),
        'bad',
      );
    } else byId('sample-name', HTMLElement).textContent = file.name;
  }

  #take(sample: File | undefined): void {
    this.#sample = sample;
    showSectionStatus(this.#status, '');
    byId('sample-name', HTMLElement).textContent = '';
    URL.revokeObjectURL(this.#audio.src);
    this.#audio.hidden = sample === undefined;
    if (sample === undefined) this.#audio.removeAttribute('src');
    else this.#audio.src = URL.createObjectURL(sample);
  }

  async #toggleRecording(): Promise<void> {
    if (this.#recording) this.#recording.stop();
    else await attempt(this.#status, this.#form, () => this.#recordSample());
  }

  async #recordSample(): Promise<string> {
    const recording = await startRecording().catch(explained);
    this.#recording = recording;
    this.#record.textContent = text('clone.stop');
    const hideProgress = this.#showProgress(recording);
    try {
      const { file, seconds } = await recording.finished.catch(explained);
      this.#input.value = '';
      this.#take(file);
      byId('sample-name', HTMLElement).textContent = text('clone.recording');
      return text('clone.recorded', { duration: duration(seconds) });
    } finally {
      hideProgress();
      this.#recording = undefined;
      this.#record.textContent = text(this.#sample ? 'clone.record-again' : 'clone.record');
    }
  }

  /** Shows time and level of a recording. Returns a function that hides them. */
  #showProgress({ level }: Recording): () => void {
    const meter = byId('level', HTMLMeterElement);
    const time = byId('recorded-time', HTMLElement);
    const start = performance.now();
    meter.hidden = false;
    const timer = setInterval(() => {
      meter.value = level();
      const recorded = duration((performance.now() - start) / 1000);
      time.textContent = text('clone.time', { duration: recorded, max: MAX_SECONDS });
    }, 100);
    return () => {
      clearInterval(timer);
      meter.hidden = true;
      time.textContent = '';
    };
  }

  async #clone(): Promise<string> {
    if (this.#sample === undefined) throw new Error(text('clone.no-sample'));
    const name = this.#name.value.trim();
    const description = byId('clone-description', HTMLInputElement).value.trim();
    const body = new FormData();
    body.append('name', name);
    if (description !== '') body.append('description', description);
    body.append('files', this.#sample, this.#sample.name);
    const reply = await this.api.json('POST', '/v1/custom-voices/cloned-voice', { body });
    const { voice_id, approximate } = fieldsOf(reply);
    this.clear();
    await this.onCloned(textOf(voice_id)).catch((error: unknown) => {
      showSectionStatus(byId('custom-status', HTMLElement), errorMessage(error), 'bad');
    });
    const created = text('clone.created', { name });
    return approximate === true ? `${created} ${text('clone.approximate')}` : created;
  }
}

/** Throws the error of a recording with its text. */
function explained(cause: unknown): never {
  throw cause instanceof RecordingError ? new Error(text(`clone.${cause.reason}`), { cause }) : cause;
}
