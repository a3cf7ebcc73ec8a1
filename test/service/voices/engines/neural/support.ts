import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Prosody, EnginePiece, SynthesisRequest } from '../../../../../service/voices/engines/engine.js';
import { EspeakChild } from '../../../../../service/voices/engines/espeak/espeak-child.js';
import { NeuralChild } from '../../../../../service/voices/engines/neural/process/neural-child.js';
import type { NeuralOptions } from '../../../../../service/voices/engines/neural/process/neural-options.js';
import { startNeural } from '../../../../../service/voices/engines/neural/neural.js';
import { NeuralVoices } from '../../../../../service/voices/engines/neural/voices.js';
import { tonesIn } from '../../../../support/natural/stub-voice.js';

export const forever = new AbortController().signal;
export const neutral: Prosody = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };

/** A text for the engine, with neutral prosody unless `delivery` sets some. */
export function request(voice: string, text: string, delivery: Partial<Prosody> = {}): SynthesisRequest {
  return { voice, text, language: voice.slice(0, 2), delivery: { ...neutral, ...delivery } };
}

/** Milliseconds for a sentence, which includes the start of a process: only a fault reaches this limit. */
const PATIENCE = { timeLimit: 60_000 };

/** The engine with its processes, and a temporary folder for voices. */
export class NeuralBench {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'herald-neural-'));
  readonly folder = path.join(this.root, 'voices');
  readonly measurements = path.join(this.root, 'measurements');
  readonly espeak = new EspeakChild(PATIENCE);
  readonly child: NeuralChild;
  readonly engine;

  constructor(options: Partial<NeuralOptions> = {}) {
    this.child = new NeuralChild({ ...PATIENCE, threads: 1, ...options });
    // Voices that a test has just installed are not in the list of the last second.
    const find = (id: string) => new NeuralVoices(this).get(id);
    this.engine = startNeural({ find, speaker: this.child, espeak: this.espeak });
  }

  async speak(synthesis: SynthesisRequest, signal = forever): Promise<EnginePiece[]> {
    const pieces: EnginePiece[] = [];
    for await (const piece of this.engine.speak(synthesis, signal)) pieces.push(piece);
    return pieces;
  }

  readPhonemes(voice: string, texts: string[]): Promise<string[]> {
    return this.espeak.phonemes({ voice, texts });
  }

  async close(): Promise<void> {
    await this.engine.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Returns the samples of all pieces. */
export function samplesOf(pieces: readonly EnginePiece[]): Int16Array {
  return Int16Array.from(pieces.flatMap(({ samples }) => [...samples]));
}

export function secondsOf(pieces: readonly EnginePiece[]): number {
  return pieces.reduce((sum, { samples, sampleRate }) => sum + samples.length / sampleRate, 0);
}

/** Returns the seconds of the pauses of more than 0.2 s between the tones of stub voices. */
export function pausesIn(samples: ArrayLike<number>, sampleRate: number): number[] {
  const tones = tonesIn(Float32Array.from(samples), sampleRate);
  return tones
    .slice(1)
    .map(([from], index) => (from - (tones[index]?.[1] ?? 0)) / sampleRate)
    .filter((pause) => pause > 0.2);
}
