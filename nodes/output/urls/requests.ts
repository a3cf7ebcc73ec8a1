/** A request for audio, as the dialog shows it. */
export interface AudioRequest {
  id: number;
  /** The file name of the audio. */
  name: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The address of the player. */
  address: string;
  userAgent: string;
  method: string;
  range?: string;
  http: '1.0' | '1.1';
  status: number;
  /** Bytes of the body that were sent so far. */
  bytes: number;
  via: 'node-red' | 'audio-port';
  state: 'running' | 'complete' | 'ended-early';
}

const listeners = new Set<(request: AudioRequest) => void>();

/**
 * Calls a listener for each change of a request for audio, with a copy of the request.
 * @returns a function that removes the listener
 */
export function watchRequests(listener: (request: AudioRequest) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
