import { guard } from '@cuebook/guard';
import type { Loaded } from '@cuebook/profile';
import type { Diagnostic, Labels } from '@cuebook/prompt';
import { diagnosticAt, readShape, type YamlSource, yamlWithin } from '@cuebook/yaml';
import type { Points } from './bullets.js';
import { forgedLine, lineProblem } from './one-line.js';
import { type PackageAgent, packageLabels } from './package.js';
import { agentsSchema, type PackagedAgent } from './schema.js';

/** The agents of `agents.json`, or everything that is wrong with them. */
export function readAgents(
  yaml: YamlSource,
  labels: Labels = packageLabels('author'),
): Loaded<ReadonlyMap<string, PackageAgent>> {
  const shaped = readShape(yaml, agentsSchema, 'AGENTS_INVALID');
  const agents = new Map<string, PackageAgent>();
  const diagnostics: Diagnostic[] = [...shaped.diagnostics];
  const listed = shaped.ok ? shaped.value.agents : sketchedAgents(shaped.sketch);
  listed.forEach((agent, at) => {
    const own = yamlWithin(yaml, ['agents', at]);
    if (guard('package.duplicate', agents.has(agent.id))) {
      const message = `Two agents have the id "${agent.id}"`;
      diagnostics.push(
        diagnosticAt(yaml, ['agents', at, 'id'], { code: 'AGENTS_INVALID', severity: 'error', message }),
      );
    }
    diagnostics.push(...checkTexts(agent, yaml, ['agents', at]));
    agents.set(agent.id, { agent, labels, yaml: own });
  });
  if (diagnostics.length === 0) return { ok: true, value: agents, diagnostics: [] };
  // Who an agent is that has no id that fits, nobody knows.
  const isKnown = agents.size > 0 && countOf(listed) === listedLength(yaml);
  return { ok: false, diagnostics, ...(isKnown ? { partial: agents } : {}) };
}

/** The agents that have an id, as far as they fit; the others are holes. */
function sketchedAgents(sketch: unknown): readonly PackagedAgent[] {
  const { agents = [] } = (sketch ?? {}) as { readonly agents?: readonly Partial<PackagedAgent>[] };
  const found: PackagedAgent[] = new Array(agents.length);
  agents.forEach((agent, at) => {
    if (agent.id === undefined) return;
    found[at] = { ...agent, metadata: agent.metadata ?? {}, persona: agent.persona ?? {} } as PackagedAgent;
  });
  return found;
}

/** Of those that are there: `filter` passes over holes. */
const countOf = (items: readonly unknown[]): number => items.filter(() => true).length;

const listedLength = ({ value }: YamlSource): number => {
  const { agents } = Object(value) as { readonly agents?: unknown };
  return Array.isArray(agents) ? agents.length : 0;
};

/** Persona text goes into a system-role block: it may say anything but one of our own blocks. */
function checkTexts(
  agent: PackagedAgent,
  yaml: YamlSource,
  at: readonly PropertyKey[],
): readonly Diagnostic[] {
  const { metadata, persona, systemPrompt, critical_actions = [] } = agent;
  const { role, identity, communication_style, principles } = persona;
  const points = (path: readonly PropertyKey[], field: Points = []) =>
    typeof field === 'string'
      ? [[path, field] as const]
      : field.map((each, i) => [[...path, i], each] as const);
  const long: readonly (readonly [readonly PropertyKey[], string | undefined])[] = [
    [['systemPrompt'], systemPrompt],
    [['persona', 'role'], role],
    [['persona', 'identity'], identity],
    [['persona', 'communication_style'], communication_style],
    ...points(['persona', 'principles'], principles),
    ...points(['critical_actions'], critical_actions),
  ];
  const report = (path: readonly PropertyKey[], message: string): Diagnostic =>
    diagnosticAt(yaml, [...at, ...path], { code: 'E_PACKAGE_FIELD', severity: 'error', message });
  const names = (['name', 'title'] as const).flatMap((key) => {
    const problem = metadata[key] === undefined ? undefined : lineProblem(metadata[key]);
    return problem === undefined
      ? []
      : [report(['metadata', key], `The field cannot stand on a line: ${problem}`)];
  });
  const texts = long.flatMap(([path, text]) => {
    const line = text === undefined ? undefined : forgedLine(text);
    return line === undefined
      ? []
      : [report(path, `Line ${line} of the text would be read as a block of its own`)];
  });
  return [...names, ...texts];
}
