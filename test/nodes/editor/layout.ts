/** JavaScript for the page of the editor that measures the open dialog. */

/** Shows all rows and returns the visible inputs with a placeholder. */
const PLACEHOLDERS = `(() => {
  for (const fold of document.querySelectorAll('.herald-form details')) fold.open = true;
  for (const row of document.querySelectorAll('.herald-form .form-row')) row.hidden = false;
  return [...document.querySelectorAll('.herald-form input')].filter(
    ({ placeholder, offsetWidth }) => placeholder !== '' && offsetWidth > 0,
  );
})()`;

/**
 * Returns the placeholders that are wider than their input. The fonts of other systems are a little wider. The fonts of the tests have
 * no Japanese letters: a dash of the same width stands for each.
 */
export const CUT_OFF = `(() => {
  const pairs = ${PLACEHOLDERS}.map((input) => {
    const { fontStyle, fontSize, fontFamily } = getComputedStyle(input, '::placeholder');
    const copy = Object.assign(document.createElement('span'), {
      textContent: input.placeholder.replaceAll(/[\\u3000-\\u9fff\\uff01-\\uff60]/g, '\\u2014'),
    });
    Object.assign(copy.style, { position: 'absolute', whiteSpace: 'nowrap', fontStyle, fontSize, fontFamily });
    return [input, copy];
  });
  // All copies at once: each change of the page before a measurement is a new layout.
  document.body.append(...pairs.map(([, copy]) => copy));
  const cut = pairs.filter(([input, copy]) => {
    const { paddingLeft, paddingRight } = getComputedStyle(input);
    const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return copy.getBoundingClientRect().width * 1.02 > room;
  });
  for (const [, copy] of pairs) copy.remove();
  return cut.map(([{ placeholder }]) => placeholder);
})()`;

/** Shows the labels and placeholders of the open dialog in another language, whose texts the page has loaded. */
export const inLanguage = (locale: string): string => `(async () => {
  const inputs = [...document.querySelectorAll('.herald-form input[data-i18n]')];
  const pairs = inputs.map((input) => [input, document.getElementById(input.id + '-value'), input.placeholder]);
  await i18next.changeLanguage(${JSON.stringify(locale)});
  $('.herald-form').i18n();
  // A typed input has copied the placeholder of its element.
  for (const [input, visible, former] of pairs)
    if (visible !== null && visible.placeholder === former) visible.placeholder = input.placeholder;
})()`;

/** Returns the labels of the form with a line break between two letters, where the label has no soft hyphen. */
export const BROKEN = `[...document.querySelectorAll('.herald-form .form-row > label > span')].map(({ firstChild }) => {
  const range = document.createRange();
  const top = (index) => {
    range.setStart(firstChild, index);
    range.setEnd(firstChild, index + 1);
    // The first letter after a soft hyphen has a rectangle in both lines.
    return [...range.getClientRects()].at(-1)?.top;
  };
  const word = /[\\p{Script=Latin}\\p{Script=Hangul}]{2}/u;
  const text = firstChild?.data ?? '';
  const at = [...text].findIndex((_, index) => word.test(text.slice(index, index + 2)) && top(index) !== top(index + 1));
  return at === -1 ? '' : text.slice(0, at + 1) + '/' + text.slice(at + 1);
}).filter(Boolean)`;

/** Returns the headings that are painted over the "More" in their line. */
export const COVERED = `[...document.querySelectorAll('.herald-section')].flatMap((section) => {
  const [heading, more] = ['summary > span', '.herald-more > summary'].map((part) => section.querySelector(':scope > ' + part));
  if (!heading || !more) return [];
  const [left, right] = [heading, more].map((part) => part.getBoundingClientRect());
  const isApart = left.right <= right.left || left.bottom <= right.top;
  return isApart ? [] : [heading.textContent + ' / ' + more.textContent];
})`;

/** Returns the column headings of the open table that are cut off. */
export const CUT_HEADINGS = `[...document.querySelectorAll('.herald-table th')].filter((heading) => {
  const text = document.createRange();
  text.selectNodeContents(heading);
  const end = heading.getBoundingClientRect().right - parseFloat(getComputedStyle(heading).paddingRight);
  return heading.offsetWidth === 0 || text.getBoundingClientRect().right > end;
}).map(({ textContent }) => textContent)`;

/** The function `luminance` of a colour over others (WCAG 2.2, relative luminance). */
export const LUMINANCE = `
  const canvas = document.createElement('canvas');
  const draw = canvas.getContext('2d', { willReadFrequently: true });
  const luminance = (...colours) => {
    for (const colour of colours) {
      draw.fillStyle = colour;
      draw.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...draw.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };`;

/** Returns the contrast of each placeholder to the background of its input (WCAG 2.2, relative luminance). */
export const CONTRASTS = `(() => {
  ${LUMINANCE}
  return ${PLACEHOLDERS}.map((input) => {
    const { backgroundColor } = getComputedStyle(input);
    const { color, opacity } = getComputedStyle(input, '::placeholder');
    const [low, high] = [luminance(backgroundColor), luminance(backgroundColor, color)].sort((a, b) => a - b);
    return Number(opacity) * ((high + 0.05) / (low + 0.05));
  });
})()`;
