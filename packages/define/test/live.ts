import { onTestFinished } from 'vitest';
import type { LiveProject, LiveToolAnswer, StateView } from '../src/live/contract.js';
import { type LiveOptions, openLiveProject } from '../src/live/open.js';
import { projectOf } from './project.js';

/** A live project of files below `agents/`, closed when the test ends. */
export async function open(
  files: Readonly<Record<string, string>>,
  options: LiveOptions = {},
): Promise<LiveProject> {
  const live = await openLiveProject(projectOf(files), options);
  onTestFinished(() => live.close());
  return live;
}

/** A tool with a body; `args` is what its schema parsed, `fields` what else the definition has. */
export const toolText = (body: string, { fields = '', imports = '' } = {}): string =>
  `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
${imports}
export default defineTool({ description: 'Does it', ${fields} async execute(state, args) { ${body} } });
`;

/** A hook with a body; what it gets is in `given`. */
export const hookText = (id: string, kind: string, body: string): string =>
  `import { defineHook } from '@cuebook/define';
export default defineHook({ id: '${id}', hook: '${kind}', async execute(state, ...given) { ${body} } });
`;

export interface Told {
  readonly set: [string, string, string][];
  readonly parent: string[];
}

export function stateView(more: Partial<StateView> = {}): StateView & { readonly told: Told } {
  const told: Told = { set: [], parent: [] };
  return {
    threadId: 'thread_1',
    agent: 'desk',
    prompt: 'helper',
    options: {},
    env: {},
    setEnv: async (...given) => void told.set.push(given),
    notifyParent: async (message) => void told.parent.push(message),
    ...more,
    told,
  };
}

/** Calls a tool with nothing special about it. */
export const call = (
  live: LiveProject,
  tool: string,
  {
    args = {},
    state = stateView(),
    signal = new AbortController().signal,
    timeoutMs = 60_000,
  }: Partial<Parameters<LiveProject['callTool']>[0]> = {},
): Promise<LiveToolAnswer> => live.callTool({ tool, args, state, signal, timeoutMs });

/** Something to wait for, and what ends the waiting. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((end) => {
    resolve = end;
  });
  return { promise, resolve };
}
