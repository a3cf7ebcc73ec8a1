/** Plays what the runtime brings, one sound at a time, on buttons that stop it again. */
import type { Reply } from '../ask.js';
import { playToEnd } from './player.js';
import { textOf } from '../text.js';

/** What plays, and the button that it was asked for with. */
let playing: { stop: AbortController; button: HTMLButtonElement } | undefined;

/** A word of the listen node's locale file, which all players share. */
export const listenWord = (key: string): string => RED._(`@herald-speech/node-red/herald-listen:${key}`);

/** Ends what plays. */
export function stopSound(): void {
  playing?.stop.abort();
}

/**
 * Plays a sound, or stops it where the button's own is playing. While it does, the button shows that it stops.
 * @param bring asks for the sound: `{audio, mime}`, the audio in base64
 * @throws what `bring` throws, or Error when the browser can't play it
 */
export async function toggleSound(button: HTMLButtonElement, bring: () => Promise<Reply>): Promise<void> {
  const again = playing?.button === button;
  stopSound();
  if (again) return;
  const mine = { stop: new AbortController(), button };
  playing = mine;
  show(button, 'busy');
  try {
    const sound = await bring();
    if (mine.stop.signal.aborted) return;
    show(button, 'playing');
    await playData(textOf(sound.get('audio')), textOf(sound.get('mime')), mine.stop.signal);
  } finally {
    show(button, 'idle');
    if (playing === mine) playing = undefined;
  }
}

async function playData(base64: string, type: string, signal: AbortSignal): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const source = URL.createObjectURL(new Blob([bytes], { type }));
  try {
    await playToEnd(source, signal, listenWord);
  } finally {
    URL.revokeObjectURL(source);
  }
}

const ICONS = { idle: 'fa-play', busy: 'fa-circle-o-notch fa-spin', playing: 'fa-stop' };

function show(button: HTMLButtonElement, state: keyof typeof ICONS): void {
  button.dataset['state'] = state;
  button.ariaPressed = String(state !== 'idle');
  const icon = button.querySelector('.fa');
  if (icon !== null) icon.className = `fa ${ICONS[state]}`;
}
