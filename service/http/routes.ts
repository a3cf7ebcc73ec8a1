import { operations, type Voice } from '@herald-speech/client/interface';
import type { CustomVoiceRow } from '../accounts/custom-voices.js';
import {
  approximation,
  cloneVoice,
  customStyles,
  customVoiceOrder,
  toCustomVoice,
} from '../voices/clones/clone.js';
import { answer, reply, type OperationRoute } from './route.js';
import { ServiceError } from '../kit/errors.js';
import type { SpeechDependencies } from '../speech/start-speech.js';
import { speechRoutes } from './speech/speech-routes.js';
import type { Catalogue } from '../voices/catalogue/catalogue.js';
import { pageOf, type Paging } from '../kit/paging.js';
import { presetVoice, withSamples } from '../voices/catalogue/preset-voice.js';
import { unknownVoice } from '../kit/unknown-voice.js';
import { hasStyle, matchesSearch, searchCatalogue, startsWords } from '../voices/catalogue/search.js';

/** The objects that the handlers use. */
export type Dependencies = SpeechDependencies;

/** Returns the routes of all operations. Add the handler of a new operation here or in `speech/speech-routes.ts`. */
export function routesOf(dependencies: Dependencies): OperationRoute[] {
  return [
    ...speechRoutes(dependencies),
    ...presetRoutes(dependencies),
    ...customVoiceRoutes(dependencies),
    ...cloneRoutes(dependencies),
    ...accountRoutes(dependencies),
  ];
}

function presetRoutes({ catalogue }: Dependencies): OperationRoute[] {
  return [
    reply(operations.searchVoices, ({ page_size, next_page_token, ...filters }, { origin }) => {
      const found = searchCatalogue(catalogue.described, filters);
      return presetPage(catalogue, found, { page_size, next_page_token }, origin);
    }),
    reply(operations.listVoices, (paging, { origin }) =>
      presetPage(catalogue, catalogue.described, paging, origin),
    ),
    reply(operations.getVoice, ({ voice_id: id }, { origin }) => {
      const voice = catalogue.get(id);
      if (voice === undefined) throw new ServiceError(404, unknownVoice(id));
      return presetVoice(voice, origin);
    }),
  ];
}

/** Only the voices of the page get samples: a voice has about 20, and a list can contain a thousand voices. */
function presetPage(catalogue: Catalogue, found: readonly Voice[], paging: Paging, origin: string) {
  const { items, ...page } = pageOf(found, paging, catalogue.order);
  return { ...page, items: items.map((voice) => withSamples(voice, origin)) };
}

/** Returns the routes that read and edit custom voices. */
function customVoiceRoutes({ catalogue, ledger: { customVoices } }: Dependencies): OperationRoute[] {
  return [
    reply(operations.listCustomVoices, (paging, { caller }) =>
      customPage(catalogue, customVoices.list(caller.account.id), paging),
    ),
    reply(operations.searchCustomVoices, ({ name, description, style, ...paging }, { caller }) => {
      const voices = customVoices.list(caller.account.id);
      const found = voices.filter(
        (voice) =>
          matchesSearch(voice.name, name) &&
          startsWords(voice.description, description) &&
          hasStyle(customStyles, style),
      );
      return customPage(catalogue, found, paging);
    }),
    reply(operations.getCustomVoice, ({ voice_id: id }, { caller }) =>
      toCustomVoice(customVoices.get(caller.account.id, id), catalogue),
    ),
    reply(operations.editCustomVoice, ({ voice_id: id, ...changes }, { caller }) =>
      toCustomVoice(customVoices.edit(caller.account.id, id, changes), catalogue),
    ),
  ];
}

function customPage(catalogue: Catalogue, voices: readonly CustomVoiceRow[], paging: Paging) {
  const { items, ...page } = pageOf(voices, paging, customVoiceOrder);
  return { ...page, items: items.map((voice) => toCustomVoice(voice, catalogue)) };
}

/** Returns the routes that create and delete custom voices, with their samples. */
function cloneRoutes({
  speech,
  samples,
  catalogue,
  ledger: { customVoices: voices },
}: Dependencies): OperationRoute[] {
  return [
    reply(operations.createClonedVoice, async (request, { caller, signal }) => {
      const dependencies = { speech, samples, voices, catalogue };
      const { voice_id } = await cloneVoice(request, caller.account.id, dependencies, signal);
      return { voice_id, ...approximation(catalogue) };
    }),
    answer(operations.deleteCustomVoice, async ({ voice_id: id }, { caller }) => {
      const { sample } = voices.get(caller.account.id, id);
      await samples.remove(sample, () => voices.remove(caller.account.id, id));
      return new Response(undefined, { status: 204 });
    }),
  ];
}

function accountRoutes({ ledger: { accounts, usage } }: Dependencies): OperationRoute[] {
  return [
    reply(operations.getCredits, (_request, { caller }) => ({
      balance: accounts.get(caller.account.id).credits,
    })),
    reply(operations.getUsage, (request, { caller }) => {
      const { next_page_token: next, ...page } = usage.byTime(caller.account.id, request);
      // Some clients do not accept null as "last page".
      return { ...page, ...(next && { next_page_token: next }) };
    }),
    reply(operations.getVoiceUsage, (request, { caller }) => usage.byVoice(caller.account.id, request)),
  ];
}
