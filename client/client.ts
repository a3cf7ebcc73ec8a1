import { Account, type CallOptions } from './calls/account.js';
import type { DownloadOptions } from './http/download.js';
import type { Operation, RequestOf, ResponseOf } from './interface/operation.js';
import { type ClientOptions, settingsOf, usableKey } from './options.js';
import { type PagedOperation, pages } from './calls/pages.js';
import { predict, type Prediction, speak, type Speech, type SpeechRequest } from './speech/speak.js';

/** Calls every operation of one account, and speaks text of any length. */
export interface Client {
  /**
   * One call: checks the request, waits for the rate limit, sends, repeats where that may help, checks the reply.
   * @throws SpeechError
   */
  call<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    options?: CallOptions,
  ): Promise<ResponseOf<O>>;
  /**
   * Every page of a list or search, in order.
   * @throws SpeechError also when the service's page tokens go in a circle
   */
  pages<O extends PagedOperation>(
    operation: O,
    request: RequestOf<O>,
    options?: CallOptions,
  ): AsyncGenerator<ResponseOf<O>, void, undefined>;
  /**
   * Speaks a text of any length.
   * @throws SpeechError, and no audio, unless all of it is there; `chunk` says which part failed
   */
  speak(request: SpeechRequest, options?: CallOptions): Promise<Speech>;
  /** Seconds of audio that `speak` would give, free. @throws SpeechError */
  predict(request: SpeechRequest, options?: CallOptions): Promise<Prediction>;
  /**
   * Fetches a file that the service named, such as a voice's sample: as the service is reached, but without the key. No
   * redirect is followed.
   * @throws SpeechError
   */
  download(address: string, options?: DownloadOptions): Promise<Buffer>;
  /** Aborts every call, whether it runs or waits, and ends every connection. Every later call fails as `aborted`. */
  close(): Promise<void>;
}

/**
 * A client of one account. Key, proxy and TLS live in closures alone: `inspect()` can't show them.
 * @throws SpeechError `not-configured` for an option that can't be used
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const { apiKey, proxy, noProxy, tls } = options;
  const account = new Account(settings, usableKey(apiKey), { proxy, noProxy, tls });
  const call: Client['call'] = (...args) => account.call(...args);
  return {
    call,
    pages: (...args) => pages(call, ...args),
    speak: (...args) => speak(call, settings, ...args),
    predict: (...args) => predict(call, settings, ...args),
    download: (...args) => account.download(...args),
    close: () => account.close(),
  };
}
