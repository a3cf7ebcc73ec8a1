import { type Graph, type Operation, operation, type Tensor, type Value } from './onnx.js';
import { decoderOf } from './stub-decoder.js';

/** Samples, types and sizes of a stub voice. */
export interface GraphOptions {
  /** Hertz of the audio. */
  sampleRate: number;
  /** Samples of a frame. */
  hopLength: number;
  speakers: number;
  /** Frames and hertz of each id at length scale 1 and speaker 0. 0 Hz is silence. */
  frames: readonly number[];
  pitches: readonly number[];
  /** Factor of the hertz of each speaker. */
  speakerFactors: readonly number[];
  withDurations: boolean;
  /** Whether the operation `Ceil` rounds the lengths up, as in Piper voices. */
  withCeil: boolean;
  /** Whether a decoder as in Piper voices turns frames into samples, and whether Herald can run it in windows. */
  decoder: 'none' | 'windows' | 'whole';
  /** Layers of convolutions on the audio: realistic computation without an effect. */
  layers: number;
  /** Bytes of weights that the model keeps in memory. */
  weightBytes: number;
  outputShape: readonly bigint[];
  /** Length of the vector of each symbol, for a model with such vectors. */
  symbols: readonly number[];
}

/** Channels and width of a convolution. A layer costs 2 * 32 * 32 * 7 operations per sample. */
const CHANNELS = 32;
const WIDTH = 7;
const ROW = 256;
/** Part of an id's frames with the tone. The rest is silent, which separates ids without a pad. */
const TONE_SHARE = 0.75;

const ints = (name: string, ...values: bigint[]): Tensor => ({
  name,
  shape: [values.length],
  values: BigInt64Array.from(values),
});
const scalar = (name: string, value: number | bigint): Tensor => ({
  name,
  shape: [],
  values: typeof value === 'bigint' ? BigInt64Array.of(value) : Float32Array.of(value),
});
const floats = (name: string, values: readonly number[]): Tensor => ({
  name,
  shape: [values.length],
  values: Float32Array.from(values),
});

/**
 * Returns a model with the inputs and outputs of a Piper voice. It speaks each id as a tone: `frames * length_scale` frames,
 * with the id's hertz times the factor of the speaker. Each tone starts with phase 0
 * and ends with a short silence.
 */
export function stubGraph(options: GraphOptions): Graph {
  const layers = convolutions(options.layers);
  const weights = ballast(options.weightBytes);
  const decoder = decoderOf(options);
  const symbols = vectorsOf(options.symbols);
  return {
    inputs: inputsOf(options.speakers),
    outputs: [
      { name: 'output', type: 'float32', shape: ['batch', 1, 1, 'time'].slice(-options.outputShape.length) },
      ...(options.withDurations
        ? ([{ name: 'durations', type: 'float32', shape: [1, 1, 'phonemes'] }] as const)
        : []),
    ],
    tensors: [
      ...constants(options),
      ...layers.tensors,
      ...weights.tensors,
      ...decoder.tensors,
      ...symbols.tensors,
    ],
    operations: [
      ...symbols.operations,
      ...timing(options.withCeil),
      ...tones(options.speakers > 1),
      ...layers.operations,
      ...weights.operations,
      operation('audio', 'Sum', `tones ${layers.output} ${weights.output}`),
      ...decoder.operations,
      operation('output', 'Reshape', `${decoder.output} outputShape`),
      operation('durations', 'Reshape', 'frames durationShape'),
    ],
  };
}

/** Vectors of two numbers for symbols, without an effect on the audio. */
const vectorsOf = (lengths: readonly number[]): Pick<Graph, 'tensors' | 'operations'> =>
  lengths.length === 0
    ? { tensors: [], operations: [] }
    : {
        tensors: [
          {
            name: 'vectors',
            shape: [lengths.length, 2],
            values: Float32Array.from(lengths.flatMap((length) => [0.6 * length, -0.8 * length])),
          },
        ],
        operations: [operation('vectorsOfIds', 'Gather', 'vectors input')],
      };

const inputsOf = (speakers: number): Value[] => [
  { name: 'input', type: 'int64', shape: ['batch', 'phonemes'] },
  { name: 'input_lengths', type: 'int64', shape: ['batch'] },
  { name: 'scales', type: 'float32', shape: [3] },
  ...(speakers > 1 ? ([{ name: 'sid', type: 'int64', shape: ['batch'] }] as const) : []),
];

const constants = (options: GraphOptions): Tensor[] => [
  ints('flat', -1n),
  ints('zeros', 0n),
  ints('ones', 1n),
  scalar('zero', 0n),
  scalar('one', 1n),
  scalar('two', 2n),
  scalar('hop', BigInt(options.hopLength)),
  scalar('zeroFrames', 0),
  scalar('oneFrame', 1),
  scalar('hopFloat', options.hopLength),
  scalar('radians', (2 * Math.PI) / options.sampleRate),
  scalar('quiet', 0.3),
  scalar('noiseGain', 0.1),
  scalar('nothing', 0),
  scalar('toneShare', TONE_SHARE),
  floats('frameTable', options.frames),
  floats('pitchTable', options.pitches),
  floats('speakerTable', options.speakerFactors),
  ints('outputShape', ...options.outputShape),
  ints('durationShape', 1n, 1n, -1n),
];

/** From `input`, `input_lengths` and `scales` to the frames of each id, and the position of the id of each sample. */
const timing = (withCeil: boolean): Operation[] => [
  operation('allIds', 'Reshape', 'input flat'),
  operation('ids', 'Slice', 'allIds zeros input_lengths zeros'),
  operation('baseFrames', 'Gather', 'frameTable ids'),
  operation('lengthScale', 'Gather', 'scales one'),
  operation('exactFrames', 'Mul', 'baseFrames lengthScale'),
  ...(withCeil ? [operation('frames', 'Ceil', 'exactFrames')] : roundedUp()),
  operation('ends', 'CumSum', 'frames zero'),
  operation('starts', 'Sub', 'ends frames'),
  operation('total', 'ReduceMax', 'ends', { keepdims: 0n }),
  operation('frameRange', 'Range', 'zeroFrames total oneFrame'),
  operation('frameColumn', 'Unsqueeze', 'frameRange ones'),
  operation('isPassed', 'GreaterOrEqual', 'frameColumn ends'),
  operation('passed', 'Cast', 'isPassed', { to: 7n }),
  operation('frameId', 'ReduceSum', 'passed ones', { keepdims: 0n }),
  operation('totalSamples', 'Mul', 'total hopFloat'),
  operation('sampleCount', 'Cast', 'totalSamples', { to: 7n }),
  operation('times', 'Range', 'zero sampleCount one'),
  operation('sampleFrame', 'Div', 'times hop'),
  operation('sampleId', 'Gather', 'frameId sampleFrame'),
];

const roundedUp = (): Operation[] => [
  operation('lessFrames', 'Neg', 'exactFrames'),
  operation('lessWhole', 'Floor', 'lessFrames'),
  operation('frames', 'Neg', 'lessWhole'),
];

/** From the positions to a tone for each id. `noise_scale` and `noise_w` change the volume. */
const tones = (hasSpeakers: boolean): Operation[] => [
  operation(
    'speaker',
    hasSpeakers ? 'Gather' : 'Identity',
    hasSpeakers ? 'speakerTable sid' : 'speakerTable',
  ),
  operation('basePitch', 'Gather', 'pitchTable ids'),
  operation('pitch', 'Mul', 'basePitch speaker'),
  operation('samplePitch', 'Gather', 'pitch sampleId'),
  operation('startSamples', 'Mul', 'starts hopFloat'),
  operation('sampleStart', 'Gather', 'startSamples sampleId'),
  operation('timesFloat', 'Cast', 'times', { to: 1n }),
  operation('localTime', 'Sub', 'timesFloat sampleStart'),
  operation('cycles', 'Mul', 'localTime samplePitch'),
  operation('phase', 'Mul', 'cycles radians'),
  operation('wave', 'Sin', 'phase'),
  operation('noiseScale', 'Gather', 'scales zero'),
  operation('noiseW', 'Gather', 'scales two'),
  operation('noises', 'Add', 'noiseScale noiseW'),
  operation('louder', 'Mul', 'noises noiseGain'),
  operation('gain', 'Add', 'louder quiet'),
  operation('loudWave', 'Mul', 'wave gain'),
  operation('frameSamples', 'Mul', 'frames hopFloat'),
  operation('toneSamples', 'Mul', 'frameSamples toneShare'),
  operation('sampleEnd', 'Gather', 'toneSamples sampleId'),
  operation('isTone', 'Less', 'localTime sampleEnd'),
  operation('mask', 'Cast', 'isTone', { to: 1n }),
  operation('tones', 'Mul', 'loudWave mask'),
];

/** `count` convolutions with 32 channels on the audio, then a sum that is multiplied with 0. */
function convolutions(count: number) {
  if (count === 0) return { tensors: [], operations: [], output: 'nothing' };
  const pads = { pads: [3n, 3n] };
  const layer = (index: number) => operation(`layer${index}`, 'Conv', `layer${index - 1} weights`, pads);
  return {
    tensors: [
      ints('oneChannel', 1n, 1n, -1n),
      weightsOf('firstWeights', CHANNELS, 1),
      weightsOf('weights', CHANNELS, CHANNELS),
      weightsOf('lastWeights', 1, CHANNELS),
    ],
    operations: [
      operation('channel', 'Reshape', 'tones oneChannel'),
      operation('layer0', 'Conv', 'channel firstWeights', pads),
      ...Array.from({ length: count }, (_, index) => layer(index + 1)),
      operation('summed', 'Conv', `layer${count} lastWeights`, pads),
      operation('flatSum', 'Reshape', 'summed flat'),
      operation('silentSum', 'Mul', 'flatSum nothing'),
    ],
    output: 'silentSum',
  };
}

/** Small weights, so that no layer overflows. */
function weightsOf(name: string, outputs: number, inputs: number): Tensor {
  const values = Float32Array.from(
    { length: outputs * inputs * WIDTH },
    (_, index) => (((index * 7919) % 101) - 50) / (50 * inputs * WIDTH),
  );
  return { name, shape: [outputs, inputs, WIDTH], values };
}

/** A table in memory, from which each run reads a row that is multiplied with 0. */
function ballast(size: number) {
  if (size === 0) return { tensors: [], operations: [], output: 'nothing' };
  const rows = Math.ceil(size / 4 / ROW);
  const values = new Float32Array(rows * ROW);
  values.set(Float32Array.from({ length: Math.min(values.length, 251) }, (_, index) => index / 251));
  for (let filled = 251; filled < values.length; filled *= 2) values.copyWithin(filled, 0, filled);
  return {
    tensors: [{ name: 'table', shape: [rows, ROW], values }],
    operations: [
      operation('row', 'Gather', 'table zeros'),
      operation('rowSum', 'ReduceSum', 'row', { keepdims: 0n }),
      operation('silentRow', 'Mul', 'rowSum nothing'),
    ],
    output: 'silentRow',
  };
}
