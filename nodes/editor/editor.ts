/** The entry script of the editor: composes the dialogs, and provides the functions that the node pages call. */
import { accountLabel, prepareAccount, saveAccount } from './account/account-form.js';
import {
  validateAddress,
  validateAudioHost,
  validateAudioUrl,
  validateConsent,
  validateFleetUrl,
  validateKey,
  validateLanguage,
  validateLimit,
  validatePronunciations,
  validateRate,
  validateUrl,
} from './account/validate-account.js';
import { prepareCloneNow } from './clone/clone-now.js';
import { prepareAccountField, prepareNew } from './form/account-field.js';
import { showAccountProblem } from './form/account-problem.js';
import { prepareFile } from './form/file-rows.js';
import { forgetWithNodes, prepareFolds, restoreFolds } from './form/folds.js';
import { keepFocus } from './form/keep-focus.js';
import { addKeywords, nodeLabel } from './form/labels.js';
import { validateNodeList } from './form/node-list.js';
import { showNoEffect } from './form/no-effect.js';
import { saveForm } from './form/saved.js';
import { prepareRows } from './form/typed-rows.js';
import { leavingOut, noting } from './form/untouched.js';
import { validateField, validateSettings } from './form/validate.js';
import { startStatuses, stopStatuses } from './lib/node-status.js';
import { loadStyles } from './lib/styles.js';
import {
  saveMute,
  showMute,
  startListening,
  stopListening,
  toggleMute,
  validateVolume,
} from './playback/listen.js';
import { sidebarOffer } from './natural/sidebar-offer.js';
import { preparePrompts } from './prompts/prompts-panel.js';
import { prepareReach } from './reach/reach-panel.js';
import { prepareSpeaker, validateSpeakerAddress, validateSpeakerNumber } from './speakers/speaker-form.js';
import { nameOfSpeaker } from './speakers/speaker-values.js';
import { prepareSpeakers } from './speakers/speakers-row.js';
import { closeTab, openTab } from './sidebar/tab.js';
import { prepareTryIt } from './trial/try-it.js';
import { prepareVoices } from './voices/node-voice.js';
import { preparePreview } from './voices/preview.js';

/** Prepares the form of a node. A panel without a place in the form does nothing. */
function prepareForm(node: EditorNode): void {
  restoreFolds(node);
  const rows = prepareRows(node);
  showNoEffect(rows, node);
  prepareFile(rows, node);
  prepareFolds(rows, node);
  prepareAccountField(node);
  showAccountProblem(node);
  const speakers = prepareSpeakers(rows, node);
  prepareVoices(rows, node, prepareTryIt(rows, node, speakers));
  for (const prepare of [preparePreview, prepareCloneNow, preparePrompts]) prepare(rows, node);
  prepareReach(rows, node, speakers);
}

/** Returns the function that Node-RED calls when it opens a dialog (`oneditprepare`). */
const opening = (prepare: (node: EditorNode) => void) =>
  noting((node) => {
    prepare(node);
    keepFocus();
  });

const heraldSpeech = {
  addKeywords,
  accountLabel,
  nodeLabel,
  speakerLabel: (speaker: EditorNode) => nameOfSpeaker(speaker, speaker),
  prepareAccount: opening(prepareAccount),
  prepareForm: opening(prepareForm),
  prepareNew,
  prepareSpeaker: opening(prepareSpeaker),
  saveAccount: leavingOut(saveAccount),
  saveForm: leavingOut(saveForm),
  saveMute: leavingOut(saveMute),
  saveSpeaker: leavingOut(() => undefined),
  showMute: opening(showMute),
  startListening,
  stopListening,
  toggleMute,
  validateAddress,
  validateAudioHost,
  validateAudioUrl,
  validateConsent,
  validateField,
  validateFleetUrl,
  validateKey,
  validateLanguage,
  validateLimit,
  validateNodeList,
  validatePronunciations,
  validateRate,
  validateSettings,
  validateSpeakerAddress,
  validateSpeakerNumber,
  validateUrl,
  validateVolume,
};

Object.assign(globalThis, {
  heraldSpeech,
  heraldSpeechSidebar: { openTab: () => openTab(sidebarOffer()), closeTab },
  heraldSpeechStatus: { startStatuses, stopStatuses },
});

loadStyles();
forgetWithNodes();
