import { VoiceManager } from '../../../../service/natural/manager.js';
import { FolderSource } from '../../../../service/natural/transfer/folder-source.js';
import { VoiceFolder } from '../../../../service/natural/voice-folder.js';

/** The voices of the shipped catalogue, none of them installed. */
export function availableVoices() {
  const folder = new VoiceFolder('/nonexistent/voices');
  const source = new FolderSource('/nonexistent/mirror');
  return new VoiceManager({ folder, data: '/nonexistent', source }).available();
}

/** An entry of the file `voices.json` of the voice repository, with invented digests. */
export function entryOfListing(name: string, { speakers = 1 } = {}): object {
  const [locale = '', dataset = '', quality = ''] = name.split('-');
  const folder = `${locale.slice(0, 2)}/${locale}/${dataset}/${quality}`;
  const digit = (index: number) => ((name.length + index) % 16).toString(16).repeat(32);
  const sizes: Array<[string, number]> = [
    [`${name}.onnx`, 60_000_000],
    [`${name}.onnx.json`, 5000],
    ['MODEL_CARD', 300],
  ];
  const files = sizes.map(([file, size], index) => [
    `${folder}/${file}`,
    { size_bytes: size, md5_digest: digit(index) },
  ]);
  return { key: name, num_speakers: speakers, files: Object.fromEntries(files) };
}
