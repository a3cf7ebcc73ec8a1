import { abridgedText, asSpeechError, sniffAudio, SpeechError } from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { type Clip, type Clips, sharedClips } from './runtime/clips.js';
import { activityOf } from './runtime/activity/activity.js';
import type { AnnouncedSound } from './runtime/activity/sounds.js';
import { propertyOf } from './runtime/objects.js';
import { isRaw } from './runtime/media-types.js';
import { exactValue } from './runtime/exact-values.js';
import { isReset, playbackQueueMode, priorityOf, type QueueMode } from './lib/queue-mode.js';
import { forCatch } from './runtime/ports.js';
import { localize, localizeError } from './runtime/localize.js';
import { say } from './runtime/messages.js';
import { createStatus, toEditors } from './runtime/status.js';

/** The topic on which open editors receive an `Announcement` or a `Silence`. */
const TOPIC = 'herald/listen';

/** The node that plays. Inside a subflow, `template` is the id of the original node in the editor. */
interface Speaker {
  node: string;
  template?: string;
}

/** Audio to play, published to every open editor. The editor downloads a clip with its own permission. */
interface Announcement extends Speaker {
  clip?: string;
  url?: string;
  /** Percent of the full volume. */
  volume: number;
  /** The queue mode among the announcements of the same node. */
  order: QueueMode;
  priority: number;
  /** Names the announcement that the sidebar lists. Missing for other audio. */
  sound?: string;
  /** Whether further pieces of the same text follow. Missing for complete audio. */
  continues?: boolean;
}

/** Published to stop playback of a node. */
interface Silence extends Speaker {
  reset: true;
}

/** Percent. */
const FULL_VOLUME = 100;

const mimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** Registers the listen node, which plays `msg.payload` in the open editor. */
function register(RED: NodeAPI): void {
  const clips = sharedClips;
  RED.httpAdmin.get(
    '/herald/listen/:clip',
    RED.auth.needsPermission('herald.read'),
    (request: Request, response: Response) => {
      const clip = clips.find(String(request.params['clip']));
      if (clip === undefined) response.status(404).json({ message: localize(RED, say('audio-expired')) });
      else response.type(clip.mime).set('Cache-Control', 'no-store').send(Buffer.from(clip.audio));
    },
  );
  RED.nodes.registerType('herald-listen', function (this: Node, saved: NodeDef & { volume?: unknown }) {
    RED.nodes.createNode(this, saved);
    const texts = new HeardTexts();
    const status = createStatus(this, RED, () => 0, toEditors(RED, this.id));
    let hasFailed = false;
    // Each editor shows its own playback, which an empty status would hide.
    const forgetFailure = () => {
      if (hasFailed) status.clear();
      hasFailed = false;
    };
    this.on('close', forgetFailure);
    this.on('input', (message, _send, done) => {
      forgetFailure();
      try {
        const event = eventFor(RED, message, saved.volume, speakerOf(this), { clips, texts });
        if (event !== undefined) RED.comms.publish(TOPIC, event, false);
        done();
      } catch (thrown) {
        const error = asSpeechError(thrown);
        hasFailed = true;
        status.failed(error);
        done(forCatch(localizeError(RED, error)));
      }
    });
  });
}

/** The texts of which a node has got pieces. `msg.reset` also silences the pieces of these texts that arrive later. */
class HeardTexts {
  private resets = 0;
  /** The number of resets before the first piece of a text. */
  private readonly starts = new WeakMap<AnnouncedSound, number>();

  reset(): void {
    this.resets += 1;
  }

  /** Notes a piece of a text. Returns whether a reset came between the first piece and this one. */
  isSilent(text: AnnouncedSound): boolean {
    const start = this.starts.get(text) ?? this.resets;
    this.starts.set(text, start);
    return start < this.resets;
  }
}

/** Returns the ids of a node. Node-RED stores the original node's id in `_alias`, which its types do not declare. */
function speakerOf(node: Node): Speaker {
  const template: unknown = Reflect.get(node, '_alias');
  return { node: node.id, ...(typeof template === 'string' && { template }) };
}

/**
 * Returns the event for the editor; undefined for audio of a stopped announcement.
 * @throws SpeechError `bad-request` for a payload that browsers cannot play
 */
function eventFor(
  RED: NodeAPI,
  message: NodeMessage,
  volume: unknown,
  speaker: Speaker,
  { clips, texts }: { clips: Clips; texts: HeardTexts },
): Announcement | Silence | undefined {
  if (isReset(message)) {
    texts.reset();
    return { ...speaker, reset: true };
  }
  const sound = activityOf(RED).sounds.find(propertyOf(message['speech'], 'announcement'));
  if (sound?.isSilent({ isPiece: isPiece(message) }) === true) return undefined;
  if (sound !== undefined && isPiece(message) && texts.isSilent(sound)) return undefined;
  const audio = playable(message.payload, clips);
  const settings = { order: playbackQueueMode(message), priority: priorityOf(message) };
  sound?.hear();
  return {
    ...speaker,
    ...audio,
    ...settings,
    volume: volumeOf(message, volume),
    ...(sound && { sound: sound.id }),
    ...(isPiece(message) && { continues: isContinued(message) }),
  };
}

/** Whether a message is a piece of a text: complete audio has no start. The core split node sets `msg.parts` of complete audio. */
const isPiece = ({ speech }: NodeMessage): boolean => propertyOf(speech, 'start') !== undefined;

/** Whether a piece is not the last one of its text. */
function isContinued({ parts }: NodeMessage): boolean {
  const [index, count] = [propertyOf(parts, 'index'), propertyOf(parts, 'count')];
  return typeof index === 'number' && typeof count === 'number' && index + 1 < count;
}

/** Returns the volume in percent: `msg.volume`, or else the saved one. A number beyond the range counts as its limit. */
function volumeOf({ volume }: NodeMessage, saved: unknown): number {
  const values = [volume, saved].map((value) => exactValue(value, 'num'));
  const found = values.find((value) => typeof value === 'number' && Number.isFinite(value));
  return typeof found === 'number' ? Math.min(Math.max(found, 0), FULL_VOLUME) : FULL_VOLUME;
}

/** @throws SpeechError `bad-request` for a payload that browsers cannot play */
function playable(payload: unknown, clips: Clips): Pick<Announcement, 'clip' | 'url'> {
  if (payload instanceof Uint8Array) return { clip: clips.store(clipOf(payload)) };
  const value = abridgedText(payload);
  const kind = typeof payload === 'string' ? kindOfPayload(payload) : 'other';
  if (kind === 'file') throw new SpeechError('bad-request', say('payload-file', { value }));
  if (typeof payload !== 'string' || kind === 'other')
    throw new SpeechError('bad-request', say('payload-kind', { value }));
  if (isRaw(new URL(payload, 'http://localhost').pathname))
    throw new SpeechError('bad-request', say('payload-raw', { value }));
  return { url: payload };
}

/** The start of a path that no URL of HTTP has: `file:`, a drive, a share of Windows, a relative path or the home folder. */
const FILE = /^(?:file:|[a-z]:[\\/]|\\\\|\.{1,2}[\\/]|~[\\/])/i;
/** The name of an audio file without a host, such as `sounds/a.wav`. */
const AUDIO_FILE = /^[^/\\][^:]*\.(?:wav|mp3|ogg|oga|opus|flac|aac|m4a|ulaw|alaw|pcm|raw|sln\d*)$/i;

/**
 * Returns the kind of a text. A path such as `/home/me/a.wav` can be one of Node-RED's HTTP server, so the editor tries it. Browsers
 * read `/\` as `//`, the start of a host name.
 */
function kindOfPayload(text: string): 'url' | 'file' | 'other' {
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? 'url' : 'other';
  if (/^\/(?![/\\])/.test(text)) return 'url';
  return FILE.test(text) || AUDIO_FILE.test(text) ? 'file' : 'other';
}

function clipOf(audio: Uint8Array): Clip {
  const format = sniffAudio(audio);
  if (format === undefined) {
    throw new SpeechError('bad-request', say('payload-format', { value: abridgedText(audio) }));
  }
  return { audio, mime: mimes[format] };
}

export = Object.assign(register, { defaults: { name: '', volume: '100' } });
