/** Plays the announcements of listen nodes in the editor, one at a time. */
import { byId, element, playToEnd, textOf } from '@herald-speech/browser';
import { showFieldProblem } from '../lib/field-note.js';
import { type HeardAudio, reportHeard } from '../lib/heard.js';
import { callRuntime } from '../lib/runtime.js';
import { onSilence } from '../lib/silence.js';
import { listenText, playing } from '../lib/sound.js';
import { PlayOrder } from './playlist.js';
import { showAgain, showPlayback } from './statuses.js';

const TOPIC = 'herald/listen';
const TYPE = 'herald-listen';
const FETCH_TIMEOUT_MS = 30_000;
/** Maximum number of characters of a path in a notification. */
const MAX_SHOWN = 200;

/** An event of `nodes/listen.ts`. Inside a subflow, `template` is the id of the node's original in the editor. */
interface ListenEvent {
  node: string;
  template?: string;
}

interface Announcement extends ListenEvent {
  clip?: string;
  url?: string;
  /** Percent. */
  volume: number;
  order: string;
  priority: number;
  /** Names the announcement of the audio. */
  sound?: string;
  /** Whether further pieces of the same text follow. Missing for complete audio. */
  continues?: boolean;
}

const notifyFailure = (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  // An element, because Node-RED reads a string as HTML, and the message may contain the payload.
  const text = element('p', { textContent: `${listenText('cannot-play')} ${message}` });
  RED.notify(text, { type: 'warning', timeout: 5000 });
};
const playlist = new PlayOrder(play, notifyFailure, {
  announcementOf: (audio) => (audio.continues === undefined ? audio : (audio.sound ?? audio)),
  priorityOf: ({ priority }) => priority,
  changed: report,
});

/** The current audio, and the audio that waits. */
let queue: readonly Announcement[] = [];
/** The audio for which the browser requires a click. */
let blocked: Announcement | undefined;
/** The node whose announcement has just ended. */
let done: string | undefined;

/** Reports the audio to the other parts of the editor. */
function report(announcements = queue): void {
  queue = announcements;
  const heard = queue.map((one, place): HeardAudio => ({ ...audioOf(one), state: stateOf(one, place) }));
  reportHeard(heard, (matches) =>
    tellEnd(
      playlist.stop((one) => matches(audioOf(one))),
      'stopped',
    ),
  );
  showPlayback(heard, done);
}

const audioOf = (announcement: Announcement): Pick<HeardAudio, 'node' | 'sound'> => ({
  node: editorId(announcement),
  sound: announcement.sound ?? '',
});

function stateOf(announcement: Announcement, place: number): HeardAudio['state'] {
  if (announcement === blocked) return 'blocked';
  return place === 0 ? 'heard' : 'waits';
}

/** Tells the runtime that announcements ended before their ends. A failure costs only their state in the sidebar. */
function tellEnd(cut: readonly Announcement[], end: 'stopped' | 'interrupted' | 'replaced'): void {
  const sounds = [...new Set(cut.flatMap(({ sound }) => sound ?? []))];
  if (sounds.length > 0) callRuntime('activity/cut', { sounds, end }).catch(() => undefined);
}

/** Ends the subscription to stops. */
let ignoreSilence = (): void => undefined;

/** Subscribes to announcements when the listen node is added to the palette. */
export function startListening(): void {
  stopListening();
  RED.comms.subscribe(TOPIC, receive);
  ignoreSilence = onSilence(({ sounds, end }) =>
    tellEnd(
      playlist.stop(({ sound = '' }) => sounds.has(sound)),
      end,
    ),
  );
  RED.events.on('nodes:add', unmute);
}

/** Unsubscribes and stops all announcements when the listen node is removed from the palette. */
export function stopListening(): void {
  RED.comms.unsubscribe(TOPIC, receive);
  ignoreSilence();
  RED.events.off('nodes:add', unmute);
  playlist.stop(() => true);
}

/** Stops the node's announcements after its button has muted it. `audible` exists only in this editor. */
export function toggleMute(node: EditorNode): void {
  if (node['audible'] === false) playlist.stop((announcement) => editorId(announcement) === node.id);
}

/** Shows in the dialog whether the node is audible: inside a subflow, Node-RED ignores the node's button. */
export function showMute(node: EditorNode): void {
  const box = muteBox();
  if (box !== undefined) box.checked = node['audible'] !== false;
  // A flow saved before the node had this property gets the default, as in the runtime.
  const volume = byId('node-input-volume', HTMLInputElement);
  if (node['volume'] === undefined) volume.value = '100';
  showFieldProblem(volume, 'herald-volume-problem', (value) => validateVolume(node, value));
}

/** Applies the dialog's checkbox when the dialog closes. */
export function saveMute(node: EditorNode): void {
  node['audible'] = muteBox()?.checked !== false;
  toggleMute(node);
}

/** Validates the volume in percent. A blank value is the full volume. */
export function validateVolume(node: EditorNode, value: unknown): true | string {
  const text = textOf(value);
  return text === '' || (Number(text) >= 0 && Number(text) <= 100) || node._('volume-wrong');
}

function muteBox(): HTMLInputElement | undefined {
  const box = document.getElementById('herald-audible');
  return box instanceof HTMLInputElement ? box : undefined;
}

function unmute(node: EditorNode): void {
  if (node.type === TYPE) node['audible'] = true;
}

/** Applies the queue mode of an announcement and adds it. Any other event stops the node's announcements. */
function receive(_topic: string, data: unknown): void {
  if (!isEvent(data)) return;
  const isSameNode = ({ node }: ListenEvent) => node === data.node;
  if (!isAnnouncement(data)) return tellEnd(playlist.stop(isSameNode), 'stopped');
  if (RED.nodes.node(editorId(data))?.['audible'] === false) return;
  showAgain(editorId(data));
  // The pieces of one text do not replace each other.
  const isOfSameText = ({ sound }: Announcement) => sound !== undefined && sound === data.sound;
  const isReplaced = (other: Announcement) =>
    isSameNode(other) && other.priority <= data.priority && !isOfSameText(other);
  if (data.order === 'interrupt') tellEnd(playlist.stop(isReplaced), 'interrupted');
  if (data.order === 'replace') tellEnd(playlist.drop(isReplaced), 'replaced');
  tellEnd(playlist.add(data), 'replaced');
}

/** Returns the id of the node that this editor shows. */
const editorId = ({ node, template = node }: ListenEvent): string => template;

const isEvent = (data: unknown): data is ListenEvent =>
  typeof data === 'object' && data !== null && 'node' in data;

const isAnnouncement = (event: ListenEvent): event is Announcement => 'clip' in event || 'url' in event;

/** Plays an announcement. Reports when the browser requires a click, and when it has ended. */
async function play(announcement: Announcement, signal: AbortSignal): Promise<void> {
  const askForClick = async (over: AbortSignal) => {
    blocked = announcement;
    report();
    await playing.askForClick?.(over);
    blocked = undefined;
    report();
  };
  done = undefined;
  const { clip, url = '', volume, continues } = announcement;
  const source = clip === undefined ? url : await fetchClip(clip, signal);
  await playToEnd(source, signal, { ...playing, ...reasonFor(url), askForClick, volume: volume / 100 });
  if (!signal.aborted && continues !== true) done = editorId(announcement);
}

/**
 * A path that plays nothing is often one of a file, also of another computer: the reason names it and the fix. A path of Herald's own
 * audio is none.
 */
const reasonFor = (url: string): Partial<Pick<typeof playing, 'unreadable'>> =>
  url.startsWith('/') && !url.includes('/herald/audio/')
    ? { unreadable: () => listenText('no-audio', { url: url.slice(0, MAX_SHOWN) }) }
    : {};

/** Fetches a clip. Node-RED adds the user's access token to requests of jQuery. */
async function fetchClip(clip: string, signal: AbortSignal): Promise<Blob> {
  const request = $.ajax({
    url: `herald/listen/${encodeURIComponent(clip)}`,
    timeout: FETCH_TIMEOUT_MS,
    xhrFields: { responseType: 'blob' },
  });
  const abort = () => request.abort();
  signal.addEventListener('abort', abort);
  try {
    const body = await request;
    if (body instanceof Blob) return body;
    throw new Error(listenText('gone'));
  } catch (error) {
    throw error instanceof Error ? error : new Error(listenText('gone'));
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
