import { cutPieces, type Piece, type Place, piecesText } from '@cuebook/prompt';
import { type AgentObject, MANIFEST_LABELS } from './object.js';
import { skillNames } from './skill-names.js';

/** A text of the Agent that a template can print. */
export interface ContextText {
  readonly text: string;
  /** The text as labelled pieces, each at its place in the manifest. */
  readonly pieces: () => readonly Piece[];
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

/** Where the values of a variable stand in an Agent. */
const PATHS = {
  AgentName: ['metadata', 'name'],
  AgentNamespace: ['metadata', 'namespace'],
  Description: ['spec', 'description'],
  ToolNames: ['spec', 'declarative', 'tools'],
  SkillNames: ['spec', 'skills'],
} as const satisfies Record<keyof TemplateContext, readonly string[]>;

/** Where the manifest tells what a variable holds; of one that is left out, what would hold it. */
export const fieldPlace = ({ yaml }: AgentObject, field: keyof TemplateContext): Place =>
  yaml.place(PATHS[field]);

/** What a template sees of an Agent. Tools keep the order of the manifest, and repeated names stay. */
export function templateContext({ namespace, name, spec, yaml }: AgentObject): TemplateContext {
  const subject = `Agent ${namespace}/${name}`;
  const at = (text: string, path: readonly PropertyKey[], start = 0): ContextText => ({
    text,
    pieces: () => {
      const cut = cutPieces(yaml.pieces(path, MANIFEST_LABELS), start, start + text.length);
      if (piecesText(cut) === text)
        return cut.map((piece) => ({ ...piece, origin: { ...piece.origin, subject } }));
      return [{ text, origin: { kind: 'variable', ...yaml.place(path), subject }, ...MANIFEST_LABELS }];
    },
  });
  const tools = (spec.declarative?.tools ?? []).flatMap(({ mcpServer }, t) =>
    (mcpServer?.toolNames ?? []).map((tool, n) =>
      at(tool, [...PATHS.ToolNames, t, 'mcpServer', 'toolNames', n]),
    ),
  );
  return {
    AgentName: at(name, PATHS.AgentName),
    AgentNamespace: at(namespace, PATHS.AgentNamespace),
    Description: at(spec.description ?? '', PATHS.Description),
    ToolNames: tools,
    SkillNames: skillNames(spec.skills).map((skill) => at(skill.name, ['spec', ...skill.path], skill.start)),
  };
}
