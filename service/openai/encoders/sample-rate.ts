/** Hertz of the formats `pcm`, `opus`, `aac` and `flac`. The OpenAI API defines it for `pcm`. */
export const SPEECH_RATE = 24_000;
