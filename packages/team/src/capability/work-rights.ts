import type { Permit } from '@cuebook/engine';
import type { WorkRights } from '@cuebook/workspace';
import type { TeamNode } from '../graph/node.js';
import { authorizeCommand, authorizeWrite } from './authorize.js';
import type { GlobalMode } from './global-mode.js';

/** The rights of a node, as the work tools of its folder ask for them. */
export const workRights = (node: Pick<TeamNode, 'capabilities'>, globalMode: GlobalMode): WorkRights => ({
  againstWrite: (path) => reasonOf(authorizeWrite(node, path, globalMode)),
  againstCommand: () => reasonOf(authorizeCommand(node, globalMode)),
});

const reasonOf = (permit: Permit): string | undefined => (permit.kind === 'deny' ? permit.reason : undefined);
