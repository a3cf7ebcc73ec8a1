/** The routes of natural voices of a scripted service. */
import { type Scripted, type Seen, spoken } from '../../support/net/scripted-server.js';

/** A model card with a licence that excludes commercial use. */
export const CARD = {
  text: '# Model card for anna\n\nLicense: CC BY-NC 4.0',
  licence: 'CC BY-NC 4.0',
  isNonCommercial: true,
  sha256: 'a'.repeat(64),
  bytes: 63_200_000,
};

interface Job {
  phase: 'card' | 'download' | 'check' | 'measure';
  bytes: number;
  total: number;
  error: string | null;
  kind: string | null;
  isDone: boolean;
}

interface ImportJob extends Job {
  folder: string;
  voice: string;
}

const voice = (name: string, title: string, more: object = {}) => ({
  name,
  title,
  language: name.slice(0, 2),
  region: name.slice(3, 5),
  quality: name.split('-').at(-1),
  speakers: 1,
  bytes: CARD.bytes,
  gender: null,
  licence: null,
  isNonCommercial: null,
  sample: `${name}/sample.mp3`,
  ...more,
});

const VOICES = [
  voice('de_DE-anna-medium', 'Anna', { licence: CARD.licence, isNonCommercial: true }),
  voice('de_DE-thorsten-high', 'Thorsten', { sample: null }),
  voice('en_GB-alan-low', 'Alan', { speakers: 3 }),
];

/** An installation in progress. */
export const RUNNING: Job = {
  phase: 'download',
  bytes: 21_000_000,
  total: CARD.bytes,
  error: null,
  kind: null,
  isDone: false,
};

/** A measurement in progress: 3 of 8 sentences. */
const MEASURING: Job = { ...RUNNING, phase: 'measure', bytes: 3, total: 8 };

/** A service whose installations end only when a test ends them. */
export function naturalService(more: { engine?: object; folder?: object } = {}) {
  const jobs = new Map<string, Job>();
  const installed = new Set<string>();
  let imported: ImportJob | undefined;
  const native = {
    isInstalled: false,
    isOutdated: false,
    version: '1.30.0',
    bytes: 46_200_000,
    downloadBytes: 113_500_000,
    obstacle: null as string | null,
    job: null as Job | null,
  };
  const stateOf = (name: string) =>
    installed.has(name)
      ? {
          at: '2026-01-01T00:00:00.000Z',
          licence: CARD.licence,
          isLive: false,
          realTimeFactor: 1.2,
          voiceIds: [name],
        }
      : null;
  const list = () => ({
    engine: { isInstalled: true, ...more.engine },
    folder: { path: '/data/voices', isWritable: true, freeBytes: null, ...more.folder },
    voices: VOICES.map((one) => ({ ...one, installed: stateOf(one.name), job: jobs.get(one.name) ?? null })),
    import: imported ?? null,
  });
  const replyTo = (method: string, name: string, part: string): Scripted => {
    if (part === 'card') return { body: CARD };
    if (part === 'sample') return spoken({ seconds: 0.2 });
    if (method === 'GET') return { body: jobs.get(name) ?? RUNNING };
    if (part === 'measurement') jobs.set(name, MEASURING);
    if (method === 'POST') return { status: 202, body: jobs.get(name) ?? jobs.set(name, RUNNING).get(name) };
    (part === 'job' ? jobs : installed).delete(name);
    return { status: 204 };
  };
  return {
    installed,
    /** The state of the native runtime. A request of a page starts a job, which the test ends. */
    native,
    /** Returns the reply to a request of the list. */
    list,
    /** Ends an installation, with success or with an error. */
    end(name: string, error: string | null = null, kind: string | null = null): void {
      jobs.set(name, { ...RUNNING, error, kind, isDone: true });
      if (error === null) installed.add(name);
    },
    /** Ends the import, with a voice or with an error. */
    endImport(end: string | { error: string; kind: string }): void {
      if (imported === undefined) throw new Error('no import');
      imported = { ...imported, isDone: true, ...(typeof end === 'string' ? {} : end) };
      if (typeof end === 'string') installed.add(end);
    },
    /** Returns undefined for a request to another route. */
    routes({ method, path, json }: Seen): Scripted | undefined {
      if (path === '/console/api/voice-import') {
        if (method === 'POST') imported = { ...RUNNING, folder: String(json['folder']), voice: '' };
        if (method === 'DELETE') imported = undefined;
        if (method === 'DELETE') return { status: 204 };
        return imported ? { status: method === 'POST' ? 202 : 200, body: imported } : { status: 404 };
      }
      if (path === '/console/api/native-runtime/job') {
        native.job = null;
        return { status: 204 };
      }
      if (path === '/console/api/native-runtime') {
        if (method !== 'GET') native.job = { ...RUNNING };
        return method === 'GET' ? { body: native } : { status: 202, body: native.job };
      }
      const [, name, part = ''] = /^\/console\/api\/voices(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(path) ?? [];
      if (name !== undefined) return replyTo(method, decodeURIComponent(name), part);
      return path === '/console/api/voices' ? { body: list() } : undefined;
    },
  };
}
