import { id3Mark } from '@herald-speech/client/audio';
import type { Encode } from './encode.js';
import { encodeTo, type Mediabunny, type Track } from './container.js';
import { Permits } from './permits.js';
import { SPEECH_RATE } from './sample-rate.js';
import { toSamples } from './samples-of.js';

/** Bits per second of AAC, sufficient for one voice. */
const BITRATE = 64_000;

/** Maximum number of encoders at a time. Each has a thread with about 15 MB. */
export const MAX_THREADS = 8;

const threads = new Permits(MAX_THREADS);

/** Waits for a free thread. A caller that hangs up while it waits leaves when its turn comes. */
const inThread = (encode: Encode): Encode =>
  async function* (pieces, options) {
    await threads.take();
    try {
      yield* encode(pieces, options);
    } finally {
      threads.give();
    }
  };

const encodeAdts = encodeTo({
  formatOf: ({ AdtsOutputFormat }) => new AdtsOutputFormat(),
  track: async (media) => {
    const { registerAacEncoder } = await import('@mediabunny/aac-encoder');
    registerAacEncoder();
    return sampleTrack(media, { codec: 'aac', bitrate: BITRATE });
  },
  hasComments: false,
});

/** Yields AAC-LC in ADTS frames. The mark is an ID3 tag at the start, as in an MP3. */
export const encodeAac = inThread(async function* (pieces, options) {
  let isFirst = true;
  for await (const part of encodeAdts(pieces, options)) {
    if (isFirst && options.mark !== undefined) yield id3Mark(options.mark);
    isFirst = false;
    yield part;
  }
});

/** Yields FLAC with 16 bits. A stream does not state its length. */
export const encodeFlac = inThread(
  encodeTo({
    formatOf: ({ FlacOutputFormat }, isWhole) => new FlacOutputFormat({ appendOnly: !isWhole }),
    track: async (media) => {
      const { registerFlacEncoder } = await import('@mediabunny/flac-encoder');
      registerFlacEncoder();
      return sampleTrack(media, { codec: 'flac' });
    },
    hasComments: true,
  }),
);

/** The encoder runs in a thread, which starts with the first samples. One silent sample starts it during the synthesis. */
function sampleTrack(
  media: Mediabunny,
  config: ConstructorParameters<Mediabunny['AudioSampleSource']>[0],
): Track {
  const source = new media.AudioSampleSource(config);
  let added = 0;
  const add = async (data: Int16Array<ArrayBuffer>) => {
    const format = { format: 's16', numberOfChannels: 1, sampleRate: SPEECH_RATE } as const;
    const sample = new media.AudioSample({ ...format, data, timestamp: added / SPEECH_RATE });
    added += data.length;
    try {
      await source.add(sample);
    } finally {
      sample.close();
    }
  };
  return {
    source,
    encode: async (pieces) => {
      const started = add(new Int16Array(1));
      started.catch(() => undefined); // Awaited below.
      try {
        for await (const { audio } of pieces) {
          await started;
          if (audio.length > 0) await add(toSamples(audio));
        }
      } finally {
        // The library cannot end a thread that is still starting: it would run for ever, and so would the service.
        await started;
      }
    },
  };
}
