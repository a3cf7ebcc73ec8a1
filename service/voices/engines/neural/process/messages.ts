import { z } from 'zod';

/** Settings of the neural process: its first argument, as JSON. */
export interface NeuralSettings {
  /** Models in memory at the same time. The least recently used model leaves first. */
  maxModels: number;
  /** Milliseconds without a request after which a model leaves. */
  keepMs: number;
  /** Memory limit of the process in bytes. A request that exceeds it fails. */
  memoryBytes: number;
  /** Threads of a model, at most `MAX_MODEL_THREADS`. */
  threads: number;
  /** Free memory of the machine in bytes. With less, models that are not in use leave. */
  spareBytes: number;
  /** Folder of the native runtime. WebAssembly runs if it is missing or does not run here. */
  native?: string | undefined;
}

export const MAX_MODEL_THREADS = 2;
/** Maximum seconds of audio for a request, which is one sentence. */
export const MAX_SENTENCE_SECONDS = 120;
const MAX_SAMPLE_RATE = 48_000;

/**
 * `start`: the caller waits for the audio. `next`: the caller hears earlier audio of the text meanwhile. `warm-up`: only loads the
 * model. A new model runs the sentence in vain, because its first run takes longer, and the reply has no parts.
 */
export type Urgency = 'start' | 'next' | 'warm-up';

/** Speaks one sentence. */
export interface NeuralRequest {
  kind: 'speak';
  /** The reply has the same number. */
  id: number;
  /** Absolute path of the file `NAME.onnx`. */
  model: string;
  /** Input of the model: phoneme ids with start, pads and end. */
  ids: number[];
  /** `noise_scale`, `length_scale` and `noise_w`. A `length_scale` of 2 is half as fast. */
  scales: [noise: number, length: number, noiseW: number];
  /** Input `sid` of a model with several speakers, null for a model with one speaker. */
  speaker: number | null;
  urgency: Urgency;
  /** Hertz of the voice. The process rejects audio longer than `MAX_SENTENCE_SECONDS`. */
  sampleRate: number;
}

/** Loads the runtime, and a model: usually, a sentence for it follows. Has no reply. */
export interface LoadRequest {
  kind: 'load';
  /** Absolute path of the file `NAME.onnx`; undefined if it is not known yet. */
  model: string | undefined;
}

/** Ends the request in work after the step of computation that runs: part by part, or else the whole sentence. Its reply is `failed`. */
export interface NeuralCancellation {
  kind: 'cancel';
  id: number;
}

const MAX_SAMPLES = MAX_SENTENCE_SECONDS * MAX_SAMPLE_RATE;

/** A part of the audio of a sentence, as soon as it is computed. */
const part = z.object({
  kind: z.literal('part'),
  id: z.number(),
  /** From -1 to 1 if the model keeps to the format; always finite. */
  samples: z.instanceof(Float32Array).refine(({ length }) => length > 0, 'expected at least 1 sample'),
  /** Samples of the whole sentence. */
  length: z.number().max(MAX_SAMPLES),
  /** Frames of each id of the sentence, if the model tells them. The audio has a whole number of samples for a frame. */
  durations: z.instanceof(Float32Array).nullable(),
});

/** The audio of the request is complete. */
const spoken = z.object({
  kind: z.literal('spoken'),
  id: z.number(),
  /** Milliseconds to load the model; 0 if the process had it in memory. */
  loadMs: z.number(),
  /** Milliseconds of computation, and the processor time of all threads of the process in them. */
  runMs: z.number(),
  cpuMs: z.number(),
  /** `native` is onnxruntime-node, `web` is onnxruntime-web. */
  runtime: z.enum(['web', 'native']),
  /** Resident memory of the process in bytes, after the request. */
  memoryBytes: z.number(),
  /** Length of the vector of each symbol, if this request loaded the model and the model tells them. */
  symbols: z.instanceof(Float32Array).nullable(),
});

const failed = z.object({
  kind: z.literal('failed'),
  id: z.number(),
  message: z.string().max(1000),
  /** Whether the memory limit is the reason. A process that has used no other model may have room for the model. */
  isOutOfMemory: z.boolean(),
});

/**
 * The neural process has no model in memory and no request. WebAssembly cannot return memory, so the parent should end the
 * process, unless it has just sent a request.
 */
const idle = z.object({ kind: z.literal('idle') });

/**
 * A message of the neural process. Each request gets its parts in order and then `spoken`, or `failed`, also after some parts. `idle`
 * belongs to no request.
 */
export const neuralReply = z.discriminatedUnion('kind', [part, spoken, failed, idle]);

export type NeuralPart = z.output<typeof part>;
/** A spoken sentence with all of its parts. */
export type NeuralSpoken = z.output<typeof spoken> & Pick<NeuralPart, 'samples' | 'durations'>;
export type NeuralReply = z.output<typeof neuralReply>;
