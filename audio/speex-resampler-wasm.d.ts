/** Types of the functions in `speex_resampler.h`, because the package has no types. Addresses are in bytes. */
declare module '@echogarden/speex-resampler-wasm' {
  export interface Speex {
    _malloc(bytes: number): number;
    _free(address: number): void;
    _speex_resampler_init(channels: number, from: number, to: number, quality: number, error: number): number;
    _speex_resampler_destroy(state: number): void;
    _speex_resampler_skip_zeros(state: number): number;
    _speex_resampler_get_input_latency(state: number): number;
    _speex_resampler_process_float(
      state: number,
      channel: number,
      input: number,
      inputLength: number,
      output: number,
      outputLength: number,
    ): number;
    /** The memory. It is a new array after the memory has grown. */
    readonly HEAPF32: Float32Array;
    readonly HEAPU32: Uint32Array;
  }
  const create: () => Promise<Speex>;
  export default create;
}
