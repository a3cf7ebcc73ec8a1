import assert from 'node:assert/strict';

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const HELP = /^# HELP (?<name>[a-zA-Z_:][\w:]*) .+$/;
const TYPE = /^# TYPE (?<name>[a-zA-Z_:][\w:]*) (?<type>counter|gauge|histogram)$/;
const LABEL = /(?<label>[a-zA-Z_]\w*)="(?<value>(?:[^"\\\n]|\\["\\n])*)",?/y;
const SAMPLE =
  /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\+?Inf|-Inf|Nan|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;

/**
 * Parses metrics as strictly as the text format of Prometheus 0.0.4 allows: every sample has a help text and a type, series are
 * unique, and the buckets of a histogram increase up to its count.
 */
export function parseExposition(text: string): Sample[] {
  assert.ok(text.endsWith('\n'), 'the last line has no end');
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const [help, type] = [HELP.exec(line)?.groups, TYPE.exec(line)?.groups];
    if (help !== undefined) helps.add(help['name'] ?? '');
    else if (type !== undefined) types.set(type['name'] ?? '', type['type'] ?? '');
    else samples.push(sampleIn(line));
  }
  for (const { name } of samples) {
    const family = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
    assert.ok(types.has(family) && helps.has(family), `${name} has no type or no help`);
  }
  const series = samples.map(({ name, labels }) =>
    JSON.stringify([
      name,
      Object.entries(labels)
        .map(([label, value]) => `${label}=${value}`)
        .toSorted((a, b) => a.localeCompare(b)),
    ]),
  );
  assert.equal(new Set(series).size, series.length, 'a series occurs twice');
  checkHistograms(samples);
  return samples;
}

function sampleIn(line: string): Sample {
  const { name = '', labels = '', value = '' } = SAMPLE.exec(line)?.groups ?? {};
  assert.notEqual(name, '', `invalid line: ${line}`);
  const found: Record<string, string> = {};
  for (LABEL.lastIndex = 0; LABEL.lastIndex < labels.length;) {
    const { label = '', value = '' } = LABEL.exec(labels)?.groups ?? {};
    assert.notEqual(label, '', `invalid labels: ${line}`);
    found[label] = value;
  }
  return { name, labels: found, value: Number(value.replace(/^\+?Inf$/i, 'Infinity')) };
}

function checkHistograms(samples: readonly Sample[]): void {
  for (const count of samples.filter(({ name }) => name.endsWith('_count'))) {
    const bucket = count.name.replace(/_count$/, '_bucket');
    const own = samples.filter(
      ({ name, labels }) =>
        name === bucket && Object.entries(count.labels).every(([label, value]) => labels[label] === value),
    );
    const values = own.map(({ value }) => value);
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
      `${bucket} decreases`,
    );
    assert.equal(own.at(-1)?.labels['le'], '+Inf');
    assert.equal(own.at(-1)?.value, count.value);
  }
}

/** Returns the sum of the samples with these labels. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
