export const transportDefaults = {
  /** Milliseconds until a connection is established, including DNS and TLS. */
  connectTimeout: 10_000,
  /** Milliseconds until the first byte of a reply. */
  firstByteTimeout: 60_000,
  /** Milliseconds between two parts of a reply. */
  idleTimeout: 30_000,
  /**
   * Bytes of one reply. Speech of 300 characters usually lasts less than a minute: 12 MB as stereo WAV at 48 kHz. A service that takes longer
   * texts may send more.
   */
  maxReplyBytes: 32_000_000,
  /** Bytes of a JSON reply. A full page of voices has about 200 kB. Audio inside JSON counts against `maxReplyBytes`. */
  maxJsonBytes: 2_000_000,
  /** Longest Retry-After in seconds. A longer one counts as this value. */
  maxRetryAfter: 900,
  /** Concurrent connections. */
  connections: 8,
};

export type TransportOptions = typeof transportDefaults;
