/** A custom voice for the ledger. */
export const CUSTOM = {
  name: 'Grandma',
  description: '',
  preset: 'slt',
  pitchShift: 0,
  pitchVariance: 1,
  rate: 1,
  sample: 'sample.wav',
};
