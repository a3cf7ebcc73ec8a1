import path from 'node:path';
import { inspectAudio } from '@herald-speech/client/audio';
import { abridged, describeIssues } from '@herald-speech/client/interface';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../kit/errors.js';
import { naturalHint } from '../kit/packages.js';
import { callerSignal } from '../http/caller-signal.js';
import { readJson } from '../http/read-request.js';
import type { OnNode } from '../http/route.js';
import { NaturalVoiceError } from '../voices/installed/errors.js';
import { type FolderState, folderState } from '../voices/natural/install/folder-state.js';
import type { InstallJob } from '../voices/natural/manage/jobs.js';
import type { ManagedVoice } from '../voices/natural/manage/managed-voice.js';
import { IMPORT, NATIVE, type Natural } from '../voices/natural/manage/natural.js';
import { isVoiceName } from '../voices/installed/voice-name.js';

export interface NaturalRoutesOptions {
  /** @throws ServiceError 401 or 403 unless a session or a key of the account `local` sends the request */
  admit(context: Context<OnNode>): void;
  natural: Natural;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/** The reply to `GET /console/api/voices` (docs/service.md#natural-voices). */
interface VoiceList {
  engine: { isInstalled: boolean; hint?: string };
  folder: FolderState;
  voices: (ManagedVoice & { job: InstallJob | null })[];
  /** The present or the last import. */
  import: InstallJob | null;
}

const PATH = '/console/api/voices';
/** The path of the import. Below `PATH`, it could be the name of a voice. */
const IMPORT_PATH = '/console/api/voice-import';
const NATIVE_PATH = '/console/api/native-runtime';
/** Maximum bytes of a sample of the voice repository. */
const MAX_SAMPLE_BYTES = 2_000_000;

/** Maximum UTF-16 code units of a search. */
const MAX_SEARCH = 100;

const DIGEST = 'expected the "sha256" of the model card that the user accepted';
const consent = z.object({ card: z.string(DIGEST).regex(/^[0-9a-f]{64}$/, DIGEST) });

/** Maximum UTF-16 code units of a path. */
const MAX_PATH = 4096;
const FOLDER = 'expected the path of a folder on the computer of the service';
const source = z.object({ folder: z.string(FOLDER).trim().min(1, FOLDER).max(MAX_PATH, FOLDER) });

/** Adds the routes of natural voices and of their native runtime (docs/service.md#natural-voices). */
export function mountNaturalVoices(app: Hono<OnNode>, options: NaturalRoutesOptions): void {
  for (const place of [PATH, IMPORT_PATH, NATIVE_PATH]) {
    app.use(`${place}/*`, async (context, next) => {
      options.admit(context);
      await next();
    });
  }
  mountLibrary(app, options);
  mountVoice(app, options);
  mountImport(app, options.natural);
  mountNative(app, options.natural);
}

function mountLibrary(app: Hono<OnNode>, options: NaturalRoutesOptions): void {
  const { natural } = options;
  app.get(PATH, async (context) => context.json(await list(context, natural)));
  app.post(`${PATH}/refresh`, async (context) => {
    await natural.library.refresh(endOfCall(context, options));
    return context.body(null, 204);
  });
  app.get(`${PATH}/:name/card`, async (context) => {
    const { name } = find(context, natural);
    return context.json(await natural.library.card(name, endOfCall(context, options)));
  });
  app.get(`${PATH}/:name/sample`, async (context) => {
    const audio = await sampleOf(find(context, natural), context, options);
    return context.body(audio.bytes, 200, {
      'content-type': audio.mime,
      'x-content-type-options': 'nosniff',
    });
  });
}

function mountVoice(app: Hono<OnNode>, { natural }: NaturalRoutesOptions): void {
  app.post(`${PATH}/:name`, async (context) => {
    const { name } = find(context, natural);
    const { card } = await readBody(context, consent);
    return context.json(natural.start({ kind: 'install', name, card }), 202);
  });
  app.delete(`${PATH}/:name`, async (context) => {
    await natural.run({ kind: 'remove', name: nameIn(context) });
    return context.body(null, 204);
  });
  app.post(`${PATH}/:name/measurement`, (context) => {
    const { name, installed } = find(context, natural);
    if (installed === null) throw new ServiceError(404, `${name}: not installed. Install the voice first`);
    const hint = naturalHint();
    if (hint !== undefined) throw new ServiceError(503, `${name}: ${hint}`);
    return context.json(natural.start({ kind: 'measure', name }), 202);
  });
  const noJob = (name: string) => `${abridged(name)}: no installation of this voice`;
  app.get(`${PATH}/:name/job`, (context) => {
    const name = nameIn(context);
    return context.json(jobOf(natural, name, noJob(name)));
  });
  app.delete(`${PATH}/:name/job`, async (context) => {
    const name = nameIn(context);
    await cancel(natural, name, noJob(name));
    return context.body(null, 204);
  });
}

/** Adds the routes that import voices from a folder of this computer (docs/decisions/0165). */
function mountImport(app: Hono<OnNode>, natural: Natural): void {
  app.post(IMPORT_PATH, async (context) => {
    const { folder } = await readBody(context, source);
    return context.json(natural.start({ kind: 'import', from: path.resolve(folder) }), 202);
  });
  app.get(IMPORT_PATH, (context) => context.json(jobOf(natural, IMPORT, 'no import')));
  app.delete(IMPORT_PATH, async (context) => {
    await cancel(natural, IMPORT, 'no import');
    return context.body(null, 204);
  });
}

function mountNative(app: Hono<OnNode>, natural: Natural): void {
  app.get(NATIVE_PATH, async (context) => {
    const state = await natural.library.native.state();
    return context.json({ ...state, job: natural.jobs.get(NATIVE) ?? null });
  });
  app.post(NATIVE_PATH, (context) => context.json(natural.start({ kind: 'native', change: 'install' }), 202));
  app.delete(NATIVE_PATH, (context) =>
    context.json(natural.start({ kind: 'native', change: 'remove' }), 202),
  );
  app.delete(`${NATIVE_PATH}/job`, async (context) => {
    await cancel(natural, NATIVE, 'no installation of the native runtime');
    return context.body(null, 204);
  });
}

/** @throws ServiceError 404 */
function jobOf({ jobs }: Natural, name: string, absent: string): InstallJob {
  const job = jobs.get(name);
  if (job === undefined) throw new ServiceError(404, `${absent}. Start one first`);
  return job;
}

/** Cancels a job. Resolves after its end. @throws ServiceError 404 */
async function cancel({ jobs }: Natural, name: string, absent: string): Promise<void> {
  if (!(await jobs.cancel(name))) throw new ServiceError(404, `${absent}. Start one first`);
}

async function list({ req }: Context<OnNode>, { library, jobs }: Natural): Promise<VoiceList> {
  const hint = naturalHint();
  const voices = library.available(filterOf(req.query()));
  return {
    engine: hint === undefined ? { isInstalled: true } : { isInstalled: false, hint },
    folder: await folderState(library.folder),
    voices: voices.map((voice) => ({ ...voice, job: jobs.get(voice.name) ?? null })),
    import: jobs.get(IMPORT) ?? null,
  };
}

/** A blank filter counts as absent. */
function filterOf({ language, search }: Record<string, string>): { language?: string; search?: string } {
  return { ...(language && { language }), ...(search && { search: search.slice(0, MAX_SEARCH) }) };
}

/** @throws ServiceError 404 for a name that no voice can have */
function nameIn({ req }: Context<OnNode>): string {
  const name = (req.param('name') ?? '').normalize('NFC');
  if (isVoiceName(name)) return name;
  throw new ServiceError(404, unknown(name));
}

/** @throws ServiceError 404 for a voice that the catalogue does not contain */
function find(context: Context<OnNode>, { library }: Natural): ManagedVoice {
  const name = nameIn(context);
  const voice = library.find(name);
  if (voice === undefined) throw new ServiceError(404, unknown(name));
  return voice;
}

const unknown = (name: string) =>
  `${abridged(name)}: unknown natural voice. Use a name from the list, or refresh the catalogue`;

async function readBody<Body>({ env }: Context<OnNode>, schema: z.ZodType<Body>): Promise<Body> {
  const body = await readJson(env.incoming);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ServiceError(400, describeIssues(parsed.error.issues, body));
}

/** @throws ServiceError 404 for a voice without a sample, NaturalVoiceError `network` for a file that is not audio */
async function sampleOf(
  { name, sample }: ManagedVoice,
  context: Context<OnNode>,
  options: NaturalRoutesOptions,
) {
  if (sample === null)
    throw new ServiceError(404, `${name}: the voice repository has no sample of this voice`);
  const { library } = options.natural;
  const signal = endOfCall(context, options);
  const bytes = await library.read(sample, { maxBytes: MAX_SAMPLE_BYTES, signal });
  try {
    return { bytes: Uint8Array.from(bytes), mime: mimes[inspectAudio(bytes).format] };
  } catch (cause) {
    throw new NaturalVoiceError('network', notAudio(name), { cause });
  }
}

const notAudio = (name: string) =>
  `${name}: the sample in the voice repository is not a WAV or MP3 file. Check the address of the repository`;

const mimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

function endOfCall({ env }: Context<OnNode>, { closing }: NaturalRoutesOptions): AbortSignal {
  return callerSignal(env.outgoing, closing);
}
