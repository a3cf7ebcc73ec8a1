import path from 'node:path';
import { obstacleTexts } from '../../voices/natural/install/native-obstacle.js';
import type { NativeState } from '../../voices/natural/install/native-runtime.js';
import { UsageError } from '../usage-error.js';
import { formatMegabytes } from './format.js';
import type { VoicesOutput, VoicesWork } from './work.js';

/**
 * Shows, installs or removes the native runtime. The voices are measured again after a change.
 * @param words `install`, `install FILE`, `remove` or none
 * @throws UsageError, NaturalVoiceError
 */
export async function changeNative(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const [action, file] = words;
  const { native, manager, terminal, signal } = work;
  const onProgress = terminal.progress.bind(terminal, 'onnxruntime-node');
  if (action === 'install') {
    await native.install({ signal, onProgress, file: file === undefined ? undefined : path.resolve(file) });
  } else if (action === 'remove' && file === undefined) {
    await native.remove();
  } else if (action !== undefined) {
    throw new UsageError(
      `voices native ${words.join(' ')}: expected install, install FILE, remove or no argument`,
    );
  }
  if (action !== undefined) await manager.remeasure({ signal, onProgress });
  terminal.clear();
  const state = await native.state();
  return { json: { folder: native.folder, ...state }, text: textOf(state, native.folder) };
}

function textOf(
  { isInstalled, isOutdated, bytes, downloadBytes, version, obstacle }: NativeState,
  folder: string,
): string {
  if (isInstalled)
    return `The native runtime ${version} is installed (${formatMegabytes(bytes)}). Voices are about three times faster.\nFolder: ${folder}`;
  const size = `${formatMegabytes(bytes)} on this system, ${formatMegabytes(downloadBytes)} to download`;
  const install = `(${size}): herald-service voices native install`;
  if (isOutdated) {
    const fix = obstacle === null ? `Update it ${install}` : 'Remove it: herald-service voices native remove';
    return `The installed native runtime was made for another version of Herald, so voices run with WebAssembly. ${fix}`;
  }
  if (obstacle !== null) return `The native runtime is not installed: ${obstacleTexts[obstacle]}.`;
  return `The native runtime is not installed. It makes voices about three times faster ${install}`;
}
