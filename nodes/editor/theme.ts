/** Whether the editor is dark: its style sheet shows the pictures of the help accordingly. */

/** Brightness halfway between black and white, of 255. */
const HALF = 127.5;

/** Keeps the class `herald-dark` on the page for as long as the editor's theme is dark. */
export function followTheme(): void {
  const page = document.documentElement;
  const editor = document.getElementById('red-ui-editor') ?? document.body;
  const follow = () => page.classList.toggle('herald-dark', isBright(getComputedStyle(editor).color));
  // Node-RED 5 tells by a class of the page; the themes of 4.1 only by their colours, and some go by the system's.
  new MutationObserver(follow).observe(page, { attributeFilter: ['class'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow);
  follow();
}

/**
 * Whether text of this colour is made for a dark page.
 * @param colour as browsers compute it, such as `rgb(17, 17, 17)`; weighed as luma in ITU-R BT.601
 */
function isBright(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > HALF;
}
