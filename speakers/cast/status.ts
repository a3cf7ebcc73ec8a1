/** The state of a Cast device ("Media Playback Messages" of Google Cast; public senders show the messages of the receiver). */
import { fieldOf, listOf, numberOf, textOf } from '../base/values.js';
import type { ReceivedMessage } from './channel.js';

/** Maximum length of a reason in UTF-16 code units. */
const MAX_REASON = 80;

/** The program of a device, and its volume. */
export interface Receiver {
  /** The id of the program; '' for none. */
  app: string;
  session: string;
  /** The address of the program on the connection. */
  transport: string;
  /** Percent. */
  volume: number;
  isMuted: boolean;
  /** Whether the volume cannot be set: some television sets have a fixed one. */
  isFixed: boolean;
}

/** The audio of a program. */
export interface Media {
  session: number;
  url: string;
  /** The MIME type. */
  type: string;
  /** `PLAYING`, `PAUSED`, `BUFFERING`, `IDLE`. */
  state: string;
  /** Why it is idle: `FINISHED`, `CANCELLED`, `INTERRUPTED`, `ERROR`. */
  reason: string;
  /** Seconds. */
  position: number;
  isLive: boolean;
}

/** The state of a device, from its messages. The memory is bounded: it keeps the last message of each kind. */
export class CastState {
  receiver: Receiver | undefined;
  /** Undefined if the program has no audio. */
  media: Media | undefined;
  /** The session before the announcement. Its last message may come after the first one of the announcement. */
  former: { program: string; session: number } | undefined;
  /** The last refusal. */
  refusal: { id: number; reason: string } | undefined;
  /** Whether the program ended the connection to it. */
  isClosed = false;

  /** Takes a message of the device. */
  take({ source, topic, type, payload }: ReceivedMessage): void {
    if (type === 'RECEIVER_STATUS') this.receiver = receiverIn(fieldOf(payload, 'status'));
    else if (type === 'MEDIA_STATUS' && source === this.receiver?.transport)
      this.takeMedia(source, listOf(fieldOf(payload, 'status')));
    else if (topic === 'tp.connection' && type === 'CLOSE' && source === this.receiver?.transport)
      this.isClosed = true;
    else if (/_(FAILED|CANCELLED|ERROR)$|^INVALID_/.test(type)) {
      const reason = textOf(fieldOf(payload, 'reason')) || numberOf(fieldOf(payload, 'detailedErrorCode'));
      this.refusal = {
        id: numberOf(fieldOf(payload, 'requestId')),
        reason: `${type} ${reason || ''}`.trim().slice(0, MAX_REASON),
      };
    }
  }

  /** A status can omit unchanged values of its audio. An idle status stays known until another one comes. */
  private takeMedia(program: string, [status]: readonly unknown[]): void {
    const { media } = this;
    if (status === undefined) {
      if (media?.state !== 'IDLE') this.media = undefined;
      return;
    }
    const session = numberOf(fieldOf(status, 'mediaSessionId'));
    // Each program counts its own sessions.
    if (session === this.former?.session && program === this.former.program) return;
    const known = media?.session === session ? media : undefined;
    const content = fieldOf(status, 'media');
    this.media = {
      session,
      url: textOf(fieldOf(content, 'contentId')) || (known?.url ?? ''),
      type: textOf(fieldOf(content, 'contentType')) || (known?.type ?? ''),
      isLive: fieldOf(content, 'streamType') === 'LIVE' || (known?.isLive ?? false),
      state: textOf(fieldOf(status, 'playerState')),
      reason: textOf(fieldOf(status, 'idleReason')),
      position: numberOf(fieldOf(status, 'currentTime')),
    };
  }
}

function receiverIn(status: unknown): Receiver {
  const [app] = listOf(fieldOf(status, 'applications'));
  const volume = fieldOf(status, 'volume');
  const level = fieldOf(volume, 'level');
  return {
    // The start screen of a device is a program that plays nothing.
    app: fieldOf(app, 'isIdleScreen') === true ? '' : textOf(fieldOf(app, 'appId')),
    session: textOf(fieldOf(app, 'sessionId')),
    transport: textOf(fieldOf(app, 'transportId')),
    volume: (typeof level === 'number' ? level : 1) * 100,
    isMuted: fieldOf(volume, 'muted') === true,
    isFixed: fieldOf(volume, 'controlType') === 'fixed',
  };
}
