import type { Loaded, Profile } from '@cuebook/profile';
import { commandLine } from '@cuebook/prompt/hint';
import { z } from 'zod';
import { providerSchema } from '../call/tools.js';
import { resolveRights } from '../capability/capabilities.js';
import { DEFAULT_NODE_PROVIDER } from '../file/nodes.js';
import { loadRole, ownRoles } from '../role/load.js';
import type { RoleTemplate } from '../role/template.js';
import { globalModeInput, goalInput, providerInput } from './inputs.js';
import { type PromptEnvironment, readFirstPrompt, shownAs, type WithFirstPrompt } from './project-voices.js';
import { ownFile, textOfRole } from './texts.js';

const input = z.object({
  nodeProvider: providerInput(providerSchema),
  globalMode: globalModeInput,
  goal: goalInput,
});

/** A role template with how its prompt is composed. */
export type ShownRole = WithFirstPrompt<RoleTemplate>;

/** Role templates: `docs/templates/NAME.md` of the repository, then the five that come with Cuebook. */
export const createRoleProfile = (environment: PromptEnvironment): Profile<ShownRole, typeof input> => ({
  prefix: 'role',
  summary: 'a role template of a team (docs/templates/NAME.md, or a shipped one)',
  examples: [commandLine`render role:planner`, commandLine`explain role:orchestrator --at 1:1`],
  input,
  find: ownRoles,
  async load(project, name): Promise<Loaded<ShownRole>> {
    const loaded = await loadRole(project, name);
    const firstPrompt = await readFirstPrompt(project, environment);
    if (!firstPrompt.ok) {
      const partial = loaded.ok ? loaded.value : loaded.partial;
      return {
        ok: false,
        diagnostics: [...loaded.diagnostics, ...firstPrompt.diagnostics],
        ...(partial && { partial: { ...partial, firstPrompt: () => undefined } }),
      };
    }
    return shownAs(loaded, (role) => ({ ...role, firstPrompt: firstPrompt.value }));
  },
  check: () => [],
  files: ownFile,
  texts: (role) => [textOfRole(role)],
  sample: () => ({}),
  compose: (shown, { nodeProvider = DEFAULT_NODE_PROVIDER, globalMode = 'IMPLEMENTATION', goal }) => {
    const { firstPrompt, ...role } = shown;
    const value = firstPrompt({
      type: 'run.start',
      ...{ globalMode, mode: 'INTERACTIVE', edges: [], done: [], verify: [], budget: {}, roles: [role] },
      goal: goal === undefined ? null : { text: goal, by: 'user', ref: 'goal' },
      nodes: [
        {
          ...{ label: role.name, alias: role.name, role: role.name, provider: nodeProvider },
          ...resolveRights({ role: role.name }, role),
          ...{ resume: true, workspace: 'own' },
        },
      ],
    });
    const message = `No node of the role "${role.name}" can begin`;
    return value === undefined
      ? { ok: false, diagnostics: [{ code: 'E_ROLE', severity: 'error', message }] }
      : { ok: true, value };
  },
});

/** The profile where nothing is known of the environment: for help, flags and completion. */
export const roleProfile = createRoleProfile({ env: {} });
