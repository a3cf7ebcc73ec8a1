/** The entry script of the editor: provides the functions that the node pages call, and loads the style sheet. */
import { accountLabel, prepareAccount, saveAccount } from './account/account-form.js';
import {
  validateAudioHost,
  validateAudioUrl,
  validateFleetUrl,
  validateLanguage,
  validateLimit,
  validatePronunciations,
  validateRate,
  validateUrl,
} from './account/validate-account.js';
import { prepareNew } from './form/account-field.js';
import { prepareForm } from './form/form.js';
import { nodeLabel } from './form/labels.js';
import { validateField, validateSettings } from './form/validate.js';
import { addKeywords } from './keywords.js';
import {
  saveMute,
  showMute,
  startListening,
  stopListening,
  toggleMute,
  validateVolume,
} from './playback/listen.js';
import { loadStyles } from './styles.js';

const heraldSpeech = {
  addKeywords,
  accountLabel,
  nodeLabel,
  prepareAccount,
  prepareForm,
  prepareNew,
  saveAccount,
  saveMute,
  showMute,
  startListening,
  stopListening,
  toggleMute,
  validateAudioHost,
  validateAudioUrl,
  validateField,
  validateFleetUrl,
  validateLanguage,
  validateLimit,
  validatePronunciations,
  validateRate,
  validateSettings,
  validateUrl,
  validateVolume,
};

Object.assign(globalThis, { heraldSpeech });

loadStyles();
