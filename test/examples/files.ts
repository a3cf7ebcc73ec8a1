import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Returns the files of a folder of examples and of its subfolders, sorted, with paths such as `home/home-assistant.json`. */
export const exampleFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted();
