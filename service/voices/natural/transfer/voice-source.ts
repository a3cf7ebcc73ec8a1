import type { FileRecord } from '../../installed/record.js';

/** The source of voices: the voice repository, a mirror of it, or a folder with the same files. */
export interface VoiceSource {
  /** Address or folder, without a password. */
  readonly address: string;
  /**
   * Reads a small file, such as a model card.
   * @param path relative path in the repository
   * @throws NaturalVoiceError
   */
  read(path: string, options: ReadOptions): Promise<Buffer>;
  /**
   * Downloads a file to `to`, by way of `to` with the extension `.part`, which a later call continues. The file has its
   * final name only after its size and digest were checked.
   * @returns size and digests
   * @throws NaturalVoiceError
   */
  download(path: string, to: string, options: FileDownloadOptions): Promise<FileRecord>;
}

export interface ReadOptions {
  maxBytes: number;
  signal: AbortSignal;
}

/** The expected file. */
export interface ExpectedFile {
  bytes: number;
  md5: string;
}

export interface FileDownloadOptions extends ExpectedFile {
  signal: AbortSignal;
  /** Called with the number of bytes on disk. The number decreases if the download starts again. */
  onProgress?(bytes: number): void;
}
