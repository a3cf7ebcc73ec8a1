import { COMMAND_MS } from './failure.js';

/** Milliseconds by which the timer is early, so that the caller gets the failure within the deadline. */
const EARLY_MS = 10;

/**
 * Calls `expire` after the deadline of a command, unless the returned function is called before. A reply that arrived while
 * the event loop was blocked is in time: the sockets are read once more before the deadline counts.
 */
export function startDeadline(expire: () => void): () => void {
  let isOpen = true;
  const check = () => {
    if (isOpen) expire();
  };
  const timer = setTimeout(() => setImmediate(() => setImmediate(check)), COMMAND_MS - EARLY_MS);
  return () => {
    isOpen = false;
    clearTimeout(timer);
  };
}
