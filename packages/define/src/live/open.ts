import type { TextSource } from '@cuebook/files';
import type { JsonValue } from '@cuebook/prompt';
import { declarationsIn } from '../check/variables.js';
import type { Catalog } from '../load/catalog.js';
import { type KeptProject, type ProjectOptions, readProject } from '../load/project.js';
import { approvalNeed, argsCheck, hookAnswer, toolAnswer } from './answers.js';
import type { LiveProject, StateView } from './contract.js';
import { createCrew } from './crew.js';
import type { Ask, StateData } from './protocol.js';
import type { OnOutput } from './thread.js';
import { writtenIn } from './written.js';

export interface LiveOptions extends ProjectOptions {
  /** What functions print, and what fails in them when no call waits for it. Dropped by default. */
  readonly onOutput?: OnOutput;
  /** Memory of the process's own objects, buffers aside. 512 by default. */
  readonly heapMb?: number;
  /** How long a schema or an `approval` may take over arguments. 5,000 by default. */
  readonly checkMs?: number;
  /** What it was when it was opened before. Its files are read from here, and none of them is run to be loaded. */
  readonly kept?: KeptProject | undefined;
}

/**
 * Loads a project as `loadProject` does, and keeps it callable. Files are as they were when it was opened: a
 * thread that is replaced loads the same text again. To see what changed, open the project again.
 */
export async function openLiveProject(project: TextSource, options: LiveOptions = {}): Promise<LiveProject> {
  const { catalog, read, kept } = await readProject(project, options);
  const { folder, heapMb = 512, checkMs = 5_000, onOutput = () => undefined } = options;
  const crew = createCrew({ folder, heapMb, read, onOutput });
  const fileOf = (kind: 'tool' | 'prompt' | 'hook', name: string) =>
    catalog[`${kind}s`].get(name)?.source.path;
  return {
    catalog,
    async check({ kind, name }, args) {
      const file = fileOf(kind, name);
      if (file === undefined)
        return { ok: false, problems: [{ path: '', message: `no ${kind} is called ${name}` }] };
      const work = { file, does: 'check', args } as const;
      return argsCheck(await crew.run({ work, timeoutMs: checkMs, grant: async () => false }));
    },
    async approval(tool, args) {
      const entry = catalog.tools.get(tool);
      if (entry?.data.approval === 'never') return { ask: false };
      if (entry?.data.approval !== 'function') return { ask: true };
      const work = { file: entry.source.path, does: 'approval', args } as const;
      return approvalNeed(await crew.run({ work, timeoutMs: checkMs, grant: async () => false }));
    },
    async callTool({ tool, args, state, signal, timeoutMs }) {
      const file = fileOf('tool', tool);
      if (file === undefined) return { kind: 'error', text: `No tool is called ${tool}`, attachments: [] };
      const work = { file, does: 'tool', args, state: dataOf(state) } as const;
      return toolAnswer(await crew.run({ work, timeoutMs, signal, grant: granting(catalog, { state }) }));
    },
    async callHook({ hook, args, state, child, timeoutMs }) {
      const file = fileOf('hook', hook);
      if (file === undefined) return { kind: 'failed', reason: 'throw', text: `No hook is called ${hook}` };
      const work = {
        file,
        does: 'hook',
        args: args as readonly JsonValue[] as JsonValue,
        state: dataOf(state),
        ...(child === undefined ? {} : { child: dataOf(child) }),
      } as const;
      return hookAnswer(await crew.run({ work, timeoutMs, grant: granting(catalog, { state, child }) }));
    },
    async written(hook) {
      const file = fileOf('hook', hook);
      return file === undefined ? [] : writtenIn(file, read);
    },
    kept,
    close: () => crew.close(),
  };
}

const dataOf = ({ threadId, agent, prompt, options, env }: StateView): StateData => ({
  threadId,
  agent,
  prompt,
  options,
  env,
});

interface Views {
  readonly state: StateView;
  readonly child?: StateView | undefined;
}

/** Does what a function asks of its state, and says whether it was done. */
const granting =
  (catalog: Catalog, views: Views) =>
  async (ask: Ask): Promise<boolean> => {
    const view = views[ask.of];
    if (view === undefined) return false;
    try {
      if (ask.does === 'notifyParent') await view.notifyParent(ask.value);
      else await view.setEnv(ask.name, ask.value, ask.kind ?? typeOf(catalog, view, ask.name));
      return true;
    } catch {
      // The function is told that it was not done; why is the business of this side.
      return false;
    }
  };

/** Whoever calls a variable a secret is believed; one that nobody declares is taken for one. */
function typeOf(catalog: Catalog, view: StateView, name: string): 'text' | 'secret' {
  const known = Object.hasOwn(view.env, name) ? view.env[name]?.type : undefined;
  if (known !== undefined) return known;
  const declared = declarationsIn(catalog).get(name) ?? [];
  return declared.length > 0 && declared.every(({ variable }) => variable.type === 'text')
    ? 'text'
    : 'secret';
}
