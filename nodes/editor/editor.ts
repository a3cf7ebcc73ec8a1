/** What the pages of the nodes call: the one entry of our code in the editor. */
import { accountLabel, prepareAccount } from './account.js';
import { chooseAccount } from './account-field.js';
import { prepareForm } from './form.js';
import { nodeLabel } from './labels.js';
import { saveMute, showMute, startListening, stopListening, toggleMute } from './listen.js';
import { followTheme } from './theme.js';
import { validateField, validateLanguage, validateRate, validateSettings, validateUrl } from './validate.js';

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
