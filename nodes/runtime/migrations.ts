/** What a node saved in a flow. */
type Saved = Readonly<Record<string, unknown>>;

/** Makes of what one version saved what the next one reads. */
export type Migration = (saved: Saved) => Saved;

/** The version that a node saves today: each migration leads to the next one, and flows without a version are of the first. */
export const currentVersion = (migrations: readonly Migration[]): number => migrations.length + 1;

/** What an older flow saved, as today's node reads it; what a newer one saved is taken as it is. */
export function migrated(saved: Saved, migrations: readonly Migration[]): Saved {
  const { version } = saved;
  const since = typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
  return migrations.slice(since - 1).reduce<Saved>((node, migration) => migration(node), saved);
}
