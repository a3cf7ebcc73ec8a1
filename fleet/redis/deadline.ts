import { COMMAND_MS } from './failure.js';

/**
 * Calls `expire` after the deadline of a command, unless the returned function is called before. A reply that arrived while
 * the event loop was blocked is in time: the sockets are read once more before the deadline counts.
 */
export function startDeadline(expire: () => void): () => void {
  let isOpen = true;
  const check = () => {
    if (isOpen) expire();
  };
  const timer = setTimeout(() => setImmediate(() => setImmediate(check)), COMMAND_MS);
  return () => {
    isOpen = false;
    clearTimeout(timer);
  };
}
