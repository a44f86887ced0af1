import { pathToFileURL } from 'node:url';
import { createDefineProfiles } from '@cuebook/define';
import { manifestProfile } from '@cuebook/manifest';
import type { AnyProfile } from '@cuebook/profile';
import { sheetProfile } from '@cuebook/sheet';

/**
 * Every kind of target, for a project in a folder; without one, what help and flags derive from. A new kind adds
 * its record here, and flags, help and completion follow.
 */
export function profilesFor(folder?: string): readonly AnyProfile[] {
  const { prompt, agent } = createDefineProfiles(
    folder === undefined ? {} : { folder: pathToFileURL(`${folder}/`).href },
  );
  return [sheetProfile, manifestProfile, prompt, agent];
}

export const PROFILES: readonly AnyProfile[] = profilesFor();
