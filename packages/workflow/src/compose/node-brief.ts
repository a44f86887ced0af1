import {
  type LabelledShell,
  type Phrase,
  type Piece,
  parseShells,
  type ShellField,
  shellPieces,
} from '@cuebook/prompt';
import type { Workflow, WorkflowNode } from '../package/package.js';
import { relativePath } from '../package/relative-path.js';
import type { AllowedNext } from '../state/error.js';
import { allowedNext } from '../state/rules.js';
import { between, packaged } from './labels.js';

/** The fifth layer: the current node, its step file by alias, what it makes, and where it may lead. */
export function nodeBriefPieces(workflow: Workflow, at: WorkflowNode): readonly Piece[] {
  const pieces = MADE.get(at) ?? makePieces(workflow, at);
  MADE.set(at, pieces);
  return pieces;
}

/** The same for every turn at a node. */
const MADE = new WeakMap<WorkflowNode, readonly Piece[]>();

function makePieces(workflow: Workflow, at: WorkflowNode): readonly Piece[] {
  const { node, index, file, next } = at;
  const ways = allowedNext(at);
  /** Texts that stand beside each other on a line are cleaned one by one. */
  const own = (name: string, text: string) => packaged(workflow, ['nodes', index, name], text);
  const fields: readonly ShellField<Phrase>[] = [
    {
      key: 'currentNodeId',
      value: { parts: [...own('id', node.id), between(' (type='), ...own('type', node.type), between(')')] },
    },
    { key: 'stepFile', value: { parts: [between('@pkg/'), ...own('file', file ?? '')] } },
    {
      key: 'outputsMap',
      // One that leaves the project is refused when the package is loaded, and told to nobody.
      value: (node.outputs ?? []).flatMap((path, i) => {
        const clean = relativePath(path);
        if (clean === undefined) return [];
        const words = packaged(workflow, ['nodes', index, 'outputs', i], clean);
        return [{ parts: [...words, between(ARROW), ...words] }];
      }),
    },
    {
      key: 'allowedNext',
      value: ways.map((way, i) => ({ parts: wayPieces(workflow, next[i]?.index ?? 0, way) })),
    },
  ];
  const shell: LabelledShell = { header: 'NODE_BRIEF', fields };
  return shellPieces(shell);
}

/** A brief, read back. */
export interface NodeBrief {
  readonly currentNodeId: string;
  readonly type: string;
  readonly stepFile: string;
  readonly outputs: readonly string[];
  readonly allowedNext: readonly AllowedNext[];
}

/** Reads what `nodeBriefPieces` wrote; undefined for anything else. */
export function parseNodeBrief(text: string): NodeBrief | undefined {
  const shells = parseShells(text);
  const shell = shells.ok && shells.value.length === 1 ? shells.value[0] : undefined;
  if (shell?.header !== 'NODE_BRIEF') return undefined;
  const field = new Map(shell.fields.map(({ key, value }) => [key, value]));
  const head = /^(\S+) \(type=(\w+)\)$/.exec(String(field.get('currentNodeId')));
  const stepFile = field.get('stepFile');
  const outputs = listOf(field.get('outputsMap'))?.map(parseOutput);
  const ways = listOf(field.get('allowedNext'))?.map(parseWay);
  if (head === null || typeof stepFile !== 'string' || !isWhole(outputs) || !isWhole(ways)) return undefined;
  const [, currentNodeId = '', type = ''] = head;
  return { currentNodeId, type, stepFile, outputs, allowedNext: ways };
}

/** `artifacts/x.md -> @project/artifacts/x.md`: both halves are the same path, so the middle is known whatever it holds. */
function parseOutput(item: string): string | undefined {
  const path = item.slice(0, (item.length - ARROW.length) / 2);
  return item === `${path}${ARROW}${path}` ? path : undefined;
}

const ARROW = ' -> @project/';

function wayPieces(
  workflow: Workflow,
  edge: number,
  { to, label, isDefault, conditionText }: AllowedNext,
): readonly Piece[] {
  const own = (name: string, text: string) => packaged(workflow, ['edges', edge, name], text);
  return [
    ...own('to', to),
    between(' (label='),
    ...own('label', printWord(label)),
    ...(isDefault ? [between(', default='), ...own('isDefault', 'true')] : []),
    ...(conditionText === undefined
      ? []
      : [between(', conditionText='), ...own('conditionText', JSON.stringify(conditionText))]),
    between(')'),
  ];
}

function parseWay(item: string): AllowedNext | undefined {
  const match = WAY.exec(item);
  if (match === null) return undefined;
  const [, to = '', word = '', isDefault, condition] = match;
  const label = word.startsWith('"') ? parseString(word) : word;
  const conditionText = condition === undefined ? undefined : parseString(condition);
  if (label === undefined || (condition !== undefined && conditionText === undefined)) return undefined;
  return {
    to,
    label,
    ...(isDefault === undefined ? {} : { isDefault: true }),
    ...(conditionText === undefined ? {} : { conditionText }),
  };
}

/** A label stands as it is unless it could be mistaken for what stands around it. */
const printWord = (word: string): string =>
  /^[^\s"(),=][^"(),=]*$/.test(word) && word === word.trim() ? word : JSON.stringify(word);

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const WAY = new RegExp(
  `^(\\S+) \\(label=(${STRING}|[^"(),=]+)(, default=true)?(?:, conditionText=(${STRING}))?\\)$`,
  'u',
);

function parseString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? undefined : value;

const isWhole = <Item>(list: readonly (Item | undefined)[] | undefined): list is readonly Item[] =>
  list?.every((item) => item !== undefined) === true;
