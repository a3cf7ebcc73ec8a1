import { rounded } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import type { CheckedDestination } from '../output/destination.js';
import type { MessageParts } from '../output/to-pieces.js';
import { audioFolder } from '../output/urls/serve-audio.js';
import type { AccountTask } from './define-node.js';
import type { QueueMode } from './queue-mode.js';
import type { Announced, SpeechReporter, RenderedSpeech, PartWithoutAudio } from './announced-speech.js';
import { recordedWarnings, replayOf, spokenFacts } from './announcement-facts.js';
import type { Formats } from './output-format.js';
import { earlyReport, secondsOf, speechReport } from './speech-report.js';

/** The task of a message that is spoken. */
type SpokenTask = AccountTask<{ format: Formats; order: QueueMode; progress_messages: boolean }>;

/** Reports the speech of a message in its results, its progress messages, its status, and the record of announcements. */
export class MessageReporter implements SpeechReporter {
  private readonly order: QueueMode;

  /** @param silenceAfter seconds of silence after the text */
  constructor(
    private readonly task: SpokenTask,
    private readonly destination: Pick<CheckedDestination, 'warnings'>,
    private readonly silenceAfter: number,
  ) {
    this.order = task.again ? 'wait' : task.request.order;
  }

  part(part: PartWithoutAudio): void {
    const { voice, voiceName } = part.piece;
    this.task.note({ voice: voiceName ?? voice.voice_id, language: voice.language });
    this.sendProgress(part);
  }

  /** The last progress message of a growing URL has the complete `msg.speech`. */
  end(spoken: RenderedSpeech): void {
    const { parts } = spoken;
    const seconds = secondsOf(parts) + this.silenceAfter;
    this.setResult(seconds, parts);
    const speech = {
      ...speechReport(this.task.RED, this.withWarnings(spoken), seconds),
      ...this.playback(),
    };
    for (const last of parts.slice(-1)) this.sendProgress(last, speech);
  }

  message({ delivered, spoken, parts: all, is }: Announced): NodeMessage {
    const { RED, message, note, request } = this.task;
    const described = this.withWarnings(spoken);
    const { payload, location, part, parts, isLast } = delivered;
    const seconds = secondsOf(all) + (is === 'complete' || is === 'playing' ? this.silenceAfter : 0);
    const report =
      is === 'growing URL'
        ? earlyReport(RED, described)
        : speechReport(RED, described, part?.duration ?? seconds);
    this.setResult(seconds, all);
    note({ replay: replayOf(audioFolder(RED), delivered, spoken, request.format.format) });
    const others = parts === undefined ? message : splitMessage(message, parts, isLast);
    const start = part && { start: rounded(part.start) };
    return { ...others, payload, speech: { ...report, ...start, ...this.playback(), ...location } };
  }

  /** Returns the fields of `msg.speech` that a node reads that plays the audio. */
  private playback(): object {
    return { order: this.order, announcement: this.task.sound?.id };
  }

  /** Adds the warnings about the text to those about the destination. */
  private withWarnings(spoken: RenderedSpeech): RenderedSpeech {
    return { ...spoken, warnings: [...this.task.warnings, ...spoken.warnings] };
  }

  /** Sets the result of the message: for its status, and for the record of announcements. */
  private setResult(seconds: number, parts: readonly PartWithoutAudio[]): void {
    const { account, onSpoken, note, warnings } = this.task;
    const isCached = parts.every(({ piece }) => piece.cached);
    const isUnreachable = this.destination.warnings.length > 0;
    const isSimple = parts.some(({ piece }) => piece.voiceFallbackReason !== undefined);
    const isApart = account.isApart?.() ?? false;
    const facts = spokenFacts(parts, account.service().isFree);
    const { fallback } = facts;
    onSpoken({ seconds, isCached, isApart, isSimple, isUnreachable, warning: warnings[0], fallback });
    note({ ...facts, warnings: recordedWarnings(parts, [...warnings, ...this.destination.warnings]) });
  }

  /**
   * Sends the progress on the first output, if the node does so. Such a message has no payload, and no fields with which a join
   * node would count it.
   */
  private sendProgress(part: PartWithoutAudio, speech?: object): void {
    const { request, message, report } = this.task;
    if (!request.progress_messages) return;
    const { payload: _payload, parts: _parts, complete: _complete, ...others } = message;
    const { index, count } = part.piece;
    const progress = { done: index + 1, count, seconds: secondsOf([part]) };
    report({ ...others, progress, ...(speech !== undefined && { speech }) });
  }
}

/**
 * Returns the message of a piece, as the core split node does: `msg.parts` of an earlier split goes to `parts.parts`, where the
 * join node finds it.
 */
function splitMessage(message: NodeMessage, parts: MessageParts, isLast: boolean): NodeMessage {
  const { parts: outer, complete: _complete, ...others } = message;
  const nested = outer === undefined ? parts : { ...parts, parts: outer };
  return { ...others, parts: nested, ...(isLast && { complete: true }) };
}
