import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest, type Place } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import { BUILTIN_NAME, BUILTIN_PINNED_NAME, builtinObject, KAGENT_BUILTIN_NAME } from './builtin.js';
import type { Texts } from './manifests.js';
import { type AgentObject, type Fragment, TEXT_KINDS, type TextKind, type TextObject } from './object.js';
import type { PromptSource } from './schema.js';

/** A prompt source of an Agent with the object it names. */
export interface ResolvedSource {
  readonly index: number;
  /** What its paths begin with: the alias, or the name without one. */
  readonly identifier: string;
  readonly source: PromptSource;
  readonly object: TextObject;
}

/** What a template may include, and what is wrong with the sources. */
export interface Lookup {
  readonly sources: readonly ResolvedSource[];
  /** By `identifier/key`. */
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** By the same: where the Agent names the object that holds it. */
  readonly entries: ReadonlyMap<string, Place>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where the sources stand in an Agent. */
export const SOURCES_PATH: readonly PropertyKey[] = ['spec', 'declarative', 'promptTemplate', 'dataSources'];

/** What makes the system message of an Agent a template. */
export const TEMPLATE_PATH: readonly PropertyKey[] = SOURCES_PATH.slice(0, -1);

/** The sources in order, each looked up in the namespace of the Agent. Two that give one path are an error. */
export function resolveSources(agent: AgentObject, texts: Texts): Lookup {
  const sources: ResolvedSource[] = [];
  const fragments = new Map<string, Fragment>();
  const entries = new Map<string, Place>();
  const diagnostics: Diagnostic[] = [];
  sourcesOf(agent).forEach((source, index) => {
    const report: Report = (problem, ...below) =>
      diagnostics.push(diagnosticAt(agent.yaml, [...SOURCES_PATH, index, ...below], problem));
    // One without a name has been told of.
    if (source.name === undefined) return;
    const object = findObject(agent, source, texts, report);
    if (object === undefined) return;
    const entry = agent.yaml.place([...SOURCES_PATH, index]);
    const identifier = source.alias || source.name;
    sources.push({ index, identifier, source, object });
    for (const key of [...object.fragments.keys()].sort()) {
      const path = `${identifier}/${key}`;
      if (guard('source.collision', fragments.has(path))) {
        report({ code: 'E_SOURCE', severity: 'error', message: duplicate(path, source) });
      } else {
        fragments.set(path, object.fragments.get(key) as Fragment);
        entries.set(path, entry);
      }
    }
  });
  return { sources, fragments, entries, diagnostics };
}

/** The sources of an Agent; none without `promptTemplate`. */
export const sourcesOf = (agent: AgentObject): readonly PromptSource[] =>
  agent.spec.declarative?.promptTemplate?.dataSources ?? [];

/** The kind of object a source names; undefined when it is none that holds texts. */
export function sourceKind({ kind, apiGroup }: PromptSource): TextKind | undefined {
  if (apiGroup) return undefined;
  return kind ? TEXT_KINDS.find((known) => known === kind) : 'ConfigMap';
}

type Report = (
  problem: Pick<Diagnostic, 'code' | 'severity' | 'message'>,
  ...below: readonly PropertyKey[]
) => void;

function findObject(
  agent: AgentObject,
  source: PromptSource,
  texts: Texts,
  report: Report,
): TextObject | undefined {
  const { name } = source;
  const { namespace } = agent;
  const known = sourceKind(source);
  if (guard('source.kind', known === undefined)) {
    const what = `kind "${source.kind ?? ''}"${source.apiGroup ? `, apiGroup "${source.apiGroup}"` : ''}`;
    const message = `failed to resolve prompt source "${name}": ${what} is not a ConfigMap or a Secret of the core API group`;
    report({ code: 'E_SOURCE', severity: 'error', message }, source.apiGroup ? 'apiGroup' : 'kind');
    return undefined;
  }
  const kind = known ?? 'ConfigMap';
  if (!source.kind) {
    const message = `The source "${name}" has no kind and is taken for a ConfigMap`;
    report({ code: 'W_SOURCE_KIND', severity: 'warning', message });
  }
  const object = texts.find(kind, namespace, name) ?? shipped(kind, name, namespace);
  if (guard('source.missing', object === undefined)) {
    const message = `failed to resolve prompt source "${name}": ${notFound(kind, namespace, name)}`;
    report(
      {
        code: 'E_SOURCE',
        severity: 'error',
        message: message + missingHint(kind, namespace, name, texts),
      },
      'name',
    );
  }
  if (object?.isShipped === true && name === KAGENT_BUILTIN_NAME) {
    const message = `${KAGENT_BUILTIN_NAME} is not among the manifests: the prompts that Cuebook ships stand in, the cluster's own may be worded otherwise`;
    report({ code: 'W_SOURCE_SHIPPED', severity: 'warning', message }, 'name');
  }
  return object;
}

const BUILTIN_NAMES: ReadonlySet<string> = new Set([BUILTIN_NAME, BUILTIN_PINNED_NAME, KAGENT_BUILTIN_NAME]);

function shipped(kind: TextKind, name: string, namespace: string): TextObject | undefined {
  const isBuiltin = kind === 'ConfigMap' && BUILTIN_NAMES.has(name);
  return isBuiltin ? builtinObject(name, namespace) : undefined;
}

/** The words of the cluster's own client. */
export const notFound = (kind: TextKind, namespace: string, name: string): string =>
  `failed to find ${kind} ${namespace}/${name}: ${kind.toLowerCase()}s "${name}" not found`;

/** A suggestion is not worth more than this many looks. */
const MAX_CANDIDATES = 200;

function firstOf(texts: Iterable<TextObject>): readonly TextObject[] {
  const first: TextObject[] = [];
  for (const each of texts) {
    if (first.length === MAX_CANDIDATES) break;
    first.push(each);
  }
  return first;
}

/** What was most likely meant by a name that is not there; empty when nothing is near. */
export function missingHint(kind: TextKind, namespace: string, name: string, texts: Texts): string {
  const all = firstOf(texts.all?.() ?? []);
  const other = all.find((each) => each.name === name && each.namespace === namespace);
  if (other !== undefined) return `. There is a ${other.kind} of that name`;
  const same = all.filter((each) => each.kind === kind);
  const elsewhere = same.find((each) => each.name === name);
  if (elsewhere !== undefined) {
    return `. There is one in namespace ${elsewhere.namespace}, but references look only in the namespace of the Agent`;
  }
  const near = nearest(
    name,
    same.filter((each) => each.namespace === namespace).map((each) => each.name),
  );
  return near === undefined ? '' : `. Did you mean ${near}?`;
}

const duplicate = (path: string, { name, kind, apiGroup }: PromptSource): string =>
  `duplicate prompt template identifier "${path}" from prompt source "${name}" (kind="${kind ?? ''}", apiGroup="${apiGroup ?? ''}")`;
