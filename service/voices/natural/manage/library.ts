import { rm } from 'node:fs/promises';
import path from 'node:path';
import { NaturalVoiceError } from '../../installed/errors.js';
import { measurementsIn } from '../../installed/folders.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { defaultRepository, installedFacts, type InstallableVoice } from '../catalogue/catalogue.js';
import { type InstallableVoices, CurrentCatalogue } from '../catalogue/current-catalogue.js';
import { LISTING, MAX_LISTING, readListing } from '../catalogue/listing.js';
import { MAX_CARD, parseModelCard } from '../catalogue/model-card.js';
import type { InstallControl } from '../install/install-control.js';
import { NativeInstallation } from '../install/native-runtime.js';
import { controlOf } from '../install/import.js';
import { VoiceFolder } from '../install/voice-folder.js';
import { openVoiceSource } from '../transfer/open-source.js';
import type { ReadOptions, VoiceSource } from '../transfer/voice-source.js';
import {
  installedStateOf,
  type ManagedVoice,
  type ModelCardReply,
  type RefreshResult,
  selectVoices,
  type VoiceFilter,
} from './managed-voice.js';
import { Measuring } from './measuring.js';

export interface NaturalVoicesOptions {
  /** Folder of the natural voices. */
  voices: string;
  /** Data folder of the service, with the measurements and the refreshed catalogue. */
  data: string;
  /** The voice repository or its mirror; '' for the public repository. */
  voicesUrl: string;
}

/** A job of the library. It has progress, can be cancelled, and fails with a NaturalVoiceError. */
export type VoiceTask =
  /** Downloads, checks and measures a voice. `card`: SHA-256 digest of the model card that the user accepted */
  | { kind: 'install'; name: string; card: string }
  /** Measures an installed voice again. */
  | { kind: 'measure'; name: string }
  /** Removes a voice and its measurement. */
  | { kind: 'remove'; name: string }
  /** Installs and measures the voices in a folder or a file, together or in one folder for each voice. */
  | { kind: 'import'; from: string }
  /** Installs or removes the native runtime, and measures the voices again. `file`: a file of "npm pack" */
  | { kind: 'native'; change: 'install' | 'remove'; file?: string };

/**
 * The library of natural voices: the catalogue of all voices, and the folder of the installed ones. Every change is a `VoiceTask`. Only
 * the methods that mention the network use it.
 */
export class VoiceLibrary extends VoiceFolder {
  readonly #data: string;
  readonly #source: VoiceSource;
  readonly #measuring: Measuring;
  readonly #catalogue: CurrentCatalogue;
  /** The licences in the model cards that were read, which the list shows during an installation. */
  readonly #licences = new Map<string, Pick<ModelCardReply, 'licence' | 'isNonCommercial'>>();
  #native: NativeInstallation | undefined;

  /**
   * Opens the folder and the catalogue. Uses no network.
   * @param checkEvery milliseconds until `list` checks the folder for changes again
   */
  constructor(
    { voices, data, voicesUrl }: NaturalVoicesOptions,
    checkEvery?: number,
    native?: NativeInstallation,
  ) {
    super(voices, checkEvery);
    this.#data = data;
    this.#source = openVoiceSource(voicesUrl === '' ? defaultRepository : voicesUrl);
    this.#measuring = new Measuring(this, data);
    this.#catalogue = new CurrentCatalogue(data);
    this.#native = native;
  }

  get native(): NativeInstallation {
    return (this.#native ??= new NativeInstallation(this.#data));
  }

  /** The voices that can be installed, with the date of their list, and a message if the refreshed list is damaged. */
  get catalogue(): InstallableVoices {
    return this.#catalogue.current();
  }

  /** Does a task. Returns the names of the voices that it installed. @throws NaturalVoiceError */
  async run(task: VoiceTask, control: InstallControl): Promise<readonly string[]> {
    switch (task.kind) {
      case 'install':
        await this.#install(task.name, task.card, control);
        return [task.name];
      case 'measure':
        await this.#measuring.measure(this.#installed(task.name), control);
        return [];
      case 'remove':
        await this.remove(task.name);
        return [];
      case 'import':
        return this.#import(task.from, control);
      case 'native':
        await this.native[task.change]({ ...control, file: task.file });
        await this.#measuring.repeatAll(this.list(), control);
        return [];
    }
  }

  /** Returns the voices of the catalogue and the installed voices, by language, quality and title. */
  available(filter: VoiceFilter = {}): ManagedVoice[] {
    const { voices } = this.catalogue;
    const installed = new Map(this.list().map((voice) => [voice.name, voice]));
    const listed = voices.map((voice) => this.#managed(voice, installed.get(voice.name)));
    const names = new Set(voices.map(({ name }) => name));
    const others = [...installed.values()].filter(({ name }) => !names.has(name));
    return selectVoices(
      [...listed, ...others.map((voice) => this.#managed(installedFacts(voice), voice))],
      filter,
    );
  }

  /** Returns a voice with its state; undefined for an unknown one. */
  find(name: string): ManagedVoice | undefined {
    const wanted = name.normalize('NFC');
    return this.available().find((voice) => voice.name === wanted);
  }

  /** Reads a small file of the voice repository. Uses the network. @throws NaturalVoiceError */
  read(file: string, options: ReadOptions): Promise<Buffer> {
    return this.#source.read(file, options);
  }

  /**
   * Reads the present model card of a voice. Uses the network.
   * @throws NaturalVoiceError
   */
  async card(name: string, signal: AbortSignal): Promise<ModelCardReply> {
    const { files, bytes, isNonCommercial } = this.#entry(name);
    const bytesOfCard = await this.read(files[2]?.path ?? '', { maxBytes: MAX_CARD, signal });
    const card = parseModelCard(bytesOfCard, name);
    // A card without a licence does not lift the limits that the catalogue knows.
    const isLimited = card.licence === null && isNonCommercial === true;
    const terms = { licence: card.licence, isNonCommercial: card.isNonCommercial || isLimited };
    this.#licences.set(name.normalize('NFC'), terms);
    return { ...card, ...terms, bytes };
  }

  /**
   * Downloads, checks and measures a voice, and repairs a damaged one. Uses the network, except for a whole voice, which is only
   * measured if it has no measurement. If the engine is missing, the voice is not measured.
   * @throws NaturalVoiceError `consent` if the model card is another one
   */
  async #install(name: string, card: string, control: InstallControl): Promise<void> {
    const { signal } = control;
    const present = await this.#whole(name, signal);
    if (present !== undefined) return this.#measuring.ensure(present, control, false);
    const voice = this.#entry(name);
    control.onProgress({ phase: 'card', bytes: 0, total: voice.bytes });
    const { sha256, licence, isNonCommercial } = await this.card(name, signal);
    if (sha256 !== card) {
      const fix = 'Read the present model card and install the voice again';
      throw new NaturalVoiceError('consent', `${name}: the model card differs from the accepted one. ${fix}`);
    }
    const consent = { licence, isNonCommercial, cardSha256: sha256, at: new Date().toISOString() };
    const installed = await this.install(voice, this.#source, consent, control);
    await this.#measuring.ensure(installed, control, true);
  }

  /** Removes a voice and its measurement. @throws NaturalVoiceError */
  override async remove(name: string): Promise<void> {
    await super.remove(name);
    await rm(path.join(measurementsIn(this.#data), `${name}.json`), { force: true });
  }

  async #import(from: string, control: InstallControl): Promise<string[]> {
    const before = new Map(this.list().map(({ name, record }) => [name, record.installedAt]));
    const voices = await this.importFrom(from, { ...control, entryOf: (name) => this.#known(name) });
    for (const voice of voices) {
      const isNew = before.get(voice.name) !== voice.record.installedAt;
      await this.#measuring.ensure(voice, controlOf(voice.name, control), isNew);
    }
    return voices.map(({ name }) => name);
  }

  /**
   * Loads the catalogue of the voice repository. Uses the network. The present catalogue remains if this fails.
   * @throws NaturalVoiceError
   */
  async refresh(signal: AbortSignal): Promise<RefreshResult> {
    const bytes = await this.read(LISTING, { maxBytes: MAX_LISTING, signal });
    const { voices, invalid } = readListing(bytes);
    await this.#catalogue.save(voices);
    return { voices: Object.keys(voices).length, invalid };
  }

  /** Whether a voice is installed without damage, in the version of the catalogue. Its installation needs no consent. */
  async isWhole(name: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#whole(name, signal)) !== undefined;
  }

  /** Returns an installed voice if it is current and its files have the recorded digests. */
  async #whole(name: string, signal: AbortSignal): Promise<InstalledVoice | undefined> {
    const voice = this.list().find((voice) => voice.name === name.normalize('NFC'));
    if (voice === undefined || !this.#isCurrent(voice)) return undefined;
    return (await this.verify(voice.name, signal)).length === 0 ? voice : undefined;
  }

  /** Whether a voice has the files of the catalogue and an accepted model card. A voice that is not in the catalogue is current. */
  #isCurrent({ name, record }: InstalledVoice): boolean {
    const entry = this.#known(name);
    if (entry === undefined) return true;
    if (record.consent.cardSha256 === null) return false;
    return entry.files
      .slice(0, 2)
      .every((file) => record.files[path.posix.basename(file.path)]?.md5 === file.md5);
  }

  /** @throws NaturalVoiceError `not-found` */
  #installed(name: string): InstalledVoice {
    const voice = this.list().find((voice) => voice.name === name.normalize('NFC'));
    if (voice !== undefined) return voice;
    throw new NaturalVoiceError('not-found', `${name}: damaged or not installed. Install the voice again`);
  }

  #known(name: string): InstallableVoice | undefined {
    return this.catalogue.voices.find((voice) => voice.name === name);
  }

  /** @throws NaturalVoiceError `not-found` */
  #entry(name: string): InstallableVoice {
    const voice = this.#known(name.normalize('NFC'));
    if (voice !== undefined) return voice;
    const fix = 'Use a name from the list of available voices, or refresh the catalogue';
    throw new NaturalVoiceError('not-found', `${name.slice(0, 100)}: unknown natural voice. ${fix}`);
  }

  #managed(
    entry: Omit<InstallableVoice, 'files'> & { files?: unknown },
    installed: InstalledVoice | undefined,
  ): ManagedVoice {
    const { files: _files, ...voice } = entry;
    const { licence, isNonCommercial } = installed?.record ?? this.#licences.get(voice.name) ?? voice;
    const state = installed === undefined ? null : installedStateOf(installed, measurementsIn(this.#data));
    return { ...voice, licence, isNonCommercial, installed: state };
  }
}
