import path from 'node:path';
import { tightenDataFolder } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { audioFolder } from '../output/urls/serve-audio.js';
import { dataFolder } from './connection.js';

/** Takes the rights of other users from the files that earlier versions wrote, in the background. */
export function tightenFolders(RED: NodeAPI): void {
  const audio = audioFolder(RED);
  if (audio === undefined) return;
  for (const folder of new Set([path.dirname(audio), dataFolder(RED)])) void tightenDataFolder(folder);
}
