/** What a text in the payload of the listen node is: a URL that the editor can play, or the path of a file, which it cannot. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { propertyOf } from '../runtime/objects.js';

/**
 * Returns the kind of a text. Browsers read `/\` as `//`, the start of a host name. A path such as `/home/me/a.wav` can be one of
 * Node-RED's HTTP server: it counts as the path of a file if this computer has such a file.
 * @param settings of Node-RED
 */
export function kindOfPayload(text: string, settings: object): 'url' | 'file' | 'other' {
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? 'url' : 'other';
  if (/^\/(?![/\\])/.test(text)) return isFile(text) && !isServed(text, settings) ? 'file' : 'url';
  return FILE.test(text) || isRelative(text) ? 'file' : 'other';
}

/** The start of a path that no URL of HTTP has: `file:`, a drive, a share of Windows, a relative path or the home folder. */
const FILE = /^(?:file:|[a-z]:[\\/]|\\\\|\.{1,2}[\\/]|~[\\/])/i;

/** Whether a text without a host is the name of an audio file, such as `sounds/a.wav`. */
const isRelative = (text: string): boolean =>
  /^[^/\\][^:]*\.(?:wav|mp3|ogg|oga|opus|flac|aac|m4a|ulaw|alaw|pcm|raw|sln\d*)$/i.test(text);

/** Asks at once, because the messages keep their order. */
function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Whether Node-RED serves a file at this path of its HTTP server (`httpStatic` of the settings, as Node-RED completes it). */
function isServed(text: string, settings: object): boolean {
  return [propertyOf(settings, 'httpStatic')].flat().some((folder) => {
    const [place, root] = [propertyOf(folder, 'path'), propertyOf(folder, 'root')];
    if (typeof place !== 'string' || typeof root !== 'string' || !text.startsWith(root)) return false;
    return isFile(path.join(place, text.slice(root.length)));
  });
}
