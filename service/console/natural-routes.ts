import { inspectAudio } from '@herald-speech/client/audio';
import { abridged, describeIssues } from '@herald-speech/client/interface';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../kit/errors.js';
import { callerSignal } from '../http/caller-signal.js';
import { readJson } from '../http/read-request.js';
import type { OnNode } from '../http/route.js';
import { NaturalVoiceError } from '../voices/installed/errors.js';
import { type FolderState, folderState } from '../voices/natural/install/folder-state.js';
import type { InstallJob } from '../voices/natural/manage/jobs.js';
import type { ManagedVoice } from '../voices/natural/manage/managed-voice.js';
import type { FolderImport, Natural } from '../voices/natural/manage/natural.js';
import { isVoiceName } from '../voices/installed/voice-name.js';

export interface NaturalRoutesOptions {
  /** @throws ServiceError 401 or 403 unless a session or a key of the account `local` sends the request */
  admit(context: Context<OnNode>): void;
  natural: Omit<Natural, 'close'>;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/** The reply to `GET /console/api/voices` (docs/service.md#natural-voices). */
interface VoiceList {
  engine: { isInstalled: boolean; hint?: string };
  folder: FolderState;
  voices: (ManagedVoice & { job: InstallJob | null })[];
  /** The present or the last import. */
  import: FolderImport | null;
}

const PATH = '/console/api/voices';
/** The path of the import. Below `PATH`, it could be the name of a voice. */
const IMPORT_PATH = '/console/api/voice-import';
/** Maximum bytes of a sample of the voice repository. */
const MAX_SAMPLE_BYTES = 2_000_000;

const FULL = 'too many installations wait: try again later';

/** Maximum UTF-16 code units of a search. */
const MAX_SEARCH = 100;

const DIGEST = 'expected the "sha256" of the model card that the user accepted';
const consent = z.object({ card: z.string(DIGEST).regex(/^[0-9a-f]{64}$/, DIGEST) });

/** Maximum UTF-16 code units of a path. */
const MAX_PATH = 4096;
const FOLDER = 'expected the path of a folder on the computer of the service';
const source = z.object({ folder: z.string(FOLDER).trim().min(1, FOLDER).max(MAX_PATH, FOLDER) });

/** Adds the routes that list, install and remove natural voices (docs/service.md#natural-voices). */
export function mountNaturalVoices(app: Hono<OnNode>, options: NaturalRoutesOptions): void {
  for (const path of [`${PATH}/*`, IMPORT_PATH]) {
    app.use(path, async (context, next) => {
      options.admit(context);
      await next();
    });
  }
  app.get(PATH, async (context) => context.json(await list(context, options)));
  app.post(`${PATH}/refresh`, async (context) => {
    const { manager } = options.natural.voices;
    await manager.refresh(endOfCall(context, options));
    return context.body(null, 204);
  });
  mountVoice(app, options);
  mountJob(app, options);
  mountImport(app, options);
}

function mountVoice(app: Hono<OnNode>, options: NaturalRoutesOptions): void {
  app.get(`${PATH}/:name/card`, async (context) => {
    const { name } = await find(context, options);
    const { manager } = options.natural.voices;
    return context.json(await manager.card(name, endOfCall(context, options)));
  });
  app.get(`${PATH}/:name/sample`, async (context) => {
    const audio = await sampleOf(await find(context, options), context, options);
    return context.body(audio.bytes, 200, {
      'content-type': audio.mime,
      'x-content-type-options': 'nosniff',
    });
  });
  app.delete(`${PATH}/:name`, async (context) => {
    await options.natural.remove(nameIn(context));
    return context.body(null, 204);
  });
}

function mountJob(app: Hono<OnNode>, options: NaturalRoutesOptions): void {
  app.post(`${PATH}/:name`, async (context) => {
    const { name } = await find(context, options);
    const { card } = await readBody(context, consent);
    const job = options.natural.install(name, card);
    if (job === undefined) throw new ServiceError(503, FULL);
    return context.json(job, 202);
  });
  app.post(`${PATH}/:name/measurement`, async (context) => {
    const { name, installed } = await find(context, options);
    if (installed === null) throw new ServiceError(404, `${name}: not installed. Install the voice first`);
    const { hint } = options.natural.voices;
    if (hint !== undefined) throw new ServiceError(503, `${name}: ${hint}`);
    const job = options.natural.measure(name);
    if (job === undefined) throw new ServiceError(503, FULL);
    return context.json(job, 202);
  });
  app.get(`${PATH}/:name/job`, async (context) => {
    const name = nameIn(context);
    const job = options.natural.jobs.get(name);
    if (job === undefined) throw new ServiceError(404, noJob(name));
    return context.json(job);
  });
  app.delete(`${PATH}/:name/job`, async (context) => {
    const name = nameIn(context);
    if (!(await options.natural.jobs.cancel(name))) throw new ServiceError(404, noJob(name));
    return context.body(null, 204);
  });
}

/** Adds the routes that import voices from a folder of this computer (docs/decisions/0165). */
function mountImport(app: Hono<OnNode>, { natural }: NaturalRoutesOptions): void {
  const noImport = 'no import. Start one first';
  app.post(IMPORT_PATH, async (context) => {
    const { folder } = await readBody(context, source);
    const start = natural.startImport(folder);
    if (start.kind === 'busy')
      throw new NaturalVoiceError('busy', 'another import is in progress. Wait for its end, or cancel it');
    if (start.kind === 'full') throw new ServiceError(503, FULL);
    return context.json(start.job, 202);
  });
  app.get(IMPORT_PATH, (context) => {
    const job = natural.importJob;
    if (job === undefined) throw new ServiceError(404, noImport);
    return context.json(job);
  });
  app.delete(IMPORT_PATH, async (context) => {
    if (!(await natural.cancelImport())) throw new ServiceError(404, noImport);
    return context.body(null, 204);
  });
}

const noJob = (name: string) => `${abridged(name)}: no installation of this voice. Start one first`;

async function list({ req }: Context<OnNode>, options: NaturalRoutesOptions): Promise<VoiceList> {
  const { manager, folder, hint } = options.natural.voices;
  const jobs = options.natural.jobs;
  const voices = manager.available(filterOf(req.query()));
  return {
    engine: hint === undefined ? { isInstalled: true } : { isInstalled: false, hint },
    folder: await folderState(folder.folder),
    voices: voices.map((voice) => ({ ...voice, job: jobs.get(voice.name) ?? null })),
    import: options.natural.importJob ?? null,
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
async function find(context: Context<OnNode>, options: NaturalRoutesOptions): Promise<ManagedVoice> {
  const name = nameIn(context);
  const { manager } = options.natural.voices;
  const voice = manager.available().find((voice) => voice.name === name);
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
  const { read } = options.natural.voices;
  const bytes = await read(sample, { maxBytes: MAX_SAMPLE_BYTES, signal: endOfCall(context, options) });
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
