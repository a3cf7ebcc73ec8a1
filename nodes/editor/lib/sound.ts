/** The sounds of the dialogs and of the sidebar. */
import { type Fields, type PlayOptions, SoundButtons, textOf } from '@herald-speech/browser';
import { onSilence } from './silence.js';

/** Returns a localized text of the listen node; all players use its texts. */
export const listenText = (key: string, values: object = {}): string =>
  RED._(`@herald-speech/node-red/herald-listen:${key}`, values);

/** How the editor plays sounds. */
export const playing: PlayOptions = {
  unreadable: (cause) => cause || listenText('unreadable'),
  /** Shows a notification with a play button. */
  askForClick: (over) =>
    new Promise((resolve) => {
      const notification = RED.notify(listenText('may-it-play'), {
        fixed: true,
        buttons: [{ text: listenText('play'), class: 'primary', click: () => close() }],
      });
      const close = () => {
        notification.close();
        resolve();
      };
      over.addEventListener('abort', close, { once: true });
    }),
};

const ICONS = { idle: 'fa-play', busy: 'fa-circle-o-notch fa-spin', playing: 'fa-stop' };

const sounds = new SoundButtons(playing, (button, state) => {
  const icon = button.querySelector('.fa');
  if (icon !== null) icon.className = `fa ${ICONS[state]}`;
});

/** Stops the current sound, also while it is loading. */
export const stopSound = (): void => sounds.stop();

// A dialog that closes takes its buttons with it.
RED.events.on('editor:close', stopSound);

/** The announcement or the node that a sound belongs to. A stop of it ends the sound. */
export interface SoundOwner {
  sound?: string;
  node?: string;
}

let owner: SoundOwner = {};
onSilence(({ sounds, node }) => {
  if (sounds.has(owner.sound ?? '') || (node !== '' && node === owner.node)) stopSound();
});

/**
 * Plays a sound until its end, or stops it if the button's sound is playing. The button shows its state.
 * @param load requests the sound: `{audio, mime}` with the audio in base64
 * @throws the error of `load`, or Error if the browser cannot play the audio
 */
export function toggleSound(
  button: HTMLButtonElement,
  load: () => Promise<Fields>,
  of: SoundOwner = {},
): Promise<void> {
  owner = of;
  return sounds.toggle(button, async () => {
    const { audio, mime } = await load();
    const bytes = Uint8Array.from(atob(textOf(audio)), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type: textOf(mime) });
  });
}
