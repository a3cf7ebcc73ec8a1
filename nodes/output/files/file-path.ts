import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import type { DeferredTemplate } from '../../runtime/template.js';
import { isAudioExtension } from './file-format.js';
import { isInFolder, outside, type OutputFile, resolvePath } from './files.js';

/** Maximum length of a file name in bytes on the common file systems. */
const MAX_NAME_BYTES = 255;

/** Characters that separate folders, that Windows forbids in names, or that terminals and editors do not show. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\<>:"|?*]/gu;
/** Names of devices on Windows, also with an extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const SEPARATORS = path.sep === '\\' ? /[/\\]/ : /\//;

/**
 * Returns the file of a path or a template. A relative path starts at the folder of Node-RED's settings. The file of a
 * template stays in the chosen folder: the part of the template before its first tag, up to the last separator.
 * @param values values of the tags; they win over the message
 * @throws SpeechError `bad-request` for a template that is invalid, leaves the folder, has a tag without text, or gives an empty
 *   name
 */
export async function outputFileOf(
  RED: NodeAPI,
  filename: string | DeferredTemplate,
  values: object,
): Promise<OutputFile> {
  if (typeof filename === 'string') return { file: resolvePath(RED, filename) };
  const { template } = filename;
  const chosen = folderOf(template);
  const filled = (await fill(filename, values)).slice(chosen.length);
  const root = resolvePath(RED, chosen);
  const file = path.join(root, ...filled.split(SEPARATORS).map(safeName));
  if (!isInFolder(root, file)) throw outside(file, root);
  if (file === root || /(?:^|[/\\])(?:\.\w+)?$/.test(filled)) {
    throw new SpeechError('bad-request', say('file-unnamed', { template: JSON.stringify(template) }));
  }
  return { file, root };
}

/**
 * Returns the file for captions beside an audio file: `a.wav` and `vtt` give `a.vtt`. Other extensions stay, so that `news 8.30` and
 * `news 9.30` have different captions.
 */
export function captionsFileOf({ file, root }: OutputFile, extension: string): OutputFile {
  const audio = path.extname(file);
  const stem = isAudioExtension(audio) ? file.slice(0, -audio.length) : file;
  return { file: `${stem}.${extension}`, root };
}

/** Returns the literal folder at the start of a template, with its last separator. */
function folderOf(template: string): string {
  const literal = template.slice(0, template.indexOf('{{'));
  return literal.slice(0, literal.length - (literal.split(SEPARATORS).at(-1) ?? '').length);
}

async function fill(filename: DeferredTemplate, values: object): Promise<string> {
  try {
    return await filename.fill(values, (value, tag) => safeValue(value, tag, filename.template));
  } catch (cause) {
    if (cause instanceof SpeechError) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    const text = { field: 'filename', source: 'str', value: JSON.stringify(filename.template), problem };
    throw new SpeechError('bad-request', say('not-evaluated', text), { cause });
  }
}

/**
 * Converts the value of a tag to a part of a file name.
 * @throws SpeechError `bad-request` for a value without text: files of different messages would get the same name
 */
function safeValue(value: unknown, tag: string, template: string): string {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isText ? String(value).trim() : '';
  if (text === '') {
    const optional = `{{#${tag}}}…{{/${tag}}}`;
    const names = { template: JSON.stringify(template), tag: `{{${tag}}}`, optional };
    throw new SpeechError('bad-request', say('file-tag', names));
  }
  return text.replaceAll(UNSAFE, '_').replace(/^\.+/, '_');
}

/** Adjusts a name that the file system reserves or that is too long. The extension stays. */
function safeName(name: string): string {
  const allowed = RESERVED.test(name) ? `_${name}` : name;
  if (Buffer.byteLength(allowed) <= MAX_NAME_BYTES) return allowed;
  const extension = path.extname(allowed).slice(0, 16);
  const stem = Array.from(allowed.slice(0, allowed.length - extension.length));
  while (Buffer.byteLength(stem.join('') + extension) > MAX_NAME_BYTES) stem.pop();
  return stem.join('') + extension;
}
