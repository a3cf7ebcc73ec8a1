/** A voice on the page. Unknown values are empty. */
export interface Voice {
  id: string;
  name: string;
  description: string;
  isCustom: boolean;
  age: string;
  gender: string;
  useCases: readonly string[];
  languages: readonly string[];
  styles: readonly string[];
  models: readonly string[];
  samples: readonly Sample[];
  isNatural: boolean;
  /** False if the voice is too slow for live announcements. */
  isLive: boolean;
}

export interface Sample {
  language: string;
  style: string;
  model: string;
  url: string;
}
