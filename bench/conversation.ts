import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BlockInput,
  composeRequest,
  createComposeMemo,
  createRedactor,
  type GatedRequest,
  type Piece,
  type Trust,
} from '@cuebook/prompt';

/**
 * A team at work, told in real Markdown: eight agents, forty turns each. System, tools and mode are shared by
 * all, five roles by eight agents; every turn adds what the agent said to its own history and says its task anew.
 * Prompts grow from 15 to about 118 KB, 67 KB on average: 21.5 MB in all, of which 0.89 MB are distinct.
 */
export interface Turn {
  readonly lane: string;
  readonly turn: string;
  readonly request: GatedRequest;
  /** What the model answered. */
  readonly answer: string;
}

export const AGENTS = 8;
export const TURNS = 40;

/** The turns in the order in which they happen: all agents take their first, then all their second. */
export function* conversation(hash: (text: string) => string, pool: () => string): Iterable<Turn> {
  const system = take(pool, 5900);
  const protocol = take(pool, 4300);
  const mode = take(pool, 400);
  const roles = Array.from({ length: 5 }, () => take(pool, 4700));
  // As the kinds of runs do: a turn composes what it adds.
  const memo = createComposeMemo();
  const histories = Array.from({ length: AGENTS }, (): BlockInput[] => []);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    for (let agent = 0; agent < AGENTS; agent += 1) {
      const history = histories[agent] as BlockInput[];
      const blocks: BlockInput[] = [
        { name: 'system', role: 'system', pieces: layered('system.md', system) },
        { name: 'protocol', role: 'system', pieces: layered('protocol.md', protocol) },
        { name: 'role', role: 'system', pieces: layered(`role-${agent % 5}.md`, roles[agent % 5] as string) },
        { name: 'mode', role: 'system', pieces: layered('mode.md', mode) },
        ...history,
        { name: 'task', role: 'user', pieces: [said(roster(agent, turn), 'task', turn, 'operator')] },
      ];
      const composed = composeRequest({
        blocks,
        hash,
        redactor,
        memo,
        tools: TOOLS,
        params: { temperature: 0.2 },
      });
      if (!composed.ok) throw new Error(JSON.stringify(composed.error[0]));
      const answer = take(pool, 2350);
      yield { lane: `agent-${agent}`, turn: `turn_${agent}_${turn}`, request: composed.value, answer };
      history.push({
        name: `answer-${turn}`,
        role: 'assistant',
        pieces: [said(answer, 'answer', turn, 'agent')],
      });
    }
  }
}

const redactor = createRedactor({ roots: [['@project', '/srv/desk/alpha']], private: [], names: [] });

const TOOLS = ['read_file', 'write_file', 'list_files', 'command', 'spawn_node', 'send_handoff'].map(
  (name) => ({
    name,
    description: `Does what ${name} says, in the folder of the run, and answers with what came out of it.`,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the folder.' },
        text: { type: 'string' },
      },
      required: ['path'],
    },
  }),
);

function roster(agent: number, turn: number): string {
  const rows = Array.from({ length: AGENTS }, (_, each) => {
    const status = (each * 7 + turn) % 3 === 0 ? 'running' : 'idle';
    return `- agent-${each}${each === agent ? ' (you)' : ''} ${status}`;
  });
  return `Task of agent-${agent}, turn ${turn}\nKnown agents:\n${rows.join('\n')}\n`;
}

/** Text as a template gives it: a piece for every paragraph, each with its line. */
function layered(ref: string, text: string): readonly Piece[] {
  let line = 1;
  return text.split(/(?<=\n\n)/).map((part): Piece => {
    const origin = { kind: 'file' as const, ref, line, column: 1 };
    line += part.split('\n').length - 1;
    return { text: part, origin, trust: 'author', secrecy: 'public', volatility: 'deploy' };
  });
}

const said = (text: string, ref: string, turn: number, trust: Trust): Piece => ({
  text,
  origin: { kind: 'result', ref: `${ref} ${turn}` },
  trust,
  secrecy: 'public',
  volatility: 'session',
});

/** About `size` characters of whole lines. */
function take(pool: () => string, size: number): string {
  let text = '';
  while (text.length < size) text += pool();
  return text;
}

/** Paragraphs of the Markdown that dependencies ship, none twice. Throws when there are no more. */
export function markdownPool(root: string): () => string {
  const paragraphs = markdownParagraphs(join(root, 'node_modules'));
  return () => {
    const { done, value } = paragraphs.next();
    if (done === true) throw new Error('There is not enough Markdown in node_modules; run `npm ci`');
    return value;
  };
}

function* markdownParagraphs(folder: string): Generator<string> {
  const seen = new Set<string>();
  for (const file of markdownFiles(folder)) {
    const parts = readFileSync(file, 'utf8').split(/(?<=\n\n)/);
    for (const part of parts) {
      const text = `${part.trim()}\n\n`;
      if (text.length < 20 || text.length > 1200 || seen.has(text) || !isPlain(text)) continue;
      seen.add(text);
      yield text;
    }
  }
}

/** Lines that mean something to a machine would be refused, rightly. */
function isPlain(text: string): boolean {
  const block: BlockInput = { name: 'a', role: 'user', pieces: [said(text, 'a', 1, 'tool')] };
  return composeRequest({ blocks: [block], hash: () => '', redactor }).ok;
}

function* markdownFiles(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (/\.md$/i.test(entry.name) && !/^(?:changelog|license)/i.test(entry.name)) yield path;
  }
}
