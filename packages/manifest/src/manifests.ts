import { guard } from '@cuebook/guard';
import { type Diagnostic, describePlace } from '@cuebook/prompt';
import { diagnosticAt, readShape, type YamlSource, yamlWithin } from '@cuebook/yaml';
import {
  type AgentObject,
  type ObjectName,
  type Read,
  readAgent,
  readConfigMap,
  readSecret,
  type TextKind,
  type TextObject,
} from './object.js';
import { metadataSchema } from './schema.js';

/** The objects that a set of documents describes. Of two for one object the first is kept. */
export interface Manifests {
  /** By `namespace/name`. */
  readonly agents: ReadonlyMap<string, AgentObject>;
  /** Agents that do not fit as a whole, by `namespace/name`. */
  readonly partial: ReadonlyMap<string, AgentObject>;
  /** Agents that have no name, or that of another. */
  readonly spare: readonly AgentObject[];
  readonly texts: Texts;
  readonly problems: readonly ManifestProblem[];
}

/** ConfigMaps and Secrets, wherever they come from. */
export interface Texts {
  readonly find: (kind: TextKind, namespace: string, name: string) => TextObject | undefined;
  /** All there are, where that is known: only to suggest what was meant. */
  readonly all?: () => Iterable<TextObject>;
}

/** Something wrong with a document. */
export interface ManifestProblem {
  readonly diagnostic: Diagnostic;
  /** The object that it concerns, as `objectKey` writes it; absent when that could not be read. */
  readonly subject?: string;
}

/** `ConfigMap default/my-prompts` */
export const objectKey = (kind: string, { namespace, name }: ObjectName): string =>
  `${kind} ${namespace}/${name}`;

/** Groups and versions of the Agent that is read; both have one shape. */
export const AGENT_VERSIONS: readonly string[] = ['kagent.dev/v1alpha2', 'cuebook.dev/v1alpha1'];

/**
 * Collects Agents, ConfigMaps and Secrets; lists are unwrapped and other kinds passed over. `problems` are
 * those of reading the documents, and come first.
 */
export function collectManifests(
  documents: Iterable<YamlSource>,
  problems: readonly Diagnostic[] = [],
): Manifests {
  const collector = createCollector();
  for (const diagnostic of problems) collector.report(diagnostic);
  for (const document of documents) collector.add(document);
  return collector.manifests();
}

export interface CollectorOptions {
  /** Where objects are that name no namespace. */
  readonly namespace?: string;
}

/** Takes documents one by one. */
export interface ManifestCollector {
  readonly add: (document: YamlSource) => void;
  /** A problem of reading documents. */
  readonly report: (diagnostic: Diagnostic) => void;
  readonly manifests: () => Manifests;
}

export function createCollector({ namespace: home = 'default' }: CollectorOptions = {}): ManifestCollector {
  const found: ManifestProblem[] = [];
  const agents = new Map<string, AgentObject>();
  const partial = new Map<string, AgentObject>();
  const spare: AgentObject[] = [];
  const texts = new Map<string, TextObject>();
  const places = new Map<string, YamlSource>();
  const addOne = (document: YamlSource): void => {
    const known = identify(document, home);
    if ('skip' in known) {
      if (known.skip !== undefined) found.push({ diagnostic: known.skip });
      return;
    }
    const { kind, yaml, namespace, name, wrong } = known;
    const subject = wrong.length > 0 ? undefined : objectKey(kind, known);
    const report = (diagnostic: Diagnostic): void =>
      void found.push(subject === undefined ? { diagnostic } : { diagnostic, subject });
    const first = subject === undefined ? undefined : places.get(subject);
    const isTwice = guard('manifest.twice', first !== undefined);
    for (const diagnostic of wrong) report(diagnostic);
    if (isTwice) report(twice(yaml, subject as string, first));
    const halves = halfCharacters(yaml);
    for (const diagnostic of halves) report(diagnostic);
    const read: Read<AgentObject | TextObject | undefined> = READERS[kind](yaml, { namespace, name });
    if (!read.ok) for (const diagnostic of read.diagnostics) report(diagnostic);
    const value = read.ok ? read.value : read.partial;
    if (subject !== undefined && !isTwice) places.set(subject, yaml);
    if (value === undefined) return;
    if ('fragments' in value) {
      if (subject !== undefined && !isTwice) texts.set(subject, value);
    } else if (subject === undefined || isTwice) spare.push(value);
    else (read.ok && halves.length === 0 ? agents : partial).set(`${namespace}/${name}`, value);
  };
  return {
    add: (document) => {
      for (const each of unwrapped([document])) addOne(each);
    },
    report: (diagnostic) => void found.push({ diagnostic }),
    manifests: () => ({
      agents,
      partial,
      spare,
      texts: {
        find: (kind, namespace, name) => texts.get(objectKey(kind, { namespace, name })),
        all: () => texts.values(),
      },
      problems: found,
    }),
  };
}

const READERS = { Agent: readAgent, ConfigMap: readConfigMap, Secret: readSecret } as const;

interface Identified extends ObjectName {
  readonly kind: keyof typeof READERS;
  readonly yaml: YamlSource;
  /** Why nobody can know what it is called. */
  readonly wrong: readonly Diagnostic[];
}

/** A document with what it is called; one that is not ours is skipped, with a warning where that may surprise. */
function identify(yaml: YamlSource, home: string): Identified | { readonly skip: Diagnostic | undefined } {
  const { apiVersion, kind } = headOf(yaml.value);
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') {
    const message = 'Ignored: the document has no apiVersion and kind';
    return { skip: diagnosticAt(yaml, [], { code: 'W_MANIFEST_SKIPPED', severity: 'warning', message }) };
  }
  if (!isOurs(apiVersion, kind)) return { skip: otherVersion(yaml, apiVersion, kind) };
  const shape = readShape(yaml, metadataSchema, 'E_MANIFEST');
  const { name = '', namespace } = shape.ok ? shape.value.metadata : {};
  return {
    kind: kind as keyof typeof READERS,
    yaml,
    name,
    namespace: namespace || home,
    wrong: shape.diagnostics,
  };
}

function isOurs(apiVersion: string, kind: string): boolean {
  if (kind === 'Agent') return AGENT_VERSIONS.includes(apiVersion);
  return apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret');
}

/** An Agent of another version of ours is worth a word; an Agent of somebody else's group is not. */
function otherVersion(yaml: YamlSource, apiVersion: string, kind: string): Diagnostic | undefined {
  const groups = AGENT_VERSIONS.map((version) => version.slice(0, version.indexOf('/') + 1));
  if (kind !== 'Agent' || !groups.some((group) => apiVersion.startsWith(group))) return undefined;
  const message = `Ignored: an Agent of ${apiVersion} is not read, only ${AGENT_VERSIONS.join(' and ')}`;
  return diagnosticAt(yaml, ['apiVersion'], { code: 'W_MANIFEST_SKIPPED', severity: 'warning', message });
}

function* unwrapped(documents: Iterable<YamlSource>): Generator<YamlSource> {
  for (const document of documents) {
    const { apiVersion, kind, items } = headOf(document.value);
    if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) {
      yield document;
      continue;
    }
    const ofItems = kind === 'List' ? undefined : { apiVersion, kind: kind.slice(0, -'List'.length) };
    yield* unwrapped(items.map((_, index) => itemOf(document, index, ofItems)));
  }
}

/** The items of a typed list, such as a ConfigMapList, need not repeat what they are. */
function itemOf(list: YamlSource, index: number, defaults: object | undefined): YamlSource {
  const item = yamlWithin(list, ['items', index]);
  if (defaults === undefined || typeof item.value !== 'object' || item.value === null) return item;
  return { ...item, value: { ...defaults, ...item.value } };
}

type Head = Readonly<Record<'apiVersion' | 'kind' | 'items', unknown>>;

const headOf = (value: unknown): Partial<Head> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Partial<Head>) : {};

function twice(yaml: YamlSource, subject: string, first: YamlSource | undefined): Diagnostic {
  const where =
    first === undefined ? '' : ` It is first at ${describePlace(first.place(['metadata', 'name']))}`;
  const message = `${subject} is there twice.${where}`;
  return diagnosticAt(yaml, ['metadata', 'name'], { code: 'E_MANIFEST_TWICE', severity: 'error', message });
}

/** Half a character comes in through a YAML escape; templates keep bytes that are no text in its place. */
function halfCharacters(yaml: YamlSource): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const open: { value: unknown; path: readonly PropertyKey[] }[] = [{ value: yaml.value, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    const isHalf = typeof value === 'string' && /\p{Surrogate}/u.test(value);
    if (guard('manifest.unicode', isHalf)) {
      const message = 'The text holds half a character (a lone surrogate)';
      found.push(diagnosticAt(yaml, path, { code: 'E_MANIFEST', severity: 'error', message }));
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, below] of Object.entries(value)) open.push({ value: below, path: [...path, key] });
  }
  return found.reverse();
}
