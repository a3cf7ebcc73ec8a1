/** The routes of natural voices of a local service (docs/service.md#natural-voices), as operations of the client. */
import { lazy, operation, operations, z } from '@herald-speech/client';

const PATH = '/console/api/voices';
const IMPORT_PATH = '/console/api/voice-import';

export const common = {
  streams: false,
  idempotent: true,
  bucket: 'general',
  paid: false,
} as const;

export const withoutFields = lazy(() => z.object({}));
/** The name of a voice. The service checks it. */
const named = lazy(() => z.object({ name: z.string().min(1).max(200) }));
export const withoutReply = () => operations.deleteCustomVoice.response;

export const job = lazy(() =>
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

/** Lists the natural voices that can be installed, with their state. */
export const listNaturalVoices = operation({
  ...common,
  name: 'listNaturalVoices',
  summary: 'List natural voices',
  method: 'GET',
  path: PATH,
  reply: 'json',
  request: withoutFields,
  response: list,
  failures: [403, 404],
});

/** Reads the model card of a voice, with its licence. */
export const readModelCard = operation({
  ...common,
  name: 'readModelCard',
  summary: 'Read the model card of a natural voice',
  method: 'GET',
  path: `${PATH}/{name}/card`,
  reply: 'json',
  request: named,
  response: card,
  failures: [403, 404],
});

/** Reads the sample of a voice in the voice repository. */
export const readRepositorySample = operation({
  ...common,
  name: 'readNaturalSample',
  summary: 'Read the sample of a natural voice',
  method: 'GET',
  path: `${PATH}/{name}/sample`,
  reply: 'audio',
  request: named,
  response: () => operations.createSpeech.response,
  failures: [403, 404],
});

/** Starts the installation of a voice, or returns the one in progress. */
export const installVoice = operation({
  ...common,
  name: 'installNaturalVoice',
  summary: 'Install a natural voice',
  method: 'POST',
  path: `${PATH}/{name}`,
  reply: 'json',
  request: () => named().extend({ card: z.string().max(200) }),
  response: job,
  failures: [400, 403, 404],
});

/** Starts to measure an installed voice again. */
export const startMeasurement = operation({
  ...common,
  name: 'measureNaturalVoice',
  summary: 'Measure a natural voice again',
  method: 'POST',
  path: `${PATH}/{name}/measurement`,
  reply: 'json',
  request: named,
  response: job,
  failures: [403, 404],
});

/** Reads the progress of an installation or a measurement. */
export const readInstallation = operation({
  ...common,
  name: 'readInstallation',
  summary: 'Read the progress of an installation',
  method: 'GET',
  path: `${PATH}/{name}/job`,
  reply: 'json',
  request: named,
  response: job,
  failures: [403, 404],
});

/** Cancels an installation. */
export const cancelInstallation = operation({
  ...common,
  name: 'cancelInstallation',
  summary: 'Cancel an installation',
  method: 'DELETE',
  path: `${PATH}/{name}/job`,
  reply: 'empty',
  request: named,
  response: withoutReply,
  failures: [403, 404],
});

/** Removes an installed voice. */
export const removeVoice = operation({
  ...common,
  name: 'removeNaturalVoice',
  summary: 'Remove a natural voice',
  method: 'DELETE',
  path: `${PATH}/{name}`,
  reply: 'empty',
  request: named,
  response: withoutReply,
  failures: [403, 404],
});

/** Starts the import of voices from a folder on the computer of the service. */
export const startImport = operation({
  ...common,
  name: 'startImport',
  summary: 'Import natural voices from a folder',
  method: 'POST',
  path: IMPORT_PATH,
  reply: 'json',
  request: lazy(() => z.object({ folder: z.string() })),
  response: importJob,
  failures: [400, 403, 404],
});

/** Reads the progress of the import. */
export const readImport = operation({
  ...common,
  name: 'readImport',
  summary: 'Read the progress of an import',
  method: 'GET',
  path: IMPORT_PATH,
  reply: 'json',
  request: withoutFields,
  response: importJob,
  failures: [403, 404],
});

/** Cancels the import. */
export const cancelImport = operation({
  ...common,
  name: 'cancelImport',
  summary: 'Cancel an import',
  method: 'DELETE',
  path: IMPORT_PATH,
  reply: 'empty',
  request: withoutFields,
  response: withoutReply,
  failures: [403, 404],
});
