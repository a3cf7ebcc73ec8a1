import path from 'node:path';
import { tightenFolder } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { audioFolder } from '../output/urls/serve-audio.js';
import { dataFolderIn } from './connection.js';

/**
 * Takes the rights of other users from the files that earlier versions wrote, until the flows stop. The local service does so for its
 * own files. Never rejects.
 */
export async function tightenFolders(RED: Pick<NodeAPI, 'events' | 'settings'>): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  RED.events.once('flows:stopped', stop);
  const audio = audioFolder(RED);
  if (audio !== undefined) await tightenFolder(path.dirname(audio), /^audio$/, stopped.signal);
  const data = dataFolderIn(RED);
  if (data !== undefined) await tightenFolder(data, /^(?:budget|prompts|mark-key\.pem)$/, stopped.signal);
  RED.events.off('flows:stopped', stop);
}
