import path from 'node:path';
import pinned from './native-release.json';

/** Folders of the natural voices. */
export interface NaturalFolders {
  /** The installed voices. May be read-only and shared. */
  folder: string;
  /** Measurements of the voices on this machine. */
  measurements: string;
  /** The native runtime that the user may have installed. Missing: never used. */
  native?: string;
}

/** Returns the default folder of the natural voices. */
export function voicesFolder(data: string): string {
  return path.join(data, 'voices');
}

/** Returns the folder of the measurements of the natural voices. They count for this computer only. */
export function measurementsIn(data: string): string {
  return path.join(data, 'measurements');
}

/**
 * Returns the folder of the native runtime, which appears with its installation (docs/decisions/0188). Voices do not use another version,
 * because it has another folder.
 */
export function nativeRuntimeFolder(data: string, { version }: { version: string } = pinned): string {
  return path.join(data, 'native', `onnxruntime-node-${version}`);
}
