import type { NativeWords } from '@cuebook/engine';
import type { Workspaces } from '@cuebook/workspace';
import { nativePaths } from '../capability/native.js';
import type { TeamNode } from '../graph/node.js';
import { inFolder } from '../graph/workspace.js';
import { mapTexts, WORKSPACE } from './workspace-redactor.js';

export interface NativeWordsOptions {
  readonly run: string;
  readonly node: TeamNode;
  readonly workspaces: Pick<Workspaces, 'pathFacts' | 'folderOf'>;
}

/**
 * How a run speaks of what an agent asks: paths are relative to the node's folder, so that nobody is shown where
 * that folder is, and what the disk says of them goes along, links followed. An input that a person changes stays
 * relative: it is told to an agent that works in that folder.
 */
export function nativeWords({ run, node: worker, workspaces }: NativeWordsOptions): NativeWords {
  const node = inFolder(worker);
  const folder = workspaces.folderOf(run, node);
  return {
    async tell({ input }) {
      const told = mapTexts(input, (text) =>
        text.replaceAll(FOLDER, '').replaceAll(`${folder}/`, '').replaceAll(folder, '.'),
      );
      const named = nativePaths(told);
      return named.length === 0
        ? { input: told }
        : { input: told, beside: { paths: await workspaces.pathFacts(run, node, named) } };
    },
  };
}

/** An agent may have been told of its folder as `@workspace`, and its provider speaks of it so. */
const FOLDER = `${WORKSPACE}/`;
