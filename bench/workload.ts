import type { BlockInput, Piece, Role, Trust } from '@cuebook/prompt';

/**
 * A layered agent prompt: a contract with five includes, nested loops over tools and handoffs, conditions,
 * and data full of HTML's special characters. One tree yields both the Handlebars source that the peer
 * compiles and the labelled pieces that a template engine would hand to the kernel, so both say the same.
 */
export type Node =
  | { readonly literal: string }
  | { readonly value: string }
  | { readonly each: string; readonly nodes: readonly Node[] }
  | { readonly when: string; readonly nodes: readonly Node[] }
  | { readonly include: string };

export interface Layer {
  readonly name: string;
  readonly role: Role;
  readonly trust: Trust;
  readonly nodes: readonly Node[];
}

export type Data = { readonly [key: string]: string | boolean | readonly Data[] };

const literal = (text: string): Node => ({ literal: text });
const value = (path: string): Node => ({ value: path });

export const PARTIALS: Readonly<Record<string, readonly Node[]>> = {
  safety: [
    literal(
      'Safety\n- Never run a command that you have not read.\n- Never write outside the workspace.\n- Ask before you delete anything that is not yours, and say what would be lost.\n\n',
    ),
  ],
  tone: [
    literal(
      'Tone\n- Be brief & exact: prefer "a < b" to a paragraph.\n- Quote file names as they are, and say what you did not check.\n\n',
    ),
  ],
  loops: [
    literal(
      'Loops\n- If two turns bring nothing new, stop and report the stall with what you tried.\n- Do not repeat a call that failed in the same way; change something or ask.\n\n',
    ),
  ],
  output: [
    literal(
      'Output\n- First line: the answer. Then the evidence, one point a line, each with its source.\n- Leave out what the reader already knows.\n\n',
    ),
  ],
  tool: [
    literal('### '),
    value('name'),
    literal('\n'),
    value('about'),
    literal('\nParameters:\n'),
    {
      each: 'params',
      nodes: [
        literal('- '),
        value('name'),
        literal(' ('),
        value('type'),
        literal('): '),
        value('about'),
        literal('\n'),
      ],
    },
  ],
};

export const LAYERS: readonly Layer[] = [
  {
    name: 'contract',
    role: 'system',
    trust: 'author',
    nodes: [
      literal('You are '),
      value('agent'),
      literal(
        ', one of several agents in a graph. Work is visible: every word you are told and every word you say is kept.\n\n',
      ),
      { include: 'safety' },
      { include: 'tone' },
      { include: 'loops' },
      { include: 'output' },
      literal('Mode: '),
      value('mode'),
      literal('. '),
      {
        when: 'planning',
        nodes: [literal('Read only. Write nothing but documents, and say when code must change. ')],
      },
      literal('Tools\n'),
      { each: 'tools', nodes: [{ include: 'tool' }] },
    ],
  },
  {
    name: 'task',
    role: 'user',
    trust: 'user',
    nodes: [
      literal('Objective: '),
      value('objective'),
      literal('\nDone when: '),
      value('done'),
      literal('\n\nIncoming\n'),
      {
        each: 'handoffs',
        nodes: [
          literal('From '),
          value('from'),
          literal(': '),
          value('message'),
          literal('\n'),
          {
            each: 'artifacts',
            nodes: [
              literal('  artifact: '),
              value('ref'),
              literal(' (kept whole, referenced by its hash)\n'),
            ],
          },
        ],
      },
    ],
  },
];

/** The Handlebars source of nodes. */
export function handlebars(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if ('literal' in node) return node.literal;
      if ('value' in node) return `{{{${node.value}}}}`;
      if ('each' in node) return `{{#each ${node.each}}}${handlebars(node.nodes)}{{/each}}`;
      if ('when' in node) return `{{#if ${node.when}}}${handlebars(node.nodes)}{{/if}}`;
      return `{{> ${node.include}}}`;
    })
    .join('');
}

/** The whole prompt as one Go template, partials defined in front. */
export function goTemplate(): string {
  const partials = Object.entries(PARTIALS).map(([name, nodes]) => `{{define "${name}"}}${go(nodes)}{{end}}`);
  return partials.join('') + LAYERS.map(({ nodes }) => go(nodes)).join('');
}

function go(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if ('literal' in node) return node.literal;
      if ('value' in node) return `{{.${node.value}}}`;
      if ('each' in node) return `{{range .${node.each}}}${go(node.nodes)}{{end}}`;
      if ('when' in node) return `{{if .${node.when}}}${go(node.nodes)}{{end}}`;
      return `{{template "${node.include}" .}}`;
    })
    .join('');
}

/** The blocks of a prompt, ready for the kernel. */
export function readyBlocks(data: Data): readonly BlockInput[] {
  return LAYERS.map(({ name, role, trust, nodes }) => {
    const pieces: Piece[] = [];
    walk(nodes, data, name, trust, pieces);
    return { name, role, pieces };
  });
}

/** Literals carry one origin each, as a compiled template would hand them out. */
const literalOrigins = new Map<Node, Piece>();

function walk(nodes: readonly Node[], data: Data, file: string, trust: Trust, pieces: Piece[]): void {
  nodes.forEach((node, index) => {
    if ('literal' in node) {
      let piece = literalOrigins.get(node);
      if (piece === undefined) {
        piece = {
          text: node.literal,
          origin: { kind: 'file', ref: `${file}.md`, line: index + 1, column: 1 },
          trust: 'author',
          secrecy: 'public',
          volatility: 'build',
        };
        literalOrigins.set(node, piece);
      }
      pieces.push(piece);
    } else if ('value' in node) {
      pieces.push({
        text: String(data[node.value]),
        origin: valueOrigin(node),
        trust,
        secrecy: 'public',
        volatility: 'turn',
      });
    } else if ('each' in node) {
      for (const item of data[node.each] as readonly Data[]) walk(node.nodes, item, file, trust, pieces);
    } else if ('when' in node) {
      if (data[node.when]) walk(node.nodes, data, file, trust, pieces);
    } else walk(PARTIALS[node.include] as readonly Node[], data, node.include, trust, pieces);
  });
}

const valueOrigins = new Map<Node, Piece['origin']>();
function valueOrigin(node: Extract<Node, { value: string }>): Piece['origin'] {
  const known = valueOrigins.get(node) ?? { kind: 'variable', ref: node.value };
  valueOrigins.set(node, known);
  return known;
}

/** Fresh data for one prompt; `size` scales the loops. */
export function freshData(seed: number, size: number): Data {
  const tag = `${seed}.${size}`;
  const words = (n: number) =>
    `step ${n} of "${tag}" checks that a < b && b > c, then reads src/part-${n}/index.ts & reports what it found, with the lines that show it and the ones that do not`;
  return {
    agent: `agent-${tag}`,
    mode: seed % 2 === 0 ? 'PLANNING' : 'IMPLEMENTATION',
    planning: seed % 2 === 0,
    objective: `Make the report of ${tag} load in <1 s & keep "all" its rows`,
    done: `the tests of part ${tag} pass and the page shows <= 3 warnings`,
    tools: Array.from({ length: size }, (_, t) => ({
      name: `tool_${t}_${seed}`,
      about: `Does one thing: ${words(t)}.`,
      params: Array.from({ length: 3 }, (_, p) => ({
        name: `param_${p}`,
        type: p % 2 ? 'string' : 'number',
        about: `what the ${p}th value means in ${tag} <${t}>, in which unit it counts, and what happens when it is left out`,
      })),
    })),
    handoffs: Array.from({ length: 2 * size }, (_, h) => ({
      from: `peer-${h}`,
      message: `The ${h}th finding of ${tag}: ${words(h)} and "quotes" it`,
      artifacts: Array.from({ length: 2 }, (_, a) => ({
        ref: `artifacts/${seed}/${h}-${a ? 'diff' : 'note'}.md`,
      })),
    })),
  };
}
