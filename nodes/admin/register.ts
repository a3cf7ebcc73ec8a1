import type { NodeAPI } from 'node-red';
import { serveActivity } from './activity/endpoints.js';
import { serveCache } from './account/cache.js';
import { serveMark } from './mark.js';
import { serveBudget } from './account/budget.js';
import { createCustomVoice } from './voices/clone.js';
import { consoleLink } from './account/console-link.js';
import { createProgramKey, programPlace, savedProgramKey } from './account/programs.js';
import { serve } from './endpoint/endpoint.js';
import { naturalEndpoints } from './natural/endpoints.js';
import * as prompts from './prompts.js';
import { serveNode } from './endpoint/node-endpoint.js';
import { serveReach } from './reach/endpoints.js';
import { readSample } from './voices/read.js';
import { SoundTests } from './reach/sound-tests.js';
import { TestSounds } from './reach/test-sound.js';
import { serveSpeakers } from './speakers/endpoints.js';
import { sample } from './voices/sample.js';
import { speakSample } from './voices/speak.js';
import { serveWyomingServers } from './account/wyoming-servers.js';
import { testAccount } from './account/test-account.js';
import { testRedisServer } from './account/test-fleet.js';
import { voices } from './voices/voices.js';
import { type AccountOpener, EditorConnections } from './endpoint/editor-connections.js';

/**
 * Registers the admin routes that the dialogs use. Call this once, when the account's type is registered.
 * @param opener opens connections for accounts that are not deployed yet
 */
export function registerAdmin(RED: NodeAPI, opener: AccountOpener): void {
  const connections = new EditorConnections(RED, opener);
  serve(RED, connections, testAccount);
  serve(RED, connections, testRedisServer);
  serve(RED, connections, voices);
  serve(RED, connections, sample);
  serve(RED, connections, speakSample);
  serveNode(RED, readSample);
  serve(RED, connections, createCustomVoice);
  serve(RED, connections, consoleLink);
  serve(RED, connections, createProgramKey);
  serveNode(RED, programPlace);
  serveNode(RED, savedProgramKey);
  for (const one of naturalEndpoints) serve(RED, connections, one);
  serve(RED, connections, prompts.plan);
  serveNode(RED, prompts.audio);
  serveNode(RED, prompts.state);
  for (const control of prompts.controls) serveNode(RED, control);
  const tests = new SoundTests();
  const sounds = new TestSounds((signal) => connections.open({ service: 'local' }).connect(signal));
  serveReach(RED, tests, sounds);
  serveSpeakers(RED, connections, tests, sounds);
  serveCache(RED);
  serveBudget(RED);
  serveWyomingServers(RED);
  serveActivity(RED);
  serveMark(RED);
}
