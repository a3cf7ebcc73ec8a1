import { rm } from 'node:fs/promises';
import path from 'node:path';
import { installedFacts, type InstallableVoice } from '../catalogue/catalogue.js';
import { CurrentCatalogue } from '../catalogue/current-catalogue.js';
import { NaturalVoiceError } from '../../installed/errors.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import type { ImportWork } from '../install/import.js';
import { measurementsIn, nativeRuntimeFolder } from '../../installed/folders.js';
import { LISTING, MAX_LISTING, readListing } from '../catalogue/listing.js';
import {
  type ManagedVoice,
  type ModelCardReply,
  type RefreshResult,
  installedStateOf,
} from './managed-voice.js';
import { Measuring } from './measuring.js';
import { MAX_CARD, parseModelCard } from '../catalogue/model-card.js';
import { selectVoices, type VoiceFilter } from './select.js';
import type { VoiceFolder } from '../install/voice-folder.js';
import type { InstallControl } from '../install/install-control.js';
import type { VoiceSource } from '../transfer/voice-source.js';

interface InstallWork extends InstallControl {
  /** SHA-256 digest of the model card that the user accepted. */
  card: string;
}

export interface VoiceManagerOptions {
  folder: VoiceFolder;
  /** Data folder, with the measurements and the refreshed catalogue. */
  data: string;
  source: VoiceSource;
}

/** The catalogue of natural voices with their state on this computer. Only the methods that mention the network use it. */
export class VoiceManager {
  readonly #folder: VoiceFolder;
  readonly #source: VoiceSource;
  readonly #measurements: string;
  readonly #measuring: Measuring;
  readonly #catalogue: CurrentCatalogue;
  /** The licences in the model cards that were read, which the list shows during an installation. */
  readonly #licences = new Map<string, Pick<ModelCardReply, 'licence' | 'isNonCommercial'>>();

  constructor({ folder, data, source }: VoiceManagerOptions) {
    this.#folder = folder;
    this.#source = source;
    this.#measurements = measurementsIn(data);
    this.#measuring = new Measuring({
      measurements: this.#measurements,
      native: nativeRuntimeFolder(data),
      isInstalled: (name) => folder.names().includes(name),
      remove: (name) => this.remove(name),
    });
    this.#catalogue = new CurrentCatalogue(data);
  }

  /** The date of the refreshed catalogue, ISO 8601; null for the catalogue of this version. */
  get date(): string | null {
    return this.#catalogue.current().date;
  }

  /** A message if the refreshed catalogue is damaged. */
  get problem(): string | undefined {
    return this.#catalogue.current().problem;
  }

  /** Returns the voices of the catalogue and the installed voices, by language, quality and title. */
  available(filter: VoiceFilter = {}): ManagedVoice[] {
    const { voices } = this.#catalogue.current();
    const installed = new Map(this.#folder.list().map((voice) => [voice.name, voice]));
    const listed = voices.map((voice) => this.#managed(voice, installed.get(voice.name)));
    const names = new Set(voices.map(({ name }) => name));
    const others = [...installed.values()].filter(({ name }) => !names.has(name));
    return selectVoices(
      [...listed, ...others.map((voice) => this.#managed(installedFacts(voice), voice))],
      filter,
    );
  }

  /**
   * Reads the present model card of a voice. Uses the network.
   * @throws NaturalVoiceError
   */
  async card(name: string, signal: AbortSignal): Promise<ModelCardReply> {
    const { files, bytes, isNonCommercial } = this.#find(name);
    const card = parseModelCard(
      await this.#source.read(files[2]?.path ?? '', { maxBytes: MAX_CARD, signal }),
      name,
    );
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
  async install(name: string, { card, signal, onProgress }: InstallWork): Promise<InstalledVoice> {
    const work = { signal, onProgress };
    const present = await this.#whole(name, signal);
    if (present !== undefined) return this.#measuring.ensure(present, work, false);
    const voice = this.#find(name);
    onProgress({ phase: 'card', bytes: 0, total: voice.bytes });
    const { sha256, licence, isNonCommercial } = await this.card(name, signal);
    if (sha256 !== card) {
      const fix = 'Read the present model card and install the voice again';
      throw new NaturalVoiceError('consent', `${name}: the model card differs from the accepted one. ${fix}`);
    }
    const consent = { licence, isNonCommercial, cardSha256: sha256, at: new Date().toISOString() };
    return this.#measuring.ensure(await this.#folder.install(voice, this.#source, consent, work), work, true);
  }

  /** Measures an installed voice again. @throws NaturalVoiceError */
  async measureAgain(name: string, work: InstallControl): Promise<NonNullable<ManagedVoice['installed']>> {
    const voice = this.#folder.list().find((voice) => voice.name === name.normalize('NFC'));
    if (voice === undefined)
      throw new NaturalVoiceError('not-found', `${name}: damaged or not installed. Install the voice again`);
    await this.#measuring.repeat(voice, work);
    return installedStateOf(voice, this.#measurements);
  }

  /** Measures all measured voices again, because their runtime has changed. @throws NaturalVoiceError of the first one that fails */
  remeasure(work: InstallControl): Promise<void> {
    return this.#measuring.repeatAll(this.#folder.list(), work);
  }

  /** Removes a voice and its measurement. @throws NaturalVoiceError */
  async remove(name: string): Promise<void> {
    await this.#folder.remove(name);
    await rm(path.join(this.#measurements, `${name}.json`), { force: true });
  }

  /** Checks the digests of an installed voice. Returns its problems. */
  verify(name: string, signal: AbortSignal): Promise<string[]> {
    return this.#folder.verify(name, signal);
  }

  /** Installs and measures the voices in a folder, together or in one folder for each voice. @throws NaturalVoiceError */
  async importFrom(folder: string, work: ImportWork): Promise<InstalledVoice[]> {
    const before = new Map(this.#folder.list().map(({ name, record }) => [name, record.installedAt]));
    const voices = await this.#folder.importFrom(folder, {
      ...work,
      entryOf: (name) => this.#catalogue.current().voices.find((voice) => voice.name === name),
    });
    for (const voice of voices) {
      work.onVoice?.(voice.name);
      await this.#measuring.ensure(voice, work, before.get(voice.name) !== voice.record.installedAt);
    }
    return voices;
  }

  /**
   * Loads the catalogue of the voice repository. Uses the network. The present catalogue remains if this fails.
   * @throws NaturalVoiceError
   */
  async refresh(signal: AbortSignal): Promise<RefreshResult> {
    const bytes = await this.#source.read(LISTING, { maxBytes: MAX_LISTING, signal });
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
    const voice = this.#folder.list().find((voice) => voice.name === name.normalize('NFC'));
    if (voice === undefined || !this.#isCurrent(voice)) return undefined;
    return (await this.#folder.verify(voice.name, signal)).length === 0 ? voice : undefined;
  }

  /** Whether a voice has the files of the catalogue and an accepted model card. A voice that is not in the catalogue is current. */
  #isCurrent({ name, record }: InstalledVoice): boolean {
    const entry = this.#catalogue.current().voices.find((voice) => voice.name === name);
    if (entry === undefined) return true;
    if (record.consent.cardSha256 === null) return false;
    return entry.files
      .slice(0, 2)
      .every((file) => record.files[path.posix.basename(file.path)]?.md5 === file.md5);
  }

  #find(name: string): InstallableVoice {
    const voice = this.#catalogue.current().voices.find((voice) => voice.name === name.normalize('NFC'));
    if (voice !== undefined) return voice;
    const fix = 'Use a name from the list of available voices, or refresh the catalogue';
    throw new NaturalVoiceError('not-found', `${name.slice(0, 100)}: unknown natural voice. ${fix}`);
  }

  #managed(voice: Omit<InstallableVoice, 'files'>, installed: InstalledVoice | undefined): ManagedVoice {
    const { name, title, language, region, quality, speakers, bytes, gender, sample } = voice;
    const { licence, isNonCommercial } = installed?.record ?? this.#licences.get(name) ?? voice;
    return {
      name,
      title,
      language,
      region,
      quality,
      speakers,
      bytes,
      gender,
      licence,
      isNonCommercial,
      sample,
      installed: installed === undefined ? null : installedStateOf(installed, this.#measurements),
    };
  }
}
