import { type Loaded, nearest, type Profile } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { z } from 'zod';
import { checkAgent } from './check.js';
import { type ManifestProblem, type Manifests, objectKey, type Texts } from './manifests.js';
import type { Agent } from './object.js';
import { createManifestReader, type ReadOptions } from './read.js';
import { referencesOf, resolveAgent } from './resolve.js';

/** An Agent and the texts that it can be told from. */
export interface ManifestSource {
  readonly agent: Agent;
  readonly texts: Texts;
}

const input = z.object({});

/**
 * The profile of Agent manifests: `manifest:NAMESPACE/NAME`. Every document of the folder is read; those that
 * the Agent does not use may be broken.
 */
export function createManifestProfile(options: ReadOptions): Profile<ManifestSource, typeof input> {
  const read = createManifestReader();
  return {
    prefix: 'manifest',
    summary: `an Agent manifest: its system message, resolved (${options.folder}/**/*.yaml, or -f FILE)`,
    examples: [],
    input,
    find: async (project) => [...(await read(project, options)).agents.keys()].sort(),
    problems: async (project) => (await read(project, options)).problems.map(({ diagnostic }) => diagnostic),
    load: async (project, name) => load(await read(project, options), name),
    check: ({ agent, texts }) => checkAgent(agent, texts),
    sample: () => ({}),
    compose: ({ agent, texts }) => {
      const resolved = resolveAgent(agent, texts);
      if (!resolved.ok) return { ok: false, diagnostics: [resolved.diagnostic] };
      const blocks = [{ name: 'system', role: 'system', pieces: resolved.pieces }] as const;
      return { ok: true, value: { blocks, tools: [], params: {}, capabilities: [] } };
    },
  };
}

/** Agents of the project's own `manifests/` folder. */
export const manifestProfile: Profile<ManifestSource, typeof input> = createManifestProfile({
  folder: 'manifests',
});

function load({ agents, texts, problems }: Manifests, name: string): Loaded<ManifestSource> {
  const agent = agents.get(name);
  const diagnostics = problemsOf(agent, name, problems);
  if (agent === undefined) {
    return { ok: false, diagnostics: hasErrors(diagnostics) ? diagnostics : [missing(name, agents.keys())] };
  }
  if (hasErrors(diagnostics)) return { ok: false, diagnostics };
  return { ok: true, value: { agent, texts }, diagnostics };
}

/** What concerns an Agent: problems of its own documents, and of those of which nobody knows what they are. */
function problemsOf(
  agent: Agent | undefined,
  name: string,
  problems: readonly ManifestProblem[],
): readonly Diagnostic[] {
  const references = agent === undefined ? [] : referencesOf(agent);
  const used = new Set([`Agent ${name}`, ...references.map((each) => objectKey(each.kind, each))]);
  return problems
    .filter(({ subject, diagnostic }) =>
      subject === undefined ? diagnostic.severity === 'error' : used.has(subject),
    )
    .map(({ diagnostic }) => diagnostic);
}

function missing(name: string, names: Iterable<string>): Diagnostic {
  const meant = nearest(name, names);
  const hint = meant === undefined ? 'Agents are named NAMESPACE/NAME' : `Did you mean manifest:${meant}?`;
  return { code: 'E_TARGET', severity: 'error', message: `No Agent is called "${name}". ${hint}` };
}
