/** What the pages of the nodes call: the one entry of our code in the editor. */
import { accountLabel, prepareAccount } from './account.js';
import { prepareForm } from './form.js';
import { startListening, stopListening, toggleMute } from './listen.js';
import { validateLanguage, validateRate, validateSettings, validateUrl } from './validate.js';

const heraldSpeech = {
  accountLabel,
  prepareAccount,
  prepareForm,
  startListening,
  stopListening,
  toggleMute,
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
