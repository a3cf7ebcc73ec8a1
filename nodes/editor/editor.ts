/** What the pages of the nodes call: the one entry of our code in the editor. */
import { accountLabel, prepareAccount } from './account/account-form.js';
import { chooseAccount } from './account/account-field.js';
import { prepareForm } from './form/form.js';
import { nodeLabel } from './form/labels.js';
import { saveMute, showMute, startListening, stopListening, toggleMute } from './playback/listen.js';
import { followTheme } from './theme.js';
import {
  validateField,
  validateLanguage,
  validateRate,
  validateSettings,
  validateUrl,
} from './form/validate.js';

const heraldSpeech = {
  accountLabel,
  chooseAccount,
  nodeLabel,
  prepareAccount,
  prepareForm,
  saveMute,
  showMute,
  startListening,
  stopListening,
  toggleMute,
  validateField,
  validateLanguage,
  validateRate,
  validateSettings,
  validateUrl,
};

Object.assign(globalThis, { heraldSpeech });

const style = document.createElement('link');
style.rel = 'stylesheet';
style.href = new URL('editor.css', import.meta.url).href;
document.head.append(style);
followTheme();
