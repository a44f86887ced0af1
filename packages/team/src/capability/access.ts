import { guard } from '@cuebook/guard';
import type { Access } from '@cuebook/provider';
import { lexicalPath } from '@cuebook/workspace';
import type { TeamNode } from '../graph/node.js';
import { authorizeCommand, authorizeWrite } from './authorize.js';
import { isGated } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';

/** How a provider is started for a node. */
export interface NodeAccess {
  readonly access: Access;
  readonly ask: boolean;
}

/**
 * The strictest flags of the provider that still let a node do its work. What the flags are too coarse for is asked
 * for one by one; an agent that cannot ask gets the flags that allow less.
 */
export function accessOf(
  node: Pick<TeamNode, 'capabilities' | 'permissions'>,
  globalMode: GlobalMode,
  provider: { readonly approves: boolean; readonly editRunsCommands?: boolean | undefined },
): NodeAccess {
  const { writeCode, writeDocs, runCommands, delegateOnly } = node.capabilities;
  const isPlanning = globalMode === 'PLANNING';
  const mayWrite = !delegateOnly && (writeDocs || (writeCode && !isPlanning));
  const mayRun = !delegateOnly && runCommands && !isPlanning;
  if (!mayWrite && !mayRun) return { access: 'plan', ask: false };
  const isTooMuch = guard('access.commands', !mayRun && provider.editRunsCommands === true);
  const isWhole = writeCode && writeDocs && !isPlanning && !isGated(node.permissions) && !isTooMuch;
  if (isWhole) return { access: mayRun ? 'full' : 'edit', ask: false };
  if (!provider.approves) return { access: 'plan', ask: false };
  return { access: mayRun ? 'full' : 'edit', ask: true };
}

/** What a node's own file tools open: the documents and everything else, each to write or to read. */
export function mountAccess(
  node: Pick<TeamNode, 'capabilities'>,
  globalMode: GlobalMode,
): { readonly docs: 'rw' | 'ro'; readonly code: 'rw' | 'ro' } {
  const open = (kind: 'docs' | 'code') =>
    authorizeWrite(node, { kind, path: '' }, globalMode).kind === 'allow' ? 'rw' : 'ro';
  return { docs: open('docs'), code: open('code') };
}

/** Whether a node may change anything at all in its folder. */
export function mayChange(node: Pick<TeamNode, 'capabilities'>, globalMode: GlobalMode): boolean {
  const { docs, code } = mountAccess(node, globalMode);
  return docs === 'rw' || code === 'rw' || authorizeCommand(node, globalMode).kind === 'allow';
}

/**
 * Whether a folder may be changed by a node: it has the right, or it is a program that acts by itself, which rules, flags
 * and settings of ours hold back only as far as it heeds them.
 */
export const mayTouch = (
  node: Pick<TeamNode, 'capabilities'>,
  globalMode: GlobalMode,
  acts: boolean,
): boolean => mayChange(node, globalMode) || guard('folder.acts', acts);

/** The files that a node has changed and may not change: they are flagged and set aside, whoever changed them how. */
export function changedOutside(
  node: Pick<TeamNode, 'capabilities'>,
  globalMode: GlobalMode,
  files: readonly string[],
): readonly string[] {
  return files.filter((file) =>
    guard('change.outside', authorizeWrite(node, lexicalPath(file), globalMode).kind !== 'allow'),
  );
}
