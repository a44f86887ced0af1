import type { TextSource } from '@cuebook/files';
import type { Loaded, Profile } from '@cuebook/profile';
import { type Diagnostic, hasErrors, nearest } from '@cuebook/prompt';
import { z } from 'zod';
import { checkAgent } from './check.js';
import { type Manifests, objectKey, type Texts } from './manifests.js';
import type { AgentObject } from './object.js';
import { createManifestReader, type ManifestReadOptions } from './read.js';
import { referencesOf, resolveAgent } from './resolve.js';
import { textsOfAgent } from './texts.js';

/** An Agent and the texts that it can be told from. */
export interface ManifestSource {
  readonly agent: AgentObject;
  readonly texts: Texts;
}

const input = z.object({});

/**
 * The profile of Agent manifests: `manifest:NAMESPACE/NAME`. Every document of the folder is read; those that
 * the Agent does not use may be broken.
 */
export function createManifestProfile(options: ManifestReadOptions): ManifestProfile {
  const reader = createManifestReader();
  return profileBy((project) => reader(project, options), options.folder);
}

type ManifestProfile = Profile<ManifestSource, typeof input>;

/** The same over objects that were read already, such as those of a cluster. Whatever project is handed in, these count. */
export const manifestProfileOf = (manifests: Manifests): ManifestProfile =>
  profileBy(async () => manifests, '.');

function profileBy(read: (project: TextSource) => Promise<Manifests>, folder: string): ManifestProfile {
  return {
    prefix: 'manifest',
    family: 'manifests',
    summary: `an Agent manifest: its system message, resolved (${folder}/**/*.yaml, or -f FILE)`,
    examples: [],
    input,
    find: async (project) => {
      const { agents, partial } = await read(project);
      return [...agents.keys(), ...partial.keys()].sort();
    },
    problems: async (project) => {
      const { problems, spare, texts } = await read(project);
      const unnamed = spare.flatMap((agent) => checkAgent(agent, texts));
      return [...problems.map(({ diagnostic }) => diagnostic), ...unnamed];
    },
    load: async (project, name) => load(await read(project), name),
    check: ({ agent, texts }) => checkAgent(agent, texts),
    checksFurther: true,
    files: filesOf,
    texts: textsOfAgent,
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
export const manifestProfile: ManifestProfile = createManifestProfile({
  folder: 'manifests',
});

function load(manifests: Manifests, name: string): Loaded<ManifestSource> {
  const { agents, partial, texts } = manifests;
  const agent = agents.get(name) ?? partial.get(name);
  const diagnostics = problemsOf(agent, name, problemIndex(manifests));
  if (agent === undefined) {
    return { ok: false, diagnostics: hasErrors(diagnostics) ? diagnostics : [missing(name, agents.keys())] };
  }
  const value = { agent, texts };
  if (hasErrors(diagnostics)) return { ok: false, diagnostics, partial: value };
  return { ok: true, value, diagnostics };
}

/** The files of an Agent and of the objects that it names. */
function filesOf({ agent, texts }: ManifestSource): readonly string[] {
  const objects = referencesOf(agent).map(({ kind, namespace, name }) => texts.find(kind, namespace, name));
  return [...new Set([agent.yaml.file, ...objects.flatMap((object) => object?.file ?? [])])];
}

/** Problems by the object that they concern. */
interface ProblemIndex {
  readonly bySubject: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Errors of documents of which nobody knows what they are: they concern everybody. */
  readonly ofNobody: readonly Diagnostic[];
}

const INDEXES = new WeakMap<Manifests, ProblemIndex>();

function problemIndex(manifests: Manifests): ProblemIndex {
  const known = INDEXES.get(manifests);
  if (known !== undefined) return known;
  const bySubject = new Map<string, Diagnostic[]>();
  const ofNobody: Diagnostic[] = [];
  for (const { subject, diagnostic } of manifests.problems) {
    if (subject === undefined) {
      if (diagnostic.severity === 'error') ofNobody.push(diagnostic);
      continue;
    }
    const list = bySubject.get(subject);
    if (list === undefined) bySubject.set(subject, [diagnostic]);
    else list.push(diagnostic);
  }
  const index = { bySubject, ofNobody: ofNobody.slice(0, MAX_OF_NOBODY) };
  INDEXES.set(manifests, index);
  return index;
}

/** So many are told for each Agent; `problems` has all. */
const MAX_OF_NOBODY = 20;

/** What concerns an Agent: problems of its own documents, and of those of which nobody knows what they are. */
function problemsOf(
  agent: AgentObject | undefined,
  name: string,
  { bySubject, ofNobody }: ProblemIndex,
): readonly Diagnostic[] {
  const references = agent === undefined ? [] : referencesOf(agent);
  const used = new Set([`Agent ${name}`, ...references.map((each) => objectKey(each.kind, each))]);
  return [...ofNobody, ...[...used].flatMap((subject) => bySubject.get(subject) ?? [])];
}

function missing(name: string, names: Iterable<string>): Diagnostic {
  const meant = nearest(name, names);
  const hint = meant === undefined ? 'Agents are named NAMESPACE/NAME' : `Did you mean manifest:${meant}?`;
  return { code: 'E_TARGET', severity: 'error', message: `No Agent is called "${name}". ${hint}` };
}
