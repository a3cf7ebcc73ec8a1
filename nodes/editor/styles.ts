/** The style sheet of all dialogs and of the sidebar. */
import { followTheme } from './theme.js';

let isLoaded = false;

/** Loads the style sheet, and follows the theme of the editor. Later calls do nothing. */
export function loadStyles(): void {
  if (isLoaded) return;
  isLoaded = true;
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = new URL('editor.css', import.meta.url).href;
  document.head.append(style);
  followTheme();
}
