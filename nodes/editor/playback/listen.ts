/** Plays what listen nodes announce, one after the other. */
import { createPlaylist } from './playlist.js';
import { playToEnd } from './player.js';
import { listenWord as word } from './sound.js';

const TOPIC = 'herald/listen';
const TYPE = 'herald-listen';
const FETCH_TIMEOUT_MS = 30_000;

/** As `nodes/listen.ts` tells it. */
interface Told {
  node: string;
  template?: string;
}

interface Announcement extends Told {
  clip?: string;
  url?: string;
  order: string;
  priority: number;
}

const playlist = createPlaylist(play, (error) => {
  const why = error instanceof Error ? error.message : String(error);
  RED.notify(`${word('cannot-play')} ${why}`, { type: 'warning', timeout: 5000 });
});

/** Hears of audio while the listen node is in the palette. */
export function startListening(): void {
  stopListening();
  RED.comms.subscribe(TOPIC, hear);
  RED.events.on('nodes:add', unmute);
}

/** The opposite of `startListening`. */
export function stopListening(): void {
  RED.comms.unsubscribe(TOPIC, hear);
  RED.events.off('nodes:add', unmute);
  playlist.stop(() => true);
}

/** The node's button was pressed: Node-RED has changed `audible`, which is of this editor alone and never saved. */
export function toggleMute(node: EditorNode): void {
  if (node['audible'] === false) playlist.stop((announcement) => shownId(announcement) === node.id);
}

/** Shows in the dialog whether the node plays in this editor: Node-RED's buttons do nothing inside a subflow. */
export function showMute(node: EditorNode): void {
  const box = muteBox();
  if (box !== undefined) box.checked = node['audible'] !== false;
}

/** Takes it over as the dialog is closed. */
export function saveMute(node: EditorNode): void {
  node['audible'] = muteBox()?.checked !== false;
  toggleMute(node);
}

function muteBox(): HTMLInputElement | undefined {
  const box = document.getElementById('herald-audible');
  return box instanceof HTMLInputElement ? box : undefined;
}

function unmute(node: EditorNode): void {
  if (node.type === TYPE) node['audible'] = true;
}

function hear(_topic: string, data: unknown): void {
  if (!isTold(data)) return;
  const isOfNode = ({ node }: Told) => node === data.node;
  if (!isAnnouncement(data)) return playlist.stop(isOfNode);
  if (RED.nodes.node(shownId(data))?.['audible'] === false) return;
  const yields = (other: Announcement) => isOfNode(other) && other.priority <= data.priority;
  if (data.order === 'interrupt') playlist.stop(yields);
  if (data.order === 'replace') playlist.forget(yields);
  playlist.add(data);
}

/** The node in this editor: those inside a subflow are known here by the one that they were made from. */
const shownId = ({ node, template = node }: Told): string => template;

const isTold = (data: unknown): data is Told => typeof data === 'object' && data !== null && 'node' in data;

/** Anything else that is told of a node is that it is to be silent. */
const isAnnouncement = (told: Told): told is Announcement => 'clip' in told || 'url' in told;

async function play({ clip, url = '' }: Announcement, signal: AbortSignal): Promise<void> {
  if (clip === undefined) return playToEnd(url, signal, word);
  const held = URL.createObjectURL(await fetchClip(clip, signal));
  try {
    await playToEnd(held, signal, word);
  } finally {
    URL.revokeObjectURL(held);
  }
}

/** A clip with the editor's own permission, which jQuery's requests carry in Node-RED. */
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
    throw new Error(word('gone'));
  } catch (failure) {
    throw failure instanceof Error ? failure : new Error(word('gone'));
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
