import { resolveRights } from '../src/capability/capabilities.js';
import type { TeamNode } from '../src/graph/node.js';

/** A node with these settings, whatever a template declares. */
export const nodeWith = (
  role: string,
  given: Partial<TeamNode['capabilities']> = {},
  more: Partial<TeamNode> = {},
): TeamNode => ({
  id: 'node_me',
  label: 'Me',
  alias: 'me',
  role,
  provider: 'line',
  resume: true,
  workspace: 'own',
  depth: 0,
  ...resolveRights({ role, capabilities: given }),
  ...more,
});

export const LEAD = nodeWith('orchestrator');
export const WORKER = nodeWith('implementer');
