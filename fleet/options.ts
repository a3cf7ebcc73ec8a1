import type { ConnectionOptions } from 'node:tls';
import type { Text } from '@herald-speech/client';

/** The Redis server of a fleet. */
export interface RedisServer {
  /** `redis://HOST:PORT/DATABASE`, or `rediss://` with TLS. Without user name and password. */
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  /** Certificates for `rediss://`. */
  tls?: ConnectionOptions | undefined;
  /** The beginning of all keys. Default `herald:`. */
  prefix?: string | undefined;
}

/** The audio that the members of a fleet share. */
export interface FleetCache {
  /** Where the audio is kept: in Redis, in a folder that all members share, or nowhere. */
  in: 'redis' | 'folder' | 'none';
  /** Bytes of all audio in Redis. */
  maxBytes?: number | undefined;
  /** Bytes of one piece in Redis. */
  maxPieceBytes?: number | undefined;
  /** Seconds after which a piece in Redis expires. */
  seconds?: number | undefined;
}

export interface FleetOptions extends RedisServer {
  /** Members with equal URL and key share limits. Redis gets only a keyed hash of both. */
  account: { url: string; apiKey: string };
  cache?: FleetCache | undefined;
  /** Receives each change of the state. */
  onChange?: ((state: FleetState) => void) | undefined;
}

/** The state of a fleet, seen by one member. */
export interface FleetState {
  /** Whether this member shares with the others. False while Redis fails. */
  isJoined: boolean;
  /** Members that were last known, this one included. */
  members: number;
  /** Why `isJoined` is false. */
  reason?: Text | undefined;
  /** Requests a minute of this member while `isJoined` is false. */
  share: number;
}
