import { guarded } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosticAt, type YamlSource } from '@cuebook/yaml';
import type { MenuItem, PackagedAgent } from './schema.js';

/** Fields of an agent that say nothing to anybody here, and why. */
const UNUSED: Readonly<Partial<Record<keyof PackagedAgent, string>>> = {
  userPromptTemplate: 'the words of a user are told as they are. Put what is always said into systemPrompt',
  discussion: 'agents are not called into discussions here',
  webskip: 'there is no web build to leave the agent out of',
  conversational_knowledge: 'nothing is read from it. Put files into the package, and name them in a step',
};

/** Fields of a menu item that are followed. */
const FOLLOWED: readonly string[] = ['description', 'trigger', 'triggers', 'workflow', 'action', 'data'];

/** A warning for each field that an agent has and that changes nothing. */
export function unusedFields(
  agent: PackagedAgent,
  yaml: YamlSource,
  workflows: ReadonlySet<string>,
): readonly Diagnostic[] {
  const hasSystemPrompt = (agent.systemPrompt ?? '').trim() !== '';
  const fields = Object.entries(UNUSED).flatMap(([key, why]) =>
    agent[key as keyof PackagedAgent] === undefined ? [] : [unused(yaml, [key], key, why)],
  );
  const actions =
    agent.critical_actions !== undefined && hasSystemPrompt
      ? [
          unused(
            yaml,
            ['critical_actions'],
            'critical_actions',
            'systemPrompt stands in place of the persona',
          ),
        ]
      : [];
  const named = new Set((agent.menu ?? []).flatMap(({ action }) => promptId(action) ?? []));
  const prompts = (agent.prompts ?? []).flatMap(({ id }, at) =>
    named.has(id)
      ? []
      : [unused(yaml, ['prompts', at], `the prompt "${id}"`, 'no menu item has it as its action')],
  );
  const items = (agent.menu ?? []).flatMap((item, at) => unusedInItem(agent, item, { yaml, at, workflows }));
  return guarded('package.unused', () => [...fields, ...actions, ...prompts, ...items], []);
}

function unusedInItem(
  { prompts = [] }: PackagedAgent,
  item: MenuItem,
  {
    yaml,
    at,
    workflows,
  }: { readonly yaml: YamlSource; readonly at: number; readonly workflows: ReadonlySet<string> },
): readonly Diagnostic[] {
  const path = ['menu', at];
  const keys = Object.keys(item).filter((key) => !FOLLOWED.includes(key));
  const others = keys.map((key) =>
    unused(yaml, [...path, key], key, 'a menu item only leads to words, a workflow or a file'),
  );
  const id = promptId(item.action);
  const lost =
    id === undefined || prompts.some((prompt) => prompt.id === id)
      ? []
      : [unused(yaml, [...path, 'action'], 'action', `the agent has no prompt "${id}"`)];
  const astray =
    item.workflow === undefined || workflows.has(item.workflow)
      ? []
      : [unused(yaml, [...path, 'workflow'], 'workflow', 'the package has no workflow of this id or file')];
  return [...others, ...lost, ...astray];
}

/** `#id` names a prompt of the agent; other words are said as they are. */
export const promptId = (action: string | undefined): string | undefined =>
  action?.startsWith('#') ? action.slice(1) : undefined;

const unused = (yaml: YamlSource, path: readonly PropertyKey[], what: string, why: string): Diagnostic =>
  diagnosticAt(yaml, path, {
    code: 'W_PACKAGE_UNUSED',
    severity: 'warning',
    message: `${what} is not used: ${why}`,
  });
