/** Plays one audio source in the browser. */

/** Milliseconds from the start to the first sound. A URL without a reply must not block the queue. */
const START_TIMEOUT_MS = 30_000;

/**
 * Plays audio and resolves at its end, or when the signal fires.
 * @param source a URL or an object URL
 * @param textOf returns a localized text of the listen node
 * @param volume from 0 to 1
 * @throws Error if the browser cannot play the audio, or it does not start within 30 seconds
 */
export function playToEnd(
  source: string,
  signal: AbortSignal,
  textOf: (key: string) => string,
  volume = 1,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const audio = new Audio(source);
  audio.volume = volume;
  const over = new AbortController();
  const ended = new Promise<void>((resolve, reject) => {
    audio.addEventListener('ended', () => resolve());
    audio.addEventListener('error', () => reject(new Error(audio.error?.message || textOf('unreadable'))));
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    start(audio, over.signal, textOf).catch(reject);
  });
  return ended.finally(() => {
    over.abort();
    audio.pause();
    audio.removeAttribute('src');
  });
}

/** Starts the audio. If the browser requires a click first, asks the user for it. */
async function start(
  audio: HTMLAudioElement,
  over: AbortSignal,
  textOf: (key: string) => string,
): Promise<void> {
  const timeout = setTimeout(() => audio.dispatchEvent(new Event('error')), START_TIMEOUT_MS);
  const stopTimeout = () => clearTimeout(timeout);
  audio.addEventListener('playing', stopTimeout);
  over.addEventListener('abort', stopTimeout);
  try {
    await audio.play();
  } catch (error) {
    stopTimeout();
    if (over.aborted) return;
    if (!(error instanceof DOMException && error.name === 'NotAllowedError')) throw error;
    await clickOrAbort(over, textOf);
    if (!over.aborted) await audio.play();
  }
}

/** Shows a notification with a play button. Resolves when the user presses the button or the signal fires. */
function clickOrAbort(over: AbortSignal, textOf: (key: string) => string): Promise<void> {
  return new Promise((resolve) => {
    const notification = RED.notify(textOf('may-it-play'), {
      fixed: true,
      buttons: [{ text: textOf('play'), class: 'primary', click: () => close() }],
    });
    const close = () => {
      notification.close();
      resolve();
    };
    over.addEventListener('abort', close, { once: true });
  });
}
