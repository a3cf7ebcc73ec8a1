/** Search words of the palette. Node-RED's filter compares the type and the attribute `data-palette-label` of each node. */

/** The parts of a node's registration that its search words need. */
interface Registration {
  type: string;
  /** Returns a localized text of the node. */
  _(key: string): string;
}

/** Adds the search words of a node type when Node-RED adds it to the palette (`onpaletteadd`). */
export function addKeywords(registration: Registration): void {
  const { type } = registration;
  const entry = document.querySelector<HTMLElement>(`.red-ui-palette-node[data-palette-type="${type}"]`);
  if (entry === null) return;
  const label = entry.dataset['paletteLabel'] ?? '';
  entry.dataset['paletteLabel'] = `${label} ${registration._('keywords')}`;
}
