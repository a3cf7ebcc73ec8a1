/** Plays one source of audio in the browser. */

/** From the start to the first sound; an address that answers nothing must not hold up what waits. */
const START_TIMEOUT_MS = 30_000;

/**
 * Resolves when the audio is over, or the signal fires.
 * @param source an address, or an object URL
 * @param word a word of the listen node's locale file
 * @throws Error when the browser can't play it
 */
export function playToEnd(source: string, signal: AbortSignal, word: (key: string) => string): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const audio = new Audio(source);
  const over = new AbortController();
  const ended = new Promise<void>((resolve, reject) => {
    audio.addEventListener('ended', () => resolve());
    audio.addEventListener('error', () => reject(new Error(audio.error?.message || word('unreadable'))));
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    start(audio, over.signal, word).catch(reject);
  });
  return ended.finally(() => {
    over.abort();
    audio.pause();
    audio.removeAttribute('src');
  });
}

/** Starts to play; asks the user for a click where the browser wants one first. */
async function start(
  audio: HTMLAudioElement,
  over: AbortSignal,
  word: (key: string) => string,
): Promise<void> {
  const late = setTimeout(() => audio.dispatchEvent(new Event('error')), START_TIMEOUT_MS);
  const stopWaiting = () => clearTimeout(late);
  audio.addEventListener('playing', stopWaiting);
  over.addEventListener('abort', stopWaiting);
  try {
    await audio.play();
  } catch (error) {
    stopWaiting();
    if (over.aborted) return;
    if (!(error instanceof DOMException && error.name === 'NotAllowedError')) throw error;
    await clicked(over, word);
    if (!over.aborted) await audio.play();
  }
}

/** Resolves when the user has pressed the button of a notification, or nobody waits any more. */
function clicked(over: AbortSignal, word: (key: string) => string): Promise<void> {
  return new Promise((resolve) => {
    const notification = RED.notify(word('may-it-play'), {
      fixed: true,
      buttons: [{ text: word('play'), class: 'primary', click: () => close() }],
    });
    const close = () => {
      notification.close();
      resolve();
    };
    over.addEventListener('abort', close, { once: true });
  });
}
