import type { Profile } from '@cuebook/profile';
import { z } from 'zod';
import { providerSchema } from '../call/tools.js';
import { resolveRights } from '../capability/capabilities.js';
import { DEFAULT_NODE_PROVIDER } from '../file/nodes.js';
import type { TeamNode } from '../graph/node.js';
import { loadRole, ownRoles } from '../role/load.js';
import type { RoleTemplate } from '../role/template.js';
import { firstPrompt } from './first-prompt.js';
import { globalModeInput, goalInput, providerInput } from './inputs.js';
import { ownFile, textOfRole } from './texts.js';

const input = z.object({
  nodeProvider: providerInput(providerSchema),
  globalMode: globalModeInput,
  goal: goalInput,
});

/** Role templates: `docs/templates/NAME.md` of the repository, then the five that come with Cuebook. */
export const roleProfile: Profile<RoleTemplate, typeof input> = {
  prefix: 'role',
  summary: 'a role template of a team (docs/templates/NAME.md, or a shipped one)',
  examples: ['cuebook render role:planner', 'cuebook explain role:orchestrator --at 1:1'],
  input,
  find: ownRoles,
  load: loadRole,
  check: () => [],
  files: ownFile,
  texts: (role) => [textOfRole(role)],
  sample: () => ({}),
  compose: (role, { nodeProvider = DEFAULT_NODE_PROVIDER, globalMode = 'IMPLEMENTATION', goal }) => {
    const node: TeamNode = {
      id: 'node_1',
      label: role.name,
      alias: role.name,
      role: role.name,
      provider: nodeProvider,
      ...resolveRights({ role: role.name }),
      resume: true,
      workspace: 'own',
      depth: 0,
    };
    return {
      ok: true,
      value: firstPrompt({
        ...{ node, role, globalMode, nodes: [node], edges: [], done: [], budget: {}, isEntry: true },
        mode: 'INTERACTIVE',
        goal: goal === undefined ? null : { text: goal, by: 'user', ref: 'goal' },
      }),
    };
  },
};
