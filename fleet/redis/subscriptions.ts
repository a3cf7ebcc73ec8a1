import type { Redis as Client } from 'ioredis';

type Listener = (message: string) => void;

/** The subscriptions of a member. The connection starts with the first one. */
export class Subscriptions {
  // With #: inspect() does not show the password of the client.
  readonly #client: Client;
  private readonly channels = new Map<string, Set<Listener>>();
  private isClosed = false;

  /** @param client subscribes again after a new connection */
  constructor(client: Client) {
    this.#client = client;
    client.on('message', (channel, message) => {
      this.channels.get(channel)?.forEach((listener) => listener(message));
    });
  }

  /** Returns a function that ends the subscription. */
  add(channel: string, listener: Listener): () => void {
    const listeners = this.channels.get(channel) ?? new Set();
    listeners.add(listener);
    if (!this.channels.has(channel)) {
      this.channels.set(channel, listeners);
      if (!this.isClosed) this.#client.subscribe(channel).catch(() => {});
    }
    return () => this.remove(channel, listeners, listener);
  }

  /** Makes the connection anew. */
  renew(): void {
    if (!this.isClosed && this.channels.size > 0) this.#client.disconnect(true);
  }

  close(): void {
    this.isClosed = true;
    this.channels.clear();
    this.#client.disconnect();
  }

  private remove(channel: string, listeners: Set<Listener>, listener: Listener): void {
    listeners.delete(listener);
    if (listeners.size > 0 || this.channels.get(channel) !== listeners) return;
    this.channels.delete(channel);
    if (!this.isClosed) this.#client.unsubscribe(channel).catch(() => {});
  }
}
