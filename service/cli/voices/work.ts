import type { VoiceManager } from '../../voices/natural/manage/manager.js';
import type { VoiceFolder } from '../../voices/natural/install/voice-folder.js';
import type { NativeInstallation } from '../../voices/natural/install/native-runtime.js';
import type { Terminal } from './terminal.js';

/** The result of a command. */
export interface VoicesOutput {
  /** For programs, with `--json`. */
  json: object;
  /** For users. */
  text: string;
  /** Whether the command found problems, which the exit code reports. */
  hasProblems?: boolean;
}

/** The objects that a command works with. */
export interface VoicesWork {
  manager: VoiceManager;
  folder: VoiceFolder;
  native: NativeInstallation;
  terminal: Terminal;
  signal: AbortSignal;
}
