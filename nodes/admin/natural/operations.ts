/** The routes of natural voices of a local service (docs/service.md#natural-voices), as operations of the client. */
import { lazy, type Operation, operation, operations, z } from '@herald-speech/client';

const VOICES = '/console/api/voices';
const VOICE = `${VOICES}/{name}` as const;
const IMPORT = '/console/api/voice-import';
const NATIVE = '/console/api/native-runtime';

const withoutFields = lazy(() => z.object({}));
/** The name of a voice. The service checks it. */
const named = lazy(() => z.object({ name: z.string().min(1).max(200) }));
const consent = lazy(() => named().extend({ card: z.string().max(200) }));
const source = lazy(() => z.object({ folder: z.string() }));

/** A job of any kind: an installation, a measurement, an import or a change of the native runtime. */
const job = lazy(() =>
  z.object({
    phase: z.enum(['card', 'download', 'check', 'measure']),
    bytes: z.number().nonnegative(),
    total: z.number().nonnegative(),
    error: z.string().nullable(),
    /** An earlier service does not tell it. */
    kind: z.string().nullish(),
    isDone: z.boolean(),
  }),
);

const importJob = lazy(() => job().extend({ folder: z.string(), voice: z.string() }));

const installed = lazy(() =>
  z.object({
    licence: z.string().nullable(),
    isLive: z.boolean().nullable(),
    realTimeFactor: z.number().nullish(),
    voiceIds: z.array(z.string()),
  }),
);

const naturalVoice = lazy(() =>
  z.object({
    name: z.string(),
    title: z.string(),
    language: z.string(),
    region: z.string(),
    quality: z.string(),
    speakers: z.number(),
    bytes: z.number(),
    gender: z.string().nullable(),
    licence: z.string().nullable(),
    isNonCommercial: z.boolean().nullable(),
    sample: z.string().nullable(),
    installed: installed().nullable(),
    job: job().nullable(),
  }),
);

const list = lazy(() =>
  z.object({
    engine: z.object({ isInstalled: z.boolean(), hint: z.string().optional() }),
    folder: z.object({ path: z.string(), isWritable: z.boolean() }),
    voices: z.array(naturalVoice()),
    import: importJob().nullish(),
  }),
);

/** Maximum UTF-16 code units of a model card. The user accepts a whole card, so a longer one is refused. */
const MAX_CARD = 65_536;

const card = lazy(() =>
  z.object({
    text: z.string().max(MAX_CARD),
    licence: z.string().nullable(),
    isNonCommercial: z.boolean(),
    sha256: z.string(),
    bytes: z.number(),
  }),
);

const nativeState = lazy(() =>
  z.object({
    isInstalled: z.boolean(),
    isOutdated: z.boolean().optional(),
    version: z.string(),
    bytes: z.number().nonnegative(),
    downloadBytes: z.number().nonnegative(),
    obstacle: z.string().nullable(),
    job: job().nullable(),
  }),
);

type Reply<Response> = Pick<Operation, 'reply'> & { response: () => Response };

const json = <Response>(response: () => Response): Reply<Response> => ({ reply: 'json', response });
const empty = { reply: 'empty', response: () => operations.deleteCustomVoice.response } as const;
const audio = { reply: 'audio', response: () => operations.createSpeech.response } as const;

/** Describes a route. The service explains each failure in its own words. */
const route = <Request extends z.ZodObject, Response extends z.ZodType>(
  name: string,
  method: Operation['method'],
  path: `/console/${string}`,
  request: () => Request,
  reply: Reply<Response>,
): Operation<Request, Response> =>
  operation({
    name,
    summary: `${method} ${path}`,
    method,
    path,
    request,
    ...reply,
    streams: false,
    idempotent: true,
    bucket: 'general',
    paid: false,
    failures: [400, 403, 404],
  });

/** Lists the natural voices that can be installed, with their state. */
export const listNaturalVoices = route('listNaturalVoices', 'GET', VOICES, withoutFields, json(list));
export const readModelCard = route('readModelCard', 'GET', `${VOICE}/card`, named, json(card));
/** Reads the sample of a voice in the voice repository. */
export const readRepositorySample = route('readNaturalSample', 'GET', `${VOICE}/sample`, named, audio);
export const removeVoice = route('removeNaturalVoice', 'DELETE', VOICE, named, empty);

/** Starts the installation of a voice, or returns the one in progress. */
export const installVoice = route('installNaturalVoice', 'POST', VOICE, consent, json(job));
/** Starts to measure an installed voice again. */
export const startMeasurement = route(
  'measureNaturalVoice',
  'POST',
  `${VOICE}/measurement`,
  named,
  json(job),
);
/** Reads the progress of an installation or a measurement. */
export const readInstallation = route('readInstallation', 'GET', `${VOICE}/job`, named, json(job));
export const cancelInstallation = route('cancelInstallation', 'DELETE', `${VOICE}/job`, named, empty);

/** Starts the import of voices from a folder on the computer of the service. */
export const startImport = route('startImport', 'POST', IMPORT, source, json(importJob));
export const readImport = route('readImport', 'GET', IMPORT, withoutFields, json(importJob));
export const cancelImport = route('cancelImport', 'DELETE', IMPORT, withoutFields, empty);

/** Reads the state of the native runtime, with its job. */
export const readNative = route('readNativeRuntime', 'GET', NATIVE, withoutFields, json(nativeState));
export const installNative = route('installNativeRuntime', 'POST', NATIVE, withoutFields, json(job));
export const removeNative = route('removeNativeRuntime', 'DELETE', NATIVE, withoutFields, json(job));
export const cancelNative = route('cancelNativeRuntime', 'DELETE', `${NATIVE}/job`, withoutFields, empty);
