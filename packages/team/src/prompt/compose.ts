import { type BlockInput, type Piece, shellPieces } from '@cuebook/prompt';
import type { ToolHolder } from '../call/tools.js';
import { isRootLead, type NodeText, type TeamNode } from '../graph/node.js';
import { type RoleTemplate, reviews } from '../role/template.js';
import { contractPieces } from './contract.js';
import { digest, digestPieces } from './digest.js';
import { type History, historyOf } from './history.js';
import { modePieces } from './mode.js';
import type { Memory } from './past.js';
import type { TurnResult } from './result.js';
import { written } from './say.js';
import { joinPieces, type TaskFacts, type TaskSection, taskSections } from './task.js';

/** What a prompt is made of. */
export interface NodePromptInput {
  readonly role: RoleTemplate;
  readonly nativeTools: boolean;
  readonly task: TaskFacts;
  /** Digests of the stable parts that the session has heard. Left out: it has heard nothing. */
  readonly heard?: Readonly<Record<string, string>>;
  /** What a provider that keeps no conversation is told again. Left out: nothing was said before. */
  readonly history?: { readonly memory: Memory; readonly structured: boolean };
}

/** A node's prompt for one turn. */
export interface NodePrompt {
  /** The full effective prompt: five layers, in the same order for every provider. */
  readonly full: readonly BlockInput[];
  /** What a session that goes on needs of it: mode and task, without the stable parts that it has. */
  readonly delta: readonly BlockInput[];
  /** What `promptKind` compares: a digest of the system and role layers. */
  readonly head: string;
  /** Digests of the stable parts, for the next turn's `heard`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The five layers of a turn's prompt. Pure: the same facts give the same bytes. */
export function composeNode({ role, nativeTools, task, heard = {}, history }: NodePromptInput): NodePrompt {
  const { node } = task;
  const system: BlockInput = {
    name: 'system',
    role: 'system',
    pieces: contractPieces(toolHolder(role, node, nativeTools)),
  };
  const roleBlock = roleLayer(node, role);
  const mode: BlockInput = { name: 'mode', role: 'system', pieces: modePieces(task.globalMode) };
  const sections = taskSections(task);
  const isNews = ({ key, stable, pieces }: TaskSection): boolean =>
    !stable || heard[key] !== digestPieces(pieces);
  const { blocks, told } = pastOf(task, history);
  const now =
    told.size === 0 ? sections : taskSections({ ...task, results: task.results.filter(isUntold(told)) });
  const override: readonly BlockInput[] = node.override === undefined ? [] : [overrideLayer(node.override)];
  return {
    full: [system, roleBlock, mode, ...blocks, taskLayer(now), ...override],
    delta: [mode, taskLayer(sections.filter(isNews)), ...override],
    head: headOf(role, node, nativeTools),
    parts: Object.fromEntries(
      sections.filter(({ stable }) => stable).map(({ key, pieces }) => [key, digestPieces(pieces)]),
    ),
  };
}

const pastOf = (task: TaskFacts, history: NodePromptInput['history']): History =>
  history === undefined
    ? { blocks: [], told: new Set() }
    : historyOf(history.memory, task.results, { nodes: task.nodes, structured: history.structured });

const isUntold =
  (told: ReadonlySet<string>) =>
  (result: TurnResult): boolean =>
    !(result.kind === 'call' && told.has(result.call));

/** What decides which tools a node is told of. */
export const toolHolder = (
  role: Pick<RoleTemplate, 'capabilities'>,
  node: Pick<TeamNode, 'orchestrator' | 'parent'>,
  nativeTools: boolean,
): ToolHolder => ({ nativeTools, leads: isRootLead(node), reviews: node.orchestrator || reviews(role) });

/** A digest of the layers that a session hears once. */
export function headOf(role: RoleTemplate, node: TeamNode, nativeTools: boolean): string {
  const system = digestPieces(contractPieces(toolHolder(role, node, nativeTools)));
  return digest(`${system} ${digestPieces(roleLayer(node, role).pieces)}`);
}

const taskLayer = (sections: readonly TaskSection[]): BlockInput => ({
  name: 'task',
  role: 'user',
  pieces: joinPieces(sections.map(({ pieces }) => pieces)),
});

/** The template's text as it is, or the node's own in its place. What an agent wrote is fenced and no system text. */
function roleLayer(node: TeamNode, template: RoleTemplate): BlockInput {
  if (node.prompt === undefined) return { name: 'role', role: 'system', pieces: [templatePiece(template)] };
  const text = written(node.prompt, 'session');
  if (node.prompt.by === 'author') return { name: 'role', role: 'system', pieces: text };
  return { name: 'role', role: 'user', pieces: fenced('ROLE_TEXT', text) };
}

const templatePiece = ({ text, file, source }: RoleTemplate): Piece => ({
  text: text.toWellFormed().trimEnd(),
  origin: { kind: source === 'shipped' ? 'shipped' : 'file', ref: file, line: 1, column: 1 },
  trust: source === 'shipped' ? 'platform' : 'author',
  secrecy: 'public',
  volatility: source === 'shipped' ? 'build' : 'deploy',
});

const overrideLayer = (override: NodeText): BlockInput => ({
  name: 'override',
  role: 'user',
  pieces: fenced('USER_OVERRIDE', written(override, 'session')),
});

const fenced = (header: string, body: readonly Piece[]): readonly Piece[] =>
  shellPieces({ header, fields: [], body, closed: true });
