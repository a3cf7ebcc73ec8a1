/** The style sheet of all dialogs and of the sidebar, and the theme of the pictures in the help. */

/** Brightness halfway between black (0) and white (255). */
const HALF = 127.5;

/** Loads the style sheet, and follows the theme of the editor. */
export function loadStyles(): void {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = new URL('editor.css', import.meta.url).href;
  document.head.append(style);
  followTheme();
}

/** Keeps the class `herald-dark` on the page while the editor's theme is dark. */
function followTheme(): void {
  const page = document.documentElement;
  const editor = document.getElementById('red-ui-editor') ?? document.body;
  const update = () => page.classList.toggle('herald-dark', isBright(getComputedStyle(editor).color));
  // Node-RED 5 sets a class on the page. Themes of 4.1 only set colours, and some follow the system's scheme.
  new MutationObserver(update).observe(page, { attributeFilter: ['class'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update);
  update();
}

/**
 * Whether text of this colour needs a dark background.
 * @param colour computed colour, such as `rgb(17, 17, 17)`; its luma follows ITU-R BT.601
 */
function isBright(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > HALF;
}
