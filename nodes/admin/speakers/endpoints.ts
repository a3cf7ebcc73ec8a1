/** The endpoints of the lists of speakers: the search, the test sound, and the states. */
import { inspectAudio, SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { formatField } from '../../lib/output-format.js';
import { isPath } from '../../lib/announcement.js';
import { findSpeakers } from '../../speakers/find-speakers.js';
import { type SpeakerNode, speakerNodes } from '../../speakers/speaker-node.js';
import { speakersPackage } from '../../speakers/speakers-package.js';
import { speakerStateOf } from '../../speakers/states.js';
import { localeOfTranslator, localize, localizeError } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { endpoint, serve } from '../endpoint/endpoint.js';
import type { EditorConnections } from '../endpoint/editor-connections.js';
import { nodeEndpoint, serveNode } from '../endpoint/node-endpoint.js';
import { target } from '../endpoint/target.js';
import { isEdited, playersOf } from '../reach/players.js';
import { typedUrlFields } from '../reach/endpoints.js';
import type { ServedTestSound, SoundTests } from '../reach/sound-tests.js';
import type { TestSounds } from '../reach/test-sound.js';
import { renderSample } from '../voices/speak.js';
import { playOn } from './play.js';
import { SpeakerSearch } from './search.js';
import { isNewSpeaker, speakerFor, typedSpeaker } from './typed-speaker.js';

/** Maximum number of speakers that try a text. */
const MAX_SPEAKERS = 32;
/** Maximum length, in UTF-16 code units, of a name. */
const MAX_NAME = 200;
/** The topic on which the editor learns that the sound of a request has started. */
const STARTED = 'herald/speakers/started';

/** Serves the endpoints of the speakers. */
export function serveSpeakers(
  RED: NodeAPI,
  connections: EditorConnections,
  tests: SoundTests,
  sounds: TestSounds,
): void {
  const search = new SpeakerSearch((signal) => findSpeakers(RED, signal));
  serveNode(RED, findFor(search));
  serveNode(RED, playTestSound(search, tests, sounds));
  serve(RED, connections, sayOnSpeakers(search, tests));
  serveNode(RED, states);
}

/** Returns a test sound with its audio. */
const fileOf = ({ name, url, duration }: ServedTestSound, data: Uint8Array, tests: SoundTests) => ({
  data,
  url,
  duration,
  isFetched: () => tests.log.has(name),
});

/** The id by which the editor knows its request. */
const requestId = () => z.string().min(1).max(MAX_NAME).optional();

/** Returns a function that tells the editor that a sound has started. */
const startTeller =
  ({ comms }: NodeAPI, id: string | undefined) =>
  () =>
    comms.publish(STARTED, { id }, false);

/** Lists the deployed speakers with their states and last announcements. Invalid settings are a problem without a time. */
const states = nodeEndpoint({
  path: '/herald/speakers/states',
  permission: 'herald.read',
  request: () => z.object({}),
  run: ({ RED }) => ({
    speakers: speakerNodes(RED).map((node) => ({ id: node.id, ...stateOfNode(RED, node) })),
  }),
});

function stateOfNode(RED: NodeAPI, node: SpeakerNode): object {
  try {
    return speakerStateOf(node.speaker());
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    return { is: 'failed', last: { problem: localizeError(RED, error).message } };
  }
}

/** Starts or follows the search, and lists what it has found so far. */
const findFor = (search: SpeakerSearch) =>
  nodeEndpoint({
    path: '/herald/speakers/search',
    permission: 'herald.write',
    request: () => z.object({ start: z.boolean(), after: z.int().min(0) }),
    run({ RED, request: { start, after }, signal }) {
      // A missing package has no speakers: its message has the command that installs it.
      speakersPackage(RED);
      if (start) search.start();
      return search.since(start ? -1 : after, signal);
    },
  });

/** Plays a test sound on a speaker: one that the dialog follows by its name, or a new one. */
const playTestSound = (search: SpeakerSearch, tests: SoundTests, sounds: TestSounds) =>
  nodeEndpoint({
    path: '/herald/speakers/play',
    permission: 'herald.write',
    request: () =>
      typedUrlFields().extend({
        speaker: typedSpeaker(),
        name: z.string().min(1).max(MAX_NAME).optional(),
        format: formatField(),
        id: requestId(),
      }),
    isNew: ({ speaker, base_url, ...edited }, RED) =>
      base_url !== undefined || isEdited(RED, edited) || isNewSpeaker(RED, search, speaker),
    async run({ RED, request: { speaker: typed, name, format, id, ...url }, signal, translator }) {
      const speaker = speakerFor(RED, typed);
      const text = localize(translator, say('reach-sentence'));
      // A test sound that the dialog follows exists already.
      const silenceBefore = name === undefined ? speaker.wakeUp : 0;
      const sound = await sounds.get(
        { format, text, language: localeOfTranslator(translator), silenceBefore },
        signal,
      );
      const test = name === undefined ? await tests.start(RED, url, sound, signal) : tests.find(name);
      const file = { ...fileOf(test, sound.data, tests), onStart: startTeller(RED, id) };
      const [played] = await playOn(RED, [speaker], { ...file, players: playersOf(RED, url) }, signal);
      return { played };
    },
  });

/** "Try it" on speakers: speaks a sample text with the values of the dialog. */
const sayOnSpeakers = (search: SpeakerSearch, tests: SoundTests) =>
  endpoint({
    path: '/herald/speakers/say',
    permission: 'herald.write',
    request: () =>
      target().extend({
        request: z.record(z.string(), z.unknown()),
        url: typedUrlFields(),
        speakers: z.array(typedSpeaker()).min(1).max(MAX_SPEAKERS),
        id: requestId(),
      }),
    isNew: ({ request: { chime }, url: { base_url, ...edited }, speakers }, RED) =>
      isPath(chime) ||
      base_url !== undefined ||
      isEdited(RED, edited) ||
      speakers.some((speaker) => isNewSpeaker(RED, search, speaker)),
    async run(task) {
      const { RED, request, signal } = task;
      const speakers = request.speakers.map((typed) => speakerFor(RED, typed));
      const silence = Math.max(...speakers.map(({ wakeUp }) => wakeUp));
      const { file: data, rendering } = await renderSample(task, request.request, silence);
      const { duration } = inspectAudio(data);
      const { extension, mime } = rendering;
      const test = await tests.start(RED, request.url, { data, extension, mime, duration, text: '' }, signal);
      const players = playersOf(RED, request.url);
      const file = { ...fileOf(test, data, tests), players, onStart: startTeller(RED, request.id) };
      return { played: await playOn(RED, speakers, file, signal) };
    },
  });
