import type { Bucket } from '@herald-speech/client/sharing';

/** News from other members, and changes of this one. */
export interface Events {
  mode?: () => void;
  /** A place may be free earlier than expected. */
  turn?: () => void;
  /** Whether calls wait. The member then lends nothing. */
  isBusy?: () => boolean;
  /** The automatic rate, the number of members or the share has changed. */
  figures?: () => void;
  pause?: (bucket: Bucket, milliseconds: number) => void;
  /** @param milliseconds without credits; 0 if the account has credits */
  credits?: (milliseconds: number) => void;
}

/** The observers of a member. */
export class Observers {
  private readonly all = new Set<Events>();

  /** Whether calls of any observer wait. */
  get isBusy(): boolean {
    return [...this.all].some((events) => events.isBusy?.() === true);
  }

  /** Adds an observer. Returns a function that removes it. */
  add(events: Events): () => void {
    this.all.add(events);
    return () => this.all.delete(events);
  }

  tell(call: (events: Events) => void): void {
    for (const events of this.all) call(events);
  }

  /** Tells the milliseconds of a pause, unless it is over. */
  pause(bucket: Bucket, milliseconds: number): void {
    if (milliseconds > 0) this.tell((events) => events.pause?.(bucket, milliseconds));
  }

  clear(): void {
    this.all.clear();
  }
}
