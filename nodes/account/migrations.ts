/** The properties of a node as saved in a flow. */
type Saved = Readonly<Record<string, unknown>>;

/** Converts the saved properties of one version to the next version. */
export type Migration = (saved: Saved) => Saved;

/** Returns the version that a node saves today. A flow without a version counts as version 1. */
export const currentVersion = (migrations: readonly Migration[]): number => migrations.length + 1;

/** Converts saved properties to the current version. Properties of a newer version stay unchanged. */
export function migrated(saved: Saved, migrations: readonly Migration[]): Saved {
  const { version } = saved;
  const since = typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
  return migrations.slice(since - 1).reduce<Saved>((node, migration) => migration(node), saved);
}
