import { render } from '@herald-speech/audio';
import { type AccountPiece, SpeechError, speakWith } from '@herald-speech/client';
import type { Account } from '../../../account/account-node.js';
import { type PartWithoutAudio, sourceOf, withoutAudio } from '../../../lib/announced-speech.js';
import { markOption } from '../../../lib/mark.js';
import { formatFor } from '../../../lib/output-format.js';
import { chargedSeconds, secondsOf, spokenOnce } from '../../../lib/speech-report.js';
import { nodeSpeech } from '../../../lib/utterance.js';
import { collect } from '../../../output/to-buffer.js';
import { say } from '../../../runtime/messages.js';
import type { JobActivity } from '../../../runtime/status-texts.js';
import { dressingOfTask, type MadeRow, type RowTask } from './task.js';

/** Makes the audio of a prompt. @throws SpeechError */
export type MakeRow = (
  task: RowTask,
  signal: AbortSignal,
  onProgress: (activity: JobActivity) => void,
) => Promise<MadeRow>;

/**
 * Returns a function that makes prompts with an account. A prompt waits for the rate limit as long as that takes.
 * @param priority order of the requests in the queue of the rate limit; higher goes first
 */
export const makeWith =
  (account: Account, priority: number): MakeRow =>
  async (task, signal, onProgress) => {
    const { markup, cache, pronunciations, defaults, accountPronunciations, fallback, mark } = task;
    const { output_format: asked, ...request } = task.request;
    const made = account.abilities?.().formats;
    const { output_format, format } = formatFor({ output_format: asked, format: task.format }, made);
    const { gap, silenceAfter } = task.dressing;
    const ofAccount = { defaults, accountPronunciations, fallback };
    const ofPrompt = { markup, cache, pronunciations, sentences: gap > 0, outlives: true };
    const retries = { attempts: task.retry_attempts, wait: task.retry_wait, isPatient: true };
    const options = { ...nodeSpeech, ...ofAccount, ...ofPrompt, retries, signal, priority, onProgress };
    const pieces = speakWith(account.speaker, { ...request, output_format }, options);
    const dressing = dressingOfTask(task.dressing);
    const rendering = await render(pieces, {
      format,
      dressing,
      ...markOption(mark),
      speaker: sourceOf,
      signal,
    });
    const parts: PartWithoutAudio[] = [];
    async function* noted() {
      for await (const part of rendering.parts) {
        if (!fallback) checkVoice(part.piece);
        parts.push(withoutAudio(part));
        yield part;
      }
    }
    try {
      const data = await collect({ ...rendering, parts: noted() });
      return { data, ...describe(parts), seconds: secondsOf(parts) + silenceAfter };
    } finally {
      await rendering.close();
    }
  };

/** The local service lets a simple voice speak if a natural voice is late or fails. @throws SpeechError `service-failed` */
function checkVoice({ voice, voiceFallback: other, voiceFallbackReason: reason }: SpokenVoice): void {
  if (other === undefined) return;
  const values = { voice: voice.voice_id, other };
  const message =
    reason === undefined
      ? say('prompts-other-voice', values)
      : say('prompts-failed-voice', { ...values, reason });
  throw new SpeechError('service-failed', message);
}

type SpokenVoice = Pick<AccountPiece, 'voice' | 'voiceFallback' | 'voiceFallbackReason'>;

function describe(parts: readonly PartWithoutAudio[]): Omit<MadeRow, 'data' | 'seconds'> {
  const once = spokenOnce(parts);
  const { voice_id = '', language = '' } = once[0]?.piece.voice ?? {};
  const warnings = once.flatMap(({ piece }) => piece.warningTexts);
  return {
    charged: chargedSeconds(once),
    cached: once.every(({ piece }) => piece.cached),
    voice_id,
    language,
    warnings: [...new Map(warnings.map((text) => [JSON.stringify(text), text])).values()],
  };
}
