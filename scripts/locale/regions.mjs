/** @typedef {(...parts: string[]) => any} Read */

/** The facts of a region that decide how a figure is meant. @param {string} tag @param {Read} read */
function regionOf(tag, read) {
  const { numbers } = read('cldr-numbers-full/main', tag, 'numbers.json').main[tag];
  const { currencies } = read('cldr-numbers-full/main', tag, 'currencies.json').main[tag].numbers;
  const { gregorian } = read('cldr-dates-full/main', tag, 'ca-gregorian.json').main[tag].dates.calendars;
  const [date, time] = [gregorian.dateFormats.short, gregorian.timeFormats.short].map(
    (format) => format._value ?? format,
  );
  return {
    decimal: numbers['symbols-numberSystem-latn'].decimal,
    monthFirst: date.startsWith('M'),
    // Other languages read 14:30 with 24 hours in any region.
    halfDays: tag.startsWith('en') && time.startsWith('h:'),
    dollar: Object.keys(currencies).find((code) => currencies[code].symbol === '$') ?? 'USD',
  };
}

/**
 * The facts of languages, and of each region the facts that differ.
 * @param {string[]} languages
 * @param {Read} read
 * @param {string[]} folders The tags with data.
 */
export function regionsOf(languages, read, folders) {
  // The region that a language alone means has no folder.
  const { defaultContent } = read('cldr-core/defaultContent.json');
  const tags = [...folders, ...defaultContent];
  const tables = languages.flatMap((language) => {
    const usual = Object.entries(regionOf(language, read));
    const regions = tags.filter((tag) => /^[a-z]{2}-[A-Z]{2}$/.test(tag) && tag.startsWith(`${language}-`));
    const differing = regions.map((tag) => {
      const facts = new Map(Object.entries(regionOf(defaultContent.includes(tag) ? language : tag, read)));
      const others = usual.filter(([name, value]) => facts.get(name) !== value);
      return [tag, Object.fromEntries(others.map(([name]) => [name, facts.get(name)]))];
    });
    return [[language, Object.fromEntries(usual)], ...differing];
  });
  return Object.fromEntries(tables);
}
