import type { Place } from '@cuebook/prompt';
import type { AgentObject } from './object.js';
import { skillNames } from './skill-names.js';

/** A text of the Agent that a template can print, and where it stands in the manifest. */
export interface ContextText {
  readonly text: string;
  readonly place: Place;
  /** The Agent, whatever file it lies in. */
  readonly subject?: string;
}

/** The five variables of a template, in the order in which they print. */
export interface TemplateContext {
  readonly AgentName: ContextText;
  readonly AgentNamespace: ContextText;
  readonly Description: ContextText;
  readonly ToolNames: readonly ContextText[];
  readonly SkillNames: readonly ContextText[];
}

export const TEXT_FIELDS = ['AgentName', 'AgentNamespace', 'Description'] as const;
export const LIST_FIELDS = ['ToolNames', 'SkillNames'] as const;
export const FIELDS: readonly (keyof TemplateContext)[] = [...TEXT_FIELDS, ...LIST_FIELDS];

/** What a template sees of an Agent. Tools keep the order of the manifest, and repeated names stay. */
export function templateContext({ namespace, name, spec, yaml }: AgentObject): TemplateContext {
  const at = (text: string, ...path: readonly PropertyKey[]): ContextText => ({
    text,
    place: yaml.place(path),
    subject: `Agent ${namespace}/${name}`,
  });
  const tools = (spec.declarative?.tools ?? []).flatMap(({ mcpServer }, t) =>
    (mcpServer?.toolNames ?? []).map((tool, n) =>
      at(tool, 'spec', 'declarative', 'tools', t, 'mcpServer', 'toolNames', n),
    ),
  );
  return {
    AgentName: at(name, 'metadata', 'name'),
    AgentNamespace: at(namespace, 'metadata', 'namespace'),
    Description: at(spec.description ?? '', 'spec', 'description'),
    ToolNames: tools,
    SkillNames: skillNames(spec.skills).map((skill) => at(skill.name, 'spec', ...skill.path)),
  };
}
