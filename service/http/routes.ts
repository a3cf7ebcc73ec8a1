import { abridged, operations } from '@herald-speech/client/interface';
import type { CustomVoiceRow } from '../clones/custom-voices.js';
import type { Ledger } from '../accounts/ledger.js';
import { customVoiceOrder, makeClone, toCustomVoice } from '../clones/clone.js';
import type { SampleFiles } from '../clones/sample-files.js';
import { answer, reply, type Route } from './route.js';
import { ServiceError } from '../errors.js';
import type { Speech } from '../workers/speech.js';
import { speechRoutes } from './speech-routes.js';
import type { Catalogue } from '../voices/catalogue.js';
import { pageOf, type Paging } from '../paging.js';
import { presetVoice } from '../voices/preset-voice.js';
import { hasWords, searchVoices } from '../voices/search.js';

/** What the handlers work with. */
export interface Parts {
  speech: Speech;
  samples: SampleFiles;
  ledger: Ledger;
  catalogue: Catalogue;
}

/** Every operation that this service answers. A new one is added here. */
export function routesOf(parts: Parts): Route[] {
  return [
    ...speechRoutes(parts),
    ...presetRoutes(parts),
    ...customVoiceRoutes(parts),
    ...cloneRoutes(parts),
    ...accountRoutes(parts),
  ];
}

function presetRoutes({ catalogue }: Parts): Route[] {
  return [
    reply(operations.searchVoices, ({ page_size, next_page_token, ...filters }, { origin }) =>
      pageOf(searchVoices(catalogue.shown(origin), filters), { page_size, next_page_token }, catalogue.order),
    ),
    reply(operations.listVoices, (paging, { origin }) =>
      pageOf(catalogue.shown(origin), paging, catalogue.order),
    ),
    reply(operations.getVoice, ({ voice_id: id }, { origin }) => {
      const voice = catalogue.get(id);
      if (voice === undefined) throw new ServiceError(404, `there is no voice ${abridged(id)}`);
      return presetVoice(voice, origin);
    }),
  ];
}

/** What reads and changes the own voices of the caller's account. */
function customVoiceRoutes({ ledger: { customVoices } }: Parts): Route[] {
  return [
    reply(operations.listCustomVoices, (paging, { caller }) =>
      customPage(customVoices.list(caller.account.id), paging),
    ),
    reply(operations.searchCustomVoices, ({ name, description, ...paging }, { caller }) => {
      const own = customVoices.list(caller.account.id);
      const found = own.filter(
        (voice) => hasWords(voice.name, name) && hasWords(voice.description, description),
      );
      return customPage(found, paging);
    }),
    reply(operations.getCustomVoice, ({ voice_id: id }, { caller }) =>
      toCustomVoice(customVoices.get(caller.account.id, id)),
    ),
    reply(operations.editCustomVoice, ({ voice_id: id, ...changes }, { caller }) =>
      toCustomVoice(customVoices.edit(caller.account.id, id, changes)),
    ),
  ];
}

function customPage(voices: readonly CustomVoiceRow[], paging: Paging) {
  const { items, ...page } = pageOf(voices, paging, customVoiceOrder);
  return { ...page, items: items.map(toCustomVoice) };
}

/** What makes and removes own voices, sample and all. */
function cloneRoutes({ speech, samples, catalogue, ledger: { customVoices: voices } }: Parts): Route[] {
  return [
    reply(operations.createClonedVoice, async (request, { caller, signal }) => {
      const parts = { speech, samples, voices, catalogue };
      const { voice_id } = await makeClone(request, caller.account.id, parts, signal);
      return { voice_id };
    }),
    answer(operations.deleteCustomVoice, async ({ voice_id: id }, { caller }) => {
      const { sample } = voices.get(caller.account.id, id);
      await samples.remove(sample, () => voices.remove(caller.account.id, id));
      return new Response(undefined, { status: 204 });
    }),
  ];
}

function accountRoutes({ ledger: { accounts, usage } }: Parts): Route[] {
  return [
    reply(operations.getCredits, (_request, { caller }) => ({
      balance: accounts.get(caller.account.id).credits,
    })),
    reply(operations.getUsage, (request, { caller }) => {
      const { next_page_token: next, ...page } = usage.byTime(caller.account.id, request);
      // Not every client takes null for "no more".
      return { ...page, ...(next && { next_page_token: next }) };
    }),
    reply(operations.getVoiceUsage, (request, { caller }) => usage.byVoice(caller.account.id, request)),
  ];
}
