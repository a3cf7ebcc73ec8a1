import type { Activity } from '../../runtime/status.js';
import type { MadeRow, RowTask } from './task.js';

/** Makes the audio of a prompt. @throws SpeechError */
export type MakeRow = (
  task: RowTask,
  signal: AbortSignal,
  onProgress: (activity: Activity) => void,
) => Promise<MadeRow>;
