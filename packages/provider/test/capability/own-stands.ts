import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACP_CAPABILITIES, createAcpProvider } from '../../src/acp/provider.js';
import { createLineProvider, LINE_CAPABILITIES, RAW_CAPABILITIES } from '../../src/line/provider.js';
import { createRehearsalProvider, REHEARSAL_CAPABILITIES } from '../../src/rehearsal/provider.js';
import type { ScriptStep } from '../../src/rehearsal/script.js';
import type { Provider } from '../../src/turn.js';
import type { AgentDesk } from '../agent-desk.js';
import { redactor } from '../play.js';
import type { Act, Stand } from './stand.js';

const fixture = (path: string): string => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));

/** A program of ours that does what its words say, instead of a model's script. */
function programStand(
  desk: () => AgentDesk,
  stand: Pick<Stand, 'name' | 'row'> & { readonly provider: (store: string) => Provider },
): Stand {
  const { name, row, provider } = stand;
  return {
    name,
    row,
    words: wordsOf,
    begin() {
      const cwd = join(desk().cwd, `${name}-${randomUUID()}`);
      mkdirSync(cwd);
      const voice = provider(cwd);
      return {
        enter: (options) => voice.open({ redactor, cwd, ...options }),
        // The second turn of the probe asks for all that was heard.
        knew: ({ text }) => text.includes('heron'),
        isMade: (file) => existsSync(join(cwd, file)),
      };
    },
  };
}

function wordsOf(act: Act, more = ''): string {
  if (act.kind === 'say') return more === 'which bird' ? 'recall' : `say ${act.text} ${more}`;
  if (act.kind === 'hang') return `hang ${act.text}`;
  return act.kind === 'tool' ? 'tool spawn_node {"label":"a"}' : `edit ${act.file}`;
}

export const acpStand = (desk: () => AgentDesk): Stand =>
  programStand(desk, {
    name: 'acp',
    row: ACP_CAPABILITIES,
    provider: (store) =>
      createAcpProvider({
        name: 'acp',
        command: process.execPath,
        args: [fixture('acp/agent.mjs')],
        env: { AGENT_STORE: store },
      }),
  });

export const lineStand = (desk: () => AgentDesk): Stand =>
  programStand(desk, {
    name: 'line',
    row: LINE_CAPABILITIES,
    provider: () =>
      createLineProvider({
        name: 'line',
        command: process.execPath,
        args: [fixture('line/program.mjs')],
        env: { PROGRAM_REMEMBERS: '1' },
      }),
  });

/** Says its words back; told to hang it never ends, told to edit it writes. */
const RAW = `
const words = require('node:fs').readFileSync(0, 'utf8');
const [verb, ...rest] = words.split(' ');
if (verb === 'edit') require('node:fs').writeFileSync(rest[0], 'made');
console.log(words);
if (verb === 'hang') setInterval(() => {}, 1e6);
`;

export const rawStand = (desk: () => AgentDesk): Stand =>
  programStand(desk, {
    name: 'raw',
    row: RAW_CAPABILITIES,
    provider: () =>
      createLineProvider({ name: 'raw', protocol: 'raw', command: process.execPath, args: ['-e', RAW] }),
  });

/** Each session has a provider of its own, as each process has: only the session's id leads on. */
export const rehearsalStand = (desk: () => AgentDesk): Stand => ({
  name: 'rehearsal',
  row: REHEARSAL_CAPABILITIES,
  words: (_act, more = 'go on') => more,
  begin(acts) {
    const cwd = join(desk().cwd, `rehearsal-${randomUUID()}`);
    mkdirSync(cwd);
    const script = { lanes: { '*': acts.map(stepOf) } };
    return {
      enter: (options) => createRehearsalProvider({ script }).open({ redactor, cwd, ...options }),
      knew: ({ text }) => text === 'Next.',
      isMade: (file) => existsSync(join(cwd, file)),
    };
  },
});

function stepOf(act: Act): ScriptStep {
  if (act.kind === 'write') return { edits: [{ path: act.file, content: 'made' }] };
  if (act.kind === 'tool') return { toolCalls: [{ name: 'spawn_node', args: { label: 'a' } }] };
  return { text: act.text };
}
