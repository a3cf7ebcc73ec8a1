/** The sliders of the voice settings. */
import { byId, element } from '@herald-speech/browser';
import { formField } from '../lib/dom.js';
import type { Limits } from '../lib/limits.js';
import { language, text } from '../lib/text.js';

const sliders = [
  { name: 'speed', label: 'setting.speed', step: '0.05' },
  { name: 'pitch_shift', label: 'setting.pitch_shift', step: '0.5' },
  { name: 'pitch_variance', label: 'setting.pitch_variance', step: '0.05' },
] as const;
const names = sliders.map(({ name }) => name);

export class SettingsView {
  readonly #box = byId('settings', HTMLElement);

  constructor(private readonly limits: Limits) {
    const reset = byId('settings-reset', HTMLButtonElement);
    reset.before(...sliders.map(createSlider));
    for (const name of names) this.#prepare(name);
    reset.addEventListener('click', () => {
      for (const name of names) this.#slider(name).value = String(limits.setting(name).initial);
      this.#slider('speed').dispatchEvent(new Event('input', { bubbles: true }));
    });
    this.#box.addEventListener('input', () => names.forEach((name) => this.#showValue(name)));
  }

  /** Disables the settings that a model does not support. */
  showFor(model: string): void {
    for (const name of names) this.#slider(name).disabled = !this.limits.supports(model, name);
  }

  /** Returns the enabled settings that differ from their default, as `voice_settings` of a request. */
  values(): Record<string, number> {
    const moved = names
      .filter((name) => !this.#slider(name).disabled)
      .map((name): [string, number] => [name, this.#slider(name).valueAsNumber])
      .filter(([name, value]) => value !== this.limits.setting(name).initial);
    return Object.fromEntries(moved);
  }

  #prepare(name: string): void {
    const { min, max, initial } = this.limits.setting(name);
    const slider = this.#slider(name);
    slider.min = String(min);
    slider.max = String(max);
    slider.value = String(initial);
    this.#showValue(name);
  }

  #showValue(name: string): void {
    const slider = this.#slider(name);
    const output = slider.parentElement?.querySelector('.value');
    if (output) output.textContent = slider.valueAsNumber.toLocaleString(language());
  }

  #slider(name: string): HTMLInputElement {
    return formField(this.#box, name, HTMLInputElement);
  }
}

function createSlider({ name, label, step }: (typeof sliders)[number]): HTMLElement {
  const value = element('span', { className: 'value', ariaHidden: 'true' });
  return element('label', {}, text(label), value, element('input', { type: 'range', name, step }));
}
