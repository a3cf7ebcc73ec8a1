import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-common';
import { ModelError } from './errors.js';
import { type CutVoice, cutVoice } from './onnx/decoder.js';
import { framesName, type Graph, readGraph, wholeModel } from './onnx/graph.js';
import { orUndefined } from './onnx/protobuf.js';
import { symbolLengths } from './onnx/symbols.js';
import type { CreateSession, Runtime } from './runtime.js';
import { decoderWindows } from './windows.js';

/** A part of the audio of a sentence, as the runtime returns it. */
interface NetworkAudio {
  audio: Tensor | undefined;
  /** Samples of `audio` that belong to the part. */
  from: number;
  to: number;
  /** Samples of the whole sentence. */
  length: number;
  /** Frames of each id, if the network tells them. */
  frames: Tensor | undefined;
}

/** The network of a voice. */
export interface VoiceNetwork {
  inputs: readonly InferenceSession.ValueMetadata[];
  outputs: readonly InferenceSession.ValueMetadata[];
  /** Length of the vector of each symbol, if the graph tells them. */
  symbols: Float32Array | undefined;
  /**
   * Yields the audio of a sentence in order.
   * @param check throws to end the work. Gets the length before the audio is computed, if it is known then
   * @param isUrgent whether the caller waits for the first audio
   */
  run(
    inputs: Record<string, Tensor>,
    check: (length: number) => void,
    isUrgent: boolean,
  ): AsyncGenerator<NetworkAudio>;
  release(): Promise<void>;
}

/** Errors of ONNX Runtime are part of the reply. Its own messages must not appear in the log. */
const QUIET = { logSeverityLevel: 4 } as const;

/** Loads the network of a model: in two parts if it can be cut before its decoder, else whole. */
export async function openVoiceNetwork(
  file: string,
  bytes: Buffer,
  create: CreateSession,
  runtime: Runtime,
): Promise<VoiceNetwork> {
  const graph = readGraph(bytes);
  const symbols = graph && symbolLengths(graph);
  const parts = graph && cutVoice(graph);
  const network =
    parts === undefined
      ? openWhole((graph && wholeVoice(graph)) ?? bytes, create)
      : openCut(file, parts, create, runtime);
  return withSymbols(network, symbols);
}

type RunnableNetwork = Omit<VoiceNetwork, 'symbols'>;

/** A separate function, because the frame of `openVoiceNetwork` keeps the bytes of the file reachable. */
async function withSymbols(
  network: Promise<RunnableNetwork>,
  symbols: VoiceNetwork['symbols'],
): Promise<VoiceNetwork> {
  return { ...(await network), symbols };
}

async function openWhole(model: Uint8Array, create: CreateSession): Promise<RunnableNetwork> {
  return wholeNetwork(await create(model));
}

/** Returns the model of a voice. The frames of each id are its second output, unless it has one. */
function wholeVoice(graph: Graph): Buffer | undefined {
  const name = framesName(graph);
  const further = name === undefined || graph.outputs.size > 1 ? [] : [name];
  return orUndefined(() => wholeModel(graph, further));
}

function wholeNetwork(session: InferenceSession): RunnableNetwork {
  return {
    inputs: session.inputMetadata,
    outputs: session.outputMetadata,
    run: async function* (inputs): AsyncGenerator<NetworkAudio> {
      const outputs = await session.run(inputs, QUIET);
      const [audio, frames] = session.outputNames.map((name) => outputs[name]);
      const length = audio?.data.length ?? 0;
      yield { audio, from: 0, to: length, length, frames };
    },
    release: () => session.release(),
  };
}

async function openCut(
  file: string,
  { encoder: encoderBytes, decoder: decoderBytes, overlap, hop }: CutVoice,
  create: CreateSession,
  { Tensor }: Runtime,
): Promise<RunnableNetwork> {
  const encoder = await create(encoderBytes);
  const decoder = await create(decoderBytes).catch(async (error: unknown) => {
    await encoder.release();
    throw error;
  });
  const [start = '', framesOutput = ''] = encoder.outputNames;
  const decode = frameDecoder(file, decoder, Tensor, hop);
  return {
    inputs: encoder.inputMetadata,
    outputs: decoder.outputMetadata,
    // The encoder draws the noise of a sentence, so it runs once.
    run: async function* (inputs, check, isUrgent): AsyncGenerator<NetworkAudio> {
      const { [start]: features, [framesOutput]: frames } = await encoder.run(inputs, QUIET);
      const [, channels = 0, count = 0] = features?.dims ?? [];
      if (!(features?.data instanceof Float32Array))
        throw new ModelError(file, 'the decoder has no input of type float32. Use another voice');
      const length = count * hop;
      check(length);
      for (const { from, to, contextFrom, contextTo } of decoderWindows(count, overlap, isUrgent)) {
        const audio = await decode(columns(features.data, count, contextFrom, contextTo), channels);
        yield { audio, from: (from - contextFrom) * hop, to: (to - contextFrom) * hop, length, frames };
      }
    },
    release: async () => {
      await encoder.release();
      await decoder.release();
    },
  };
}

type DecodeFrames = (features: Float32Array, channels: number) => Promise<Tensor>;

/** Returns a function that computes the samples of frames. */
const frameDecoder =
  (file: string, decoder: InferenceSession, Tensor: TensorConstructor, hop: number): DecodeFrames =>
  async (features, channels) => {
    const width = features.length / channels;
    const [[input = ''], [output = '']] = [decoder.inputNames, decoder.outputNames];
    const outputs = await decoder.run(
      { [input]: new Tensor('float32', features, [1, channels, width]) },
      QUIET,
    );
    const audio = outputs[output];
    if (audio?.data.length === width * hop) return audio;
    throw new ModelError(file, 'the decoder returned audio of an unexpected length. Use another voice');
  };

/** Returns some columns of a matrix whose rows have `count` values. */
function columns(values: Float32Array, count: number, from: number, to: number): Float32Array {
  if (from === 0 && to === count) return values;
  const width = to - from;
  const result = new Float32Array((values.length / count) * width);
  for (let row = 0; row * width < result.length; row++)
    result.set(values.subarray(row * count + from, row * count + to), row * width);
  return result;
}
