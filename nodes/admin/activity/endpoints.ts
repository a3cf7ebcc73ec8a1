import { asSpeechError, lazy, SpeechError, z } from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { refuseForeign } from '../endpoint/endpoint.js';
import { editorTranslator } from '../../runtime/languages.js';
import { localize, localizeError, type Translator } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { messageError } from '../../runtime/ports.js';
import { accountStates } from './account-states.js';
import { activityOf } from '../../runtime/activity/activity.js';
import type { ActivityEntry } from '../../runtime/activity/entry.js';
import { CUTS } from '../../runtime/activity/sounds.js';

/** One request of the sidebar. */
interface Task {
  RED: NodeAPI;
  request: Request;
  translator: Translator;
}

interface Route {
  method: 'get' | 'post';
  path: '' | `/${string}`;
  permission: 'herald.read' | 'herald.write';
  /** Returns the JSON reply. @throws SpeechError */
  run(task: Task): Promise<object>;
}

const routes: readonly Route[] = [
  { method: 'get', path: '', permission: 'herald.read', run: readActivity },
  { method: 'get', path: '/audio', permission: 'herald.read', run: readAudio },
  { method: 'get', path: '/accounts', permission: 'herald.read', run: readAccounts },
  { method: 'post', path: '/stop', permission: 'herald.write', run: stopOne },
  // The editor of a user without the permission to stop plays sounds too, and tells how they end.
  { method: 'post', path: '/cut', permission: 'herald.read', run: noteCut },
  { method: 'post', path: '/clear', permission: 'herald.write', run: clearQueue },
];

/**
 * Serves the sidebar tab "Speech" at `/herald/activity`: the record of announcements, the audio of one, the states of the
 * accounts, and the stop of one announcement or of the queue of a node. Editors report sounds that ended early. A failure is `{error}` with status 200.
 */
export function serveActivity(RED: NodeAPI): void {
  for (const { method, path, permission, run } of routes) {
    RED.httpAdmin[method](
      `/herald/activity${path}`,
      refuseForeign,
      RED.auth.needsPermission(permission),
      (request: Request, response: Response) => void answer(RED, request, response, run),
    );
  }
}

async function answer(RED: NodeAPI, request: Request, response: Response, run: Route['run']): Promise<void> {
  const translator = editorTranslator(RED, request);
  response.set('Cache-Control', 'no-store');
  try {
    response.json(await run({ RED, request, translator }));
  } catch (error) {
    response.json({ error: errorView(translator, asSpeechError(error)) });
  }
}

const errorView = (translator: Translator, error: SpeechError) => {
  const { code, message } = messageError(localizeError(translator, error));
  return { code, message };
};

/** Replies with the changes since `?run=RUN&since=REVISION` of the former reply, or with all announcements. */
async function readActivity({ RED, request, translator }: Task): Promise<object> {
  const activity = activityOf(RED);
  const { run, since } = request.query;
  const { changed, ...view } = await activity.view(run === activity.run ? Number(since) || 0 : 0);
  const announcements = changed.map((entry) => announcementView(entry, translator));
  return { run: activity.run, ...view, announcements };
}

/** Returns an announcement for the editor. Errors have the language of the editor, and contain no key. */
function announcementView({ announcement, replay, sound }: ActivityEntry, translator: Translator): object {
  const { error, warnings = [], ...facts } = announcement;
  const hasAudio = announcement.endedAt !== undefined && replay.exists;
  const { id, streams, cut } = sound;
  return {
    ...facts,
    ...(warnings.length > 0 && { warnings: warnings.map((text) => localize(translator, text)) }),
    hasAudio,
    sound: id,
    streams,
    cut,
    ...(error !== undefined && { error: errorView(translator, error) }),
  };
}

async function readAudio({ RED, request }: Task): Promise<object> {
  const entry = activityOf(RED).find(Number(request.query['id']));
  const endedAt = entry?.announcement.endedAt;
  const found = endedAt === undefined ? undefined : await entry?.replay.read(endedAt);
  if (entry === undefined || found === undefined) throw new SpeechError('not-found', say('audio-expired'));
  entry.sound.isHeard = true;
  const { audio, mime } = found;
  return { audio: Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64'), mime };
}

async function readAccounts({ RED, translator }: Task): Promise<object> {
  return { accounts: await accountStates(RED, (error) => errorView(translator, error)) };
}

const oneAnnouncement = lazy(() => z.object({ id: z.int() }));
const cutSounds = lazy(() => z.object({ sounds: z.array(z.string()), end: z.enum(CUTS) }));
const oneNode = lazy(() => z.object({ node: z.string() }));

async function stopOne({ RED, request: { body } }: Task): Promise<object> {
  const { success, data } = oneAnnouncement().safeParse(body);
  if (success) activityOf(RED).stop(data.id);
  return {};
}

async function noteCut({ RED, request: { body } }: Task): Promise<object> {
  const { success, data } = cutSounds().safeParse(body);
  if (!success) return {};
  for (const id of data.sounds) activityOf(RED).sounds.find(id)?.endEarly(data.end);
  return {};
}

async function clearQueue({ RED, request: { body } }: Task): Promise<object> {
  const { success, data } = oneNode().safeParse(body);
  if (success) activityOf(RED).clearQueue(data.node);
  return {};
}
