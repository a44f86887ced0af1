import { pathToFileURL } from 'node:url';
import { scenarioProfile } from '@cuebook/bundle/profiles';
import { createDefineProfiles } from '@cuebook/define';
import { manifestProfile } from '@cuebook/manifest';
import type { AnyProfile } from '@cuebook/profile';
import { sheetProfile } from '@cuebook/sheet';
import { roleProfile, teamProfile, warnedProfiles } from '@cuebook/team/profiles';
import { workflowProfile } from '@cuebook/workflow/profiles';
import { sha256 } from './hash.js';

/**
 * Every kind of target, for a project in a folder with its CUEBOOK_HOME; without them, what help, flags and completion
 * derive from, which never run a project's code. A new kind adds its record here, and the rest follows.
 */
export function profilesFor(
  folder?: string,
  home?: string,
  env?: Readonly<Record<string, string | undefined>>,
): readonly AnyProfile[] {
  const { prompt, agent } = createDefineProfiles(
    folder === undefined ? { names: 'read' } : { folder: pathToFileURL(`${folder}/`).href },
  );
  const { role, team } =
    home === undefined
      ? { role: roleProfile, team: teamProfile }
      : warnedProfiles({ home, hash: sha256, env });
  return [sheetProfile, manifestProfile, prompt, agent, role, team, workflowProfile, scenarioProfile];
}

export const PROFILES: readonly AnyProfile[] = profilesFor();
