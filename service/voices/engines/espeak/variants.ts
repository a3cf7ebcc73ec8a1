/**
 * A voice variant, as in eSpeak's data files (eSpeak's documentation, "Voice files"). All variants use its Klatt
 * synthesizer and raised upper formants, which a speech recogniser understands better (docs/decisions/0016).
 */
interface Variant {
  gender: 'female' | 'male';
  /** Hertz, from the end of a sentence to its highest stress. */
  pitch: readonly [low: number, high: number];
  /** Percent of the formants of a man. A shorter vocal tract has higher formants. */
  formants: number;
}

const variants = {
  woman: { gender: 'female', pitch: [145, 215], formants: 113 },
  man: { gender: 'male', pitch: [82, 118], formants: 100 },
  child: { gender: 'female', pitch: [200, 300], formants: 122 },
} as const satisfies Record<string, Variant>;

export type VariantName = keyof typeof variants;

const FOLDER = '/usr/share/espeak-ng-data/voices/!v';
/** Number of the formant, height and width in percent, added hertz. */
const FORMANTS = [
  [0, 100, 100, 0],
  [1, 100, 125, 0],
  [2, 100, 100, 0],
  [3, 100, 100, 0],
  [4, 100, 100, 400],
  [5, 100, 100, 300],
  [6, 100, 100, 0],
] as const;

/** Paths in eSpeak's file system and contents of the files that define the variants. */
export const variantFiles: ReadonlyArray<readonly [path: string, content: string]> = Object.entries(
  variants,
).map(([name, variant]) => [`${FOLDER}/${name}`, contentOf(name, variant)]);

function contentOf(name: string, { gender, pitch, formants }: Variant): string {
  const lines = [
    'language variant',
    `name ${name}`,
    `gender ${gender}`,
    'klatt 6',
    'consonants 75 75',
    `pitch ${pitch.join(' ')}`,
    ...FORMANTS.map(
      ([number, height, width, hertz]) => `formant ${number} ${formants} ${height} ${width} ${hertz}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
