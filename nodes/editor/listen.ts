/** Plays what listen nodes announce, one after the other. */
import { createPlaylist } from './playlist.js';
import { playToEnd } from './player.js';
import { listenWord as word } from './sound.js';

const TOPIC = 'herald/listen';
const TYPE = 'herald-listen';
const FETCH_TIMEOUT_MS = 30_000;

/** As `nodes/listen.ts` announces it. */
interface Announcement {
  node: string;
  clip?: string;
  url?: string;
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
  if (node['audible'] === false) playlist.stop((announcement) => announcement.node === node.id);
}

function unmute(node: EditorNode): void {
  if (node.type === TYPE) node['audible'] = true;
}

function hear(_topic: string, data: unknown): void {
  if (!isAnnouncement(data)) return;
  // A node inside a subflow is not known here by its own id: it can't be muted.
  if (RED.nodes.node(data.node)?.['audible'] !== false) playlist.add(data);
}

function isAnnouncement(data: unknown): data is Announcement {
  return (
    typeof data === 'object' &&
    data !== null &&
    'node' in data &&
    (('clip' in data && typeof data.clip === 'string') || ('url' in data && typeof data.url === 'string'))
  );
}

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
