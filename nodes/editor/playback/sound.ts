/** Plays sounds from the runtime, one at a time, with buttons that start and stop them. */
import type { Reply } from '../runtime.js';
import { textOf } from '../text.js';
import { playToEnd } from './player.js';

/** The current sound and its button. */
let playing: { stop: AbortController; button: HTMLButtonElement } | undefined;

/** Returns a localized text of the listen node; all players use its texts. */
export const listenText = (key: string): string => RED._(`@herald-speech/node-red/herald-listen:${key}`);

/** Stops the current sound, also while it is loading. */
export function stopSound(): void {
  playing?.stop.abort();
  playing = undefined;
}

// A dialog that closes takes its buttons with it.
RED.events.on('editor:close', stopSound);

/**
 * Plays a sound until its end, or stops it if the button's sound is playing. The button shows its state.
 * @param load requests the sound: `{audio, mime}` with the audio in base64
 * @throws the error of `load`, or Error if the browser cannot play the audio
 */
export async function toggleSound(button: HTMLButtonElement, load: () => Promise<Reply>): Promise<void> {
  const isStop = playing?.button === button;
  stopSound();
  if (isStop) return;
  const current = { stop: new AbortController(), button };
  playing = current;
  showState(button, 'busy');
  try {
    const sound = await load();
    if (current.stop.signal.aborted) return;
    showState(button, 'playing');
    await playData(textOf(sound.get('audio')), textOf(sound.get('mime')), current.stop.signal);
  } finally {
    // The button may already show the next sound.
    if (playing === current || playing?.button !== button) showState(button, 'idle');
    if (playing === current) playing = undefined;
  }
}

async function playData(base64: string, type: string, signal: AbortSignal): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const source = URL.createObjectURL(new Blob([bytes], { type }));
  try {
    await playToEnd(source, signal, listenText);
  } finally {
    URL.revokeObjectURL(source);
  }
}

const ICONS = { idle: 'fa-play', busy: 'fa-circle-o-notch fa-spin', playing: 'fa-stop' };

function showState(button: HTMLButtonElement, state: keyof typeof ICONS): void {
  button.dataset['state'] = state;
  button.ariaPressed = String(state !== 'idle');
  const icon = button.querySelector('.fa');
  if (icon !== null) icon.className = `fa ${ICONS[state]}`;
}
