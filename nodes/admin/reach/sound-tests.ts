import type { NodeAPI } from 'node-red';
import { SpeechError } from '@herald-speech/client';
import { signedFile } from '../../lib/mark.js';
import { prepareUrl, useAudioRoute } from '../../output/urls/audio-urls.js';
import { say } from '../../runtime/messages.js';
import { playersOf } from './players.js';
import type { TypedUrl } from './report.js';
import { RequestLog } from './request-log.js';
import type { TestSound } from './test-sound.js';

/** Maximum number of test sounds whose requests are noted. */
const MAX_TESTS = 50;
/** Milliseconds after the last test sound. Then its requests are forgotten, and the audio route is released. */
const LIFETIME_MS = 900_000;

/** A test sound with its URL. */
export interface ServedTestSound extends Omit<TestSound, 'data' | 'extension'> {
  /** The file name of the sound, which identifies the test. */
  name: string;
  url: string;
}

/** The test sounds of the last minutes. Each test has a new URL, because players keep the audio of a URL. */
export class SoundTests {
  private readonly tests = new Map<string, ServedTestSound>();
  readonly log = new RequestLog((name) => this.tests.has(name));
  private end: NodeJS.Timeout | undefined;
  private release: (() => void) | undefined;

  /**
   * Records a test sound like the audio of a node, so that the same route serves it.
   * @throws SpeechError as `prepareUrl`
   */
  async start(
    RED: NodeAPI,
    { base_url, ...edited }: TypedUrl,
    sound: TestSound,
    signal: AbortSignal,
  ): Promise<ServedTestSound> {
    const { store, base } = await prepareUrl(RED, base_url, playersOf(RED, edited), signal);
    const { data, extension, ...described } = sound;
    const recorder = await store.record(extension, signal);
    try {
      await recorder.append(await signedFile(RED, data));
      await recorder.finish(new Uint8Array());
    } catch (error) {
      await recorder.fail();
      throw error;
    }
    const { name } = recorder;
    const test = { ...described, name, url: `${base}/${name}` };
    this.keep(RED, test);
    return test;
  }

  /** @throws SpeechError `not-found` for an unknown or expired test */
  find(name: string): ServedTestSound {
    const test = this.tests.get(name);
    if (test === undefined) throw new SpeechError('not-found', say('reach-expired'));
    return test;
  }

  private keep(RED: NodeAPI, test: ServedTestSound): void {
    this.tests.set(test.name, test);
    const [oldest] = this.tests.keys();
    if (this.tests.size > MAX_TESTS && oldest !== undefined) this.tests.delete(oldest);
    // Before the first deploy, no node uses the route.
    this.release ??= useAudioRoute(RED);
    this.log.start();
    clearTimeout(this.end);
    this.end = setTimeout(() => this.forget(), LIFETIME_MS).unref();
  }

  /** Forgets all tests at once, as after their lifetime. */
  forget(): void {
    clearTimeout(this.end);
    this.tests.clear();
    this.log.stop();
    this.release?.();
    this.release = undefined;
  }
}
