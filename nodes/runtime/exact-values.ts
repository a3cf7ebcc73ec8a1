/** Converts texts to the type of a property. CSV files, MQTT topics and HTTP queries deliver numbers and booleans as text. */
const DECIMAL = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Converts a text to the type of a property if the text is an exact decimal number, `true`, `false` or JSON. White space
 * around it does not matter. Returns any other value unchanged, so that its check names the original value.
 */
export function exactValue(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'num') return exactNumber(value) ?? value;
  if (type === 'bool') return exactBoolean(value) ?? value;
  return type === 'json' ? (parsed(value) ?? value) : value;
}

/** Returns the number of a decimal text. Undefined for other texts, and for integers that a number cannot hold. */
function exactNumber(value: string): number | undefined {
  const text = value.trim();
  if (!DECIMAL.test(text)) return undefined;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : undefined;
}

/** Returns the boolean of a text, in upper or lower case. */
const exactBoolean = (value: string): boolean | undefined => BOOLEANS.get(value.trim().toLowerCase());

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
