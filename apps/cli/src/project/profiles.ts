import { pathToFileURL } from 'node:url';
import { scenarioProfile } from '@cuebook/bundle/profiles';
import { createDefineProfiles } from '@cuebook/define';
import { manifestProfile } from '@cuebook/manifest';
import type { AnyProfile } from '@cuebook/profile';
import { sheetProfile } from '@cuebook/sheet';
import { roleProfile, teamProfile } from '@cuebook/team/profiles';
import { workflowProfile } from '@cuebook/workflow/profiles';

/**
 * Every kind of target, for a project in a folder; without one, what help, flags and completion derive from, which
 * never run a project's code. A new kind adds its record here, and the rest follows.
 */
export function profilesFor(folder?: string): readonly AnyProfile[] {
  const { prompt, agent } = createDefineProfiles(
    folder === undefined ? { names: 'read' } : { folder: pathToFileURL(`${folder}/`).href },
  );
  return [
    sheetProfile,
    manifestProfile,
    prompt,
    agent,
    roleProfile,
    teamProfile,
    workflowProfile,
    scenarioProfile,
  ];
}

export const PROFILES: readonly AnyProfile[] = profilesFor();
