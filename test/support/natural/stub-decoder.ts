import { type Operation, operation, type Tensor } from './onnx.js';

/** Channels between the two steps of the decoder. */
const CHANNELS = 4;
/** Part of the neighbouring samples in each sample: a window without its context would sound different. */
const LEAK = 0.02;
/** Width and dilation of the last convolution. */
const [WIDTH, DILATION] = [7, 12];

const tensor = (name: string, shape: number[], valueAt: (...place: number[]) => number): Tensor => {
  const [outer = 1, middle = 1, inner = 1] = shape;
  const values = Float32Array.from({ length: outer * middle * inner }, (_, index) =>
    valueAt(Math.floor(index / inner / middle), Math.floor(index / inner) % middle, index % inner),
  );
  return { name, shape, values };
};

interface DecoderOptions {
  decoder: 'none' | 'windows' | 'whole';
  hopLength: number;
  speakers: number;
}

/**
 * A decoder in the form of HiFi-GAN, as Piper voices have it. Each frame holds its samples as channels. The decoder writes them one
 * after another, with a trace of the frames around. The noise of a sentence is one random volume before the decoder.
 */
export function decoderOf({ decoder, hopLength, speakers }: DecoderOptions) {
  if (decoder === 'none') return { tensors: [], operations: [], output: 'audio' };
  return {
    tensors: tensorsOf(hopLength),
    operations: operationsOf(decoder, hopLength, speakers > 1),
    output: 'spoken',
  };
}

function tensorsOf(hop: number): Tensor[] {
  const step = hop / CHANNELS;
  const isNext = (tap: number, place: number) => tap === (place + 1.5 * step) % (2 * step);
  return [
    { name: 'rows', shape: [2], values: BigInt64Array.of(-1n, BigInt(hop)) },
    { name: 'channels', shape: [3], values: BigInt64Array.of(1n, BigInt(hop), -1n) },
    tensor('one1', [1], () => 1),
    tensor('dec.conv_pre.weight', [hop, hop, 3], (to, from, tap) => (to !== from ? 0 : tap === 1 ? 1 : LEAK)),
    // Sample `CHANNELS * place + channel` of a frame is at `place`, which starts in the middle of the kernel.
    tensor('up1', [hop, CHANNELS, 2 * step], (from, channel, tap) => {
      const place = Math.floor(from / CHANNELS);
      if (from % CHANNELS !== channel) return 0;
      return tap === place + step / 2 ? 1 : isNext(tap, place) ? LEAK : 0;
    }),
    tensor('up2', [CHANNELS, 1, CHANNELS], (channel, _to, tap) => (channel === tap ? 1 : 0)),
    tensor('blockWeights', [1, 1, WIDTH], () => LEAK / WIDTH),
  ];
}

function operationsOf(decoder: string, hop: number, hasSpeakers: boolean): Operation[] {
  const step = BigInt(hop / CHANNELS);
  const pad = BigInt(((WIDTH - 1) * DILATION) / 2);
  return [
    operation('frameRows', 'Reshape', 'audio rows'),
    operation('frameColumns', 'Transpose', 'frameRows', { perm: [1n, 0n] }),
    operation('features', 'Reshape', 'frameColumns channels'),
    { type: 'RandomUniform', inputs: [], outputs: ['drawn'], attributes: { shape: [1n] } },
    operation('noise', 'Mul', 'drawn noiseScale'),
    operation('volume', 'Add', 'noise one1'),
    operation('z', 'Mul', 'features volume'),
    operation('pre', 'Conv', 'z dec.conv_pre.weight', { pads: [1n, 1n] }),
    ...(hasSpeakers
      ? [operation('cond', 'Mul', 'pre speaker'), operation('scaled', 'Div', 'cond speaker')]
      : []),
    operation('wide', 'ConvTranspose', `${hasSpeakers ? 'scaled' : 'pre'} up1`, {
      strides: [step],
      pads: [step / 2n, step / 2n],
    }),
    operation('long', 'ConvTranspose', 'wide up2', { strides: [BigInt(CHANNELS)] }),
    operation('block', 'Conv', 'long blockWeights', { dilations: [BigInt(DILATION)], pads: [pad, pad] }),
    operation('sum', 'Add', 'long block'),
    // A limit without bounds changes nothing, but is not one of the operations whose reach in time Herald knows.
    operation('limited', decoder === 'whole' ? 'Clip' : 'Identity', 'sum'),
    operation('spoken', 'Tanh', 'limited'),
  ];
}
