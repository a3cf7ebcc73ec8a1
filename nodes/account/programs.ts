import { lazy, rule, SpeechError, type Text, z } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { configured, savedNumber } from './limits.js';
import { isPort } from './players.js';
import type { PlaceProblems, ProgramAccess } from './local/program-ports.js';
import { namesIn } from './services.js';

/** The settings of a new account for other programs that use the local service (docs/decisions/0157). */
export const programDefaults = {
  /** `off`, `computer` for programs of this computer, or `network` for programs of the network as well. */
  programs: 'off',
  /** Whether the user has permitted programs of the network. Without it, `network` counts as `computer`. */
  programsConsent: false,
  /** Blank for 7800. */
  programsPort: '',
  /** Further default voices of the service, separated by commas (docs/service.md#default-voices). */
  programsVoices: '',
  /** Whether the service speaks the protocol Wyoming too. */
  wyoming: false,
  /** Blank for 10200. */
  wyomingPort: '',
};

/** The settings, with the account's own voice and language. A saved flow is unchecked input. */
export type SavedPrograms = Partial<Record<keyof typeof programDefaults | 'voice_id' | 'language', unknown>>;

const port = (usual: number) =>
  z.preprocess(
    (saved) => savedNumber(saved) ?? usual,
    z.unknown().refine(isPort, { message: rule(say('rule-port')) }),
  );

const flag = () => z.preprocess((saved) => saved === true || saved === 'true', z.boolean());

/** Commas separate the default voices of the service. */
const voices = () => z.preprocess((saved) => (typeof saved === 'string' ? saved : ''), z.string());

const schema = lazy(() =>
  z
    .object({
      programs: z.enum(['off', 'computer', 'network']).default('off'),
      programsConsent: flag(),
      programsPort: port(7800),
      programsVoices: voices(),
      voice_id: voices(),
      language: voices(),
      wyoming: flag(),
      wyomingPort: port(10_200),
    })
    .refine(({ wyoming, programsPort, wyomingPort }) => !wyoming || programsPort !== wyomingPort, {
      path: ['wyomingPort'],
      message: rule(say('rule-other-port')),
    }),
);

/** Returns the ports for other programs; undefined if they are off. @throws SpeechError `not-configured` */
export function programPlaceOf(saved: SavedPrograms) {
  const names = [...Object.keys(programDefaults), 'voice_id', 'language'];
  const own = Object.fromEntries(Object.entries(saved).filter(([name]) => names.includes(name)));
  const settings = configured(schema(), own);
  if (settings.programs === 'off') return undefined;
  const isOpen = settings.programs === 'network' && settings.programsConsent;
  return {
    host: isOpen ? '0.0.0.0' : '127.0.0.1',
    port: settings.programsPort,
    wyoming: settings.wyoming ? settings.wyomingPort : undefined,
    voices: [settings.voice_id, settings.language, settings.programsVoices].flatMap(namesIn),
  };
}

/**
 * Returns the access of other programs with an account; undefined if it is off. Invalid settings, and a port that cannot open, are
 * warnings: the speech of the flows does not need the ports.
 */
export function programAccessOf(
  RED: NodeAPI,
  node: Node,
  account: string,
  saved: SavedPrograms,
): ProgramAccess | undefined {
  const warn = (problem: Text) => node.warn(localize(RED, say('audio-port-warning', { account, problem })));
  let reported = '';
  try {
    const place = programPlaceOf(saved);
    if (place === undefined) return undefined;
    const report = (problems: PlaceProblems) => {
      const texts = Object.values(problems).filter((text) => text !== undefined);
      const news = texts.map(({ english }) => english).join('\n');
      if (news !== reported) texts.forEach(warn);
      reported = news;
    };
    return { account: node.id, place, report };
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    if (error.text !== undefined) warn(error.text);
    return undefined;
  }
}
