import { open } from 'node:fs/promises';
import type { MAX_SENTENCE_SECONDS, NeuralPart, NeuralRequest } from '@herald-speech/local-service';
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { ModelError } from './errors.js';
import { type VoiceNetwork, openVoiceNetwork } from './network.js';
import type { Runtime } from './runtime.js';

/** The type keeps the number equal to the service's. */
const LIMIT_SECONDS: typeof MAX_SENTENCE_SECONDS = 120;

/** Inputs of a Piper voice with their types. Only a voice with several speakers has `sid`. */
const INPUTS = new Map([
  ['input', 'int64'],
  ['input_lengths', 'int64'],
  ['scales', 'float32'],
  ['sid', 'int64'],
]);
const OPTIONAL = 'sid';
const EXPECTED =
  'Expected the inputs input, input_lengths, scales and, for several speakers, sid of a Piper voice';

/** A part of the speech of a sentence. */
export type ModelPart = Pick<NeuralPart, 'samples' | 'length' | 'durations'>;

/** A loaded model of a Piper voice. */
export class NeuralModel {
  readonly #file: string;
  readonly #runtime: Runtime;
  readonly #network: VoiceNetwork;

  private constructor(file: string, runtime: Runtime, network: VoiceNetwork) {
    this.#file = file;
    this.#runtime = runtime;
    this.#network = network;
  }

  /** @throws ModelError if the model is not one of a Piper voice; an error of the file system or the runtime */
  static async load(file: string, runtime: Runtime): Promise<NeuralModel> {
    await checkStart(file);
    const network = await runtime.load(file, (bytes, create) =>
      openVoiceNetwork(file, bytes, create, runtime),
    );
    const problem = problemOf(network);
    if (problem === undefined) return new NeuralModel(file, runtime, network);
    await network.release();
    throw new ModelError(file, problem);
  }

  /**
   * Yields the speech of a sentence in order.
   * @param isCancelled ends the sentence at its next step
   * @throws ModelError if the model returns no speech, or the sentence is cancelled; an error of the runtime
   */
  async *speak(request: NeuralRequest, isCancelled: () => boolean): AsyncGenerator<ModelPart> {
    const check = (length: number) => {
      if (isCancelled()) throw new ModelError(this.#file, 'the sentence was cancelled');
      this.#checkLength(length, request.sampleRate);
    };
    const parts = this.#network.run(this.#inputs(request), check, request.urgency !== 'next');
    for await (const { audio, from, to, length, frames } of parts) {
      check(length);
      const samples = this.#samples(audio, from, to);
      yield { samples, length, durations: durationsOf(frames, request.ids.length, length) };
    }
  }

  /** Length of the vector of each symbol, null if the model does not tell them. */
  get symbols(): Float32Array<ArrayBuffer> | null {
    const { symbols } = this.#network;
    return symbols === undefined ? null : Float32Array.from(symbols);
  }

  release(): Promise<void> {
    return this.#network.release();
  }

  #inputs({ ids, scales, speaker }: NeuralRequest): Record<string, Tensor> {
    const { Tensor } = this.#runtime;
    const hasSpeakers = this.#network.inputs.some(({ name }) => name === OPTIONAL);
    if (!hasSpeakers && speaker !== null && speaker > 0)
      throw new ModelError(this.#file, `speaker ${speaker}: the model has one speaker only, number 0`);
    return {
      input: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      input_lengths: new Tensor('int64', [BigInt(ids.length)], [1]),
      scales: new Tensor('float32', scales, [scales.length]),
      ...(hasSpeakers && { sid: new Tensor('int64', [BigInt(speaker ?? 0)], [1]) }),
    };
  }

  #samples(audio: Tensor | undefined, from: number, to: number): Float32Array<ArrayBuffer> {
    const all = audio?.data;
    if (!(all instanceof Float32Array))
      throw new ModelError(this.#file, 'the first output has no samples of type float32. Use a Piper voice');
    const samples = all.slice(from, to);
    if (samples.every(Number.isFinite)) return samples;
    throw new ModelError(
      this.#file,
      'the model returned samples that are not numbers (NaN). Use another voice',
    );
  }

  /** @param length samples of a sentence */
  #checkLength(length: number, sampleRate: number): void {
    if (length === 0)
      throw new ModelError(this.#file, 'the model returned no audio for the sentence. Use another voice');
    if (length <= LIMIT_SECONDS * sampleRate) return;
    throw new ModelError(
      this.#file,
      `the model returned ${Math.round(length / sampleRate)} s of audio for a sentence, ` +
        `but at most ${LIMIT_SECONDS} s are allowed. Use another voice or a higher speed`,
    );
  }
}

/** Recognises the most frequent wrong file before the runtime reads it: a web page instead of the download. */
async function checkStart(file: string): Promise<void> {
  const start = await readStart(file).catch((cause: NodeJS.ErrnoException) => {
    const reason = `the file cannot be read (${cause.code}). Install the voice again`;
    throw new ModelError(file, reason, false, { cause });
  });
  if (/^\s*<[!?a-z]/i.test(start))
    throw new ModelError(file, 'the file is a web page, not a model. Remove the voice and install it again');
}

async function readStart(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Returns the first difference from the inputs and outputs of a Piper voice. */
function problemOf({ inputs, outputs }: VoiceNetwork): string | undefined {
  const names = inputs.map(({ name }) => name);
  const missing = [...INPUTS.keys()].find((name) => name !== OPTIONAL && !names.includes(name));
  if (missing !== undefined) return `the model has no input "${missing}". ${EXPECTED}`;
  for (const value of inputs) {
    const expected = INPUTS.get(value.name);
    if (expected === undefined) return `the model has the unknown input "${value.name}". ${EXPECTED}`;
    if (!value.isTensor || value.type !== expected)
      return `the input "${value.name}" has the type ${typeOf(value)} instead of ${expected}. ${EXPECTED}`;
  }
  const [audio] = outputs;
  return audio?.isTensor && audio.type === 'float32'
    ? undefined
    : `the first output has the type ${audio && typeOf(audio)} instead of float32. Use a Piper voice`;
}

const typeOf = (value: InferenceSession.ValueMetadata) => (value.isTensor ? value.type : 'list');

/** Returns the frames of each id, or null if the output is absent or does not describe the audio. */
function durationsOf(
  output: Tensor | undefined,
  count: number,
  samples: number,
): Float32Array<ArrayBuffer> | null {
  if (output?.data.length !== count) return null;
  const durations = Float32Array.from(output.data, Number);
  const total = durations.reduce((sum, frames) => sum + frames, 0);
  const isLength = durations.every((frames) => Number.isFinite(frames) && frames >= 0);
  // A frame has a whole number of samples.
  return isLength && total > 0 && samples % total === 0 ? durations : null;
}
