import { SpeechError } from '@herald-speech/client';
import type { Settings } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import type { CheckedDestination, Delivered } from '../output/destination.js';
import type { ServiceFormat } from '../output/files/file-format.js';
import type { RenderedAudio } from '../output/rendered-audio.js';
import type { CountedPiece } from '../output/to-pieces.js';
import { publish, type UrlTarget } from '../output/urls/to-url.js';
import { prepareUrl } from '../output/urls/audio-urls.js';
import type { PlayerAccess } from '../output/urls/base-url.js';
import type { AnnouncedSound } from '../runtime/activity/sounds.js';
import { say } from '../runtime/messages.js';
import { announceOn, kindOfSpeaker, type TargetSpeaker } from './announce-on.js';
import { recordedSound } from './recorded-sound.js';
import { type Speaker, speakerKey, type SpeakerNode, speakerNodes } from './speaker-node.js';
import { type Booking, speakerQueue } from './speaker-queue.js';
import { errorIn, playedIn } from './speaker-report.js';

/** The speakers of an announcement, as the properties of a node set them. */
export interface SpeakerDestination {
  /** Names or ids. Undefined: the only speaker. */
  speakers?: readonly string[] | undefined;
  /** Percent. */
  volume?: number | undefined;
  music: NonNullable<Settings['music']>;
  /** The time at which the message leaves. */
  speaker_when: 'ended' | 'started';
  base_url?: string | undefined;
  /** Returns the settings of the account for players. @throws SpeechError `not-configured` for invalid settings */
  players?(): PlayerAccess | undefined;
  output_format?: ServiceFormat | undefined;
  /** Seconds of silence after the text. */
  silenceAfter: number;
  sound?: AnnouncedSound | undefined;
}

/** The message and its node, as the queues of the speakers need them. */
export interface OutputTurn {
  node: string;
  priority: number;
  interrupts: boolean;
  signal: AbortSignal;
  /** Sets fields that the message gets if it fails. */
  addDetails(fields: object): void;
}

/**
 * Checks the speakers of an announcement before the speech is requested, and books their queues. Call `close` of the result in any
 * case.
 * @throws SpeechError `not-configured` or `bad-request` for a wrong choice, and as `prepareUrl`
 */
export async function checkSpeakers(
  RED: NodeAPI,
  destination: SpeakerDestination,
  turn: OutputTurn,
): Promise<CheckedDestination> {
  const targets = chooseSpeakers(RED, destination.speakers).map((speaker) => ({
    speaker,
    kind: kindOfSpeaker(RED, speaker),
  }));
  const takesSamples = targets.every(({ kind }) => kind.takesSamples);
  const { base_url, output_format: serviceFormat } = destination;
  const players = playersOf(destination, takesSamples);
  const target = await prepareUrl(RED, base_url, players, turn.signal);
  const booking = speakerQueue.book({ ...turn, speakers: targets.map(({ speaker }) => speakerKey(speaker)) });
  const announcement: SpeakerAnnouncement = { RED, targets, target, players, destination, turn, booking };
  return {
    serviceFormat,
    separate: false,
    live: false,
    warnings: takesSamples ? [] : target.warnings,
    wakeUp: Math.max(...targets.map(({ speaker }) => speaker.wakeUp)),
    deliver: (rendering) => deliver(rendering, announcement),
    close: () => booking.leave(),
  };
}

/** Returns the settings for players. Speakers that get samples fetch nothing, so invalid settings do not matter to them. */
function playersOf(
  { players }: Pick<SpeakerDestination, 'players'>,
  takesSamples: boolean,
): PlayerAccess | undefined {
  try {
    return players?.();
  } catch (error) {
    if (takesSamples && error instanceof SpeechError) return undefined;
    throw error;
  }
}

/**
 * Returns the speakers with these names or ids, each once. A text may have several, with commas between them. Without a choice, returns
 * the only speaker.
 * @throws SpeechError `not-configured` without a choice among several, `bad-request` for an unknown name
 */
function chooseSpeakers(RED: NodeAPI, names: readonly string[] = []): Speaker[] {
  const nodes = speakerNodes(RED);
  const known = nodes.map(({ speakerName }) => `"${speakerName}"`).join(', ');
  if (nodes.length === 0) throw new SpeechError('not-configured', say('speaker-none'));
  if (names.length > 0)
    return [...new Set(names.flatMap((name) => namedIn(nodes, name, known)))].map(speakerIn);
  if (nodes.length > 1) throw new SpeechError('not-configured', say('speaker-choose', { names: known }));
  return nodes.map(speakerIn);
}

const speakerIn = (node: SpeakerNode): Speaker => node.speaker();

function namedIn(nodes: readonly SpeakerNode[], name: string, known: string): SpeakerNode[] {
  const whole = find(nodes, name);
  if (whole !== undefined) return [whole];
  return name.split(',').map((part) => {
    const found = find(nodes, part.trim());
    if (found !== undefined) return found;
    throw new SpeechError('bad-request', say('speaker-unknown', { value: `"${part.trim()}"`, names: known }));
  });
}

const find = (nodes: readonly SpeakerNode[], name: string): SpeakerNode | undefined =>
  nodes.find(({ id }) => id === name) ??
  nodes.find(({ speakerName }) => speakerName.toLowerCase() === name.toLowerCase());

interface SpeakerAnnouncement {
  RED: NodeAPI;
  targets: readonly TargetSpeaker[];
  target: UrlTarget;
  players: PlayerAccess | undefined;
  destination: SpeakerDestination;
  turn: OutputTurn;
  booking: Booking;
}

async function* deliver<Piece extends CountedPiece>(
  rendering: RenderedAudio<Piece>,
  announcement: SpeakerAnnouncement,
): AsyncGenerator<Delivered<Piece>, void, undefined> {
  const { target, destination, turn } = announcement;
  const { sound, silenceAfter, speaker_when } = destination;
  let seconds = 0;
  async function* measured() {
    for await (const part of rendering.parts) {
      seconds = part.start + part.duration + silenceAfter;
      yield part;
    }
  }
  const published = publish(
    { ...rendering, parts: measured() },
    { ...target, sound },
    'complete',
    turn.signal,
  );
  for await (const url of published) {
    const { started, ended } = start(announcement, url, seconds);
    const isEarly = speaker_when === 'started';
    try {
      const played = await (isEarly ? Promise.race([started, ended]) : ended);
      yield { payload: url, location: { url, played }, isPlaying: isEarly, isLast: true };
    } finally {
      // Also a consumer that stops early waits until the speakers are restored.
      await ended;
    }
  }
}

/** An announcement that plays. Both promises resolve with the value of `msg.speech.played`. */
interface Playing {
  /** Resolves when all speakers have started. Never rejects. */
  started: Promise<readonly object[]>;
  /** @throws SpeechError if a speaker failed */
  ended: Promise<readonly object[]>;
}

/** @param seconds the length of the audio */
function start(announcement: SpeakerAnnouncement, url: string, seconds: number): Playing {
  const { targets } = announcement;
  const starts = new Map<Speaker, string>();
  let onStarted = (_played: readonly object[]) => {};
  const started = new Promise<readonly object[]>((resolve) => (onStarted = resolve));
  const onStart = (speaker: Speaker) => {
    starts.set(speaker, new Date().toISOString());
    if (starts.size === targets.length)
      onStarted([...starts].map(([{ name }, start]) => ({ speaker: name, start })));
  };
  const ended = play(announcement, url, seconds, onStart);
  // The consumer may look at the failure later.
  ended.catch(() => undefined);
  return { started, ended };
}

async function play(
  { RED, targets, target, players, destination, turn, booking }: SpeakerAnnouncement,
  url: string,
  seconds: number,
  onStart: (speaker: Speaker) => void,
): Promise<readonly object[]> {
  const recording = await target.store.find(url.slice(target.base.length + 1));
  if (recording === undefined) throw new Error('the recording of an announcement is gone');
  const release = recording.hold();
  try {
    await booking.turn(turn.signal);
    const sound = recordedSound(recording, url, seconds);
    const { volume, music } = destination;
    const outcomes = await announceOn(targets, { RED, sound, booking, volume, music, onStart }, turn.signal);
    const played = playedIn(RED, outcomes);
    turn.signal.throwIfAborted();
    const error = errorIn(RED, outcomes, players);
    if (error === undefined) return played;
    turn.addDetails({ speech: { url, played } });
    throw error;
  } finally {
    release();
  }
}
