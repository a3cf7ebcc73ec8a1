/**
 * Calls `expire` after the deadline of a command in milliseconds, unless the returned function is called before. A reply that arrived while
 * the event loop was blocked is in time: the sockets are read once more before the deadline counts.
 */
export function startDeadline(expire: () => void, milliseconds: number): () => void {
  let isOpen = true;
  const check = () => {
    if (isOpen) expire();
  };
  const timer = setTimeout(() => setImmediate(() => setImmediate(check)), milliseconds);
  return () => {
    isOpen = false;
    clearTimeout(timer);
  };
}
