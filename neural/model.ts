import { open } from 'node:fs/promises';
import type { MAX_SENTENCE_SECONDS, NeuralRequest, NeuralSpoken } from '@herald-speech/local-service';
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { ModelError } from './errors.js';
import { framesName, readGraph, withOutput } from './onnx/graph.js';
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

/** A loaded model of a Piper voice. */
export class NeuralModel {
  readonly #file: string;
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;

  private constructor(file: string, runtime: Runtime, session: InferenceSession) {
    this.#file = file;
    this.#runtime = runtime;
    this.#session = session;
  }

  /** @throws ModelError if the model is not one of a Piper voice; an error of the file system or the runtime */
  static async load(file: string, runtime: Runtime): Promise<NeuralModel> {
    await checkStart(file);
    const session = await runtime.load(file, (bytes, create) => create(withFrames(bytes)));
    const problem = problemOf(session);
    if (problem === undefined) return new NeuralModel(file, runtime, session);
    await session.release();
    throw new ModelError(file, problem);
  }

  /** @throws ModelError if the model returns no speech; an error of the runtime */
  async speak(request: NeuralRequest): Promise<Pick<NeuralSpoken, 'samples' | 'durations'>> {
    const outputs = await this.#session.run(this.#inputs(request), { logSeverityLevel: 4 });
    const [audio, frames] = this.#session.outputNames.map((name) => outputs[name]);
    const samples = this.#samples(audio, request.sampleRate);
    return { samples, durations: durationsOf(frames, request.ids.length, samples.length) };
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #inputs({ ids, scales, speaker }: NeuralRequest): Record<string, Tensor> {
    const { Tensor } = this.#runtime;
    const hasSpeakers = this.#session.inputNames.includes(OPTIONAL);
    if (!hasSpeakers && speaker !== null && speaker > 0)
      throw new ModelError(this.#file, `speaker ${speaker}: the model has one speaker only, number 0`);
    return {
      input: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      input_lengths: new Tensor('int64', [BigInt(ids.length)], [1]),
      scales: new Tensor('float32', scales, [scales.length]),
      ...(hasSpeakers && { sid: new Tensor('int64', [BigInt(speaker ?? 0)], [1]) }),
    };
  }

  #samples(audio: Tensor | undefined, sampleRate: number): Float32Array<ArrayBuffer> {
    const samples = audio?.data;
    if (!(samples instanceof Float32Array))
      throw new ModelError(this.#file, 'the first output has no samples of type float32. Use a Piper voice');
    if (samples.length === 0)
      throw new ModelError(this.#file, 'the model returned no audio for the sentence. Use another voice');
    if (samples.length > LIMIT_SECONDS * sampleRate)
      throw new ModelError(
        this.#file,
        `the model returned ${Math.round(samples.length / sampleRate)} s of audio for a sentence, ` +
          `but at most ${LIMIT_SECONDS} s are allowed. Use another voice or a higher speed`,
      );
    if (!samples.every(Number.isFinite))
      throw new ModelError(
        this.#file,
        'the model returned samples that are not numbers (NaN). Use another voice',
      );
    return new Float32Array(samples);
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
function problemOf({ inputMetadata, outputMetadata }: InferenceSession): string | undefined {
  const names = inputMetadata.map(({ name }) => name);
  const missing = [...INPUTS.keys()].find((name) => name !== OPTIONAL && !names.includes(name));
  if (missing !== undefined) return `the model has no input "${missing}". ${EXPECTED}`;
  for (const value of inputMetadata) {
    const expected = INPUTS.get(value.name);
    if (expected === undefined) return `the model has the unknown input "${value.name}". ${EXPECTED}`;
    if (!value.isTensor || value.type !== expected)
      return `the input "${value.name}" has the type ${typeOf(value)} instead of ${expected}. ${EXPECTED}`;
  }
  const [audio] = outputMetadata;
  return audio?.isTensor && audio.type === 'float32'
    ? undefined
    : `the first output has the type ${audio && typeOf(audio)} instead of float32. Use a Piper voice`;
}

const typeOf = (value: InferenceSession.ValueMetadata) => (value.isTensor ? value.type : 'list');

/** Makes the frames of each id the second output, unless the model has one. */
function withFrames(bytes: Buffer): Buffer {
  const graph = readGraph(bytes);
  const name = graph && framesName(graph);
  return name === undefined || graph === undefined || graph.outputs.size > 1
    ? bytes
    : withOutput(graph, name);
}

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
