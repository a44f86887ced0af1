import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, scriptOf } from '../host-stand.js';

/** The files that acts which nobody can observe append to, a command and a server: once is right, twice is wrong. */
export const WORLD = 'world.log';
export const SERVED = 'served.log';

export const worldLines = (root: string, names: readonly string[] = [WORLD, SERVED]): readonly string[] =>
  names.flatMap((name) => {
    const file = join(root, name);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  });

/**
 * Five nodes, one of them spawned, three at work at the same time and two in turns in one folder; every kind of effect
 * is among what they do.
 */
export const TEAM = `
goal: Keep everything.
setup: "true"
verify: ["test -e a.txt"]
nodes:
  - { alias: lead, role: orchestrator, servers: [world] }
  - { alias: a, role: implementer }
  - { alias: b, role: implementer }
  - { alias: c, role: reviewer, workspace: { with: b }, capabilities: { writeCode: false } }
edges: [{ from: lead, to: a }, { from: lead, to: b }, { from: lead, to: c }]
`;

const handoff = (to: string): string => call('send_handoff', { to, message: `Begin, ${to}.` });

export const scriptFor = (root: string): string =>
  scriptOf({
    lead: [
      {
        text: [
          call('spawn_node', {
            label: 'D',
            alias: 'd',
            roleTemplate: 'implementer',
            instructions: 'Begin, d.',
            servers: ['world.append'],
          }),
          ...['a', 'b', 'c'].map(handoff),
        ].join('\n'),
      },
      { text: call('finish_run', { ok: true, summary: 'All is kept.' }) },
    ],
    a: [
      {
        delayMs: 30,
        edits: [{ path: 'src/a.ts', content: 'export const a = 1;\n' }],
        text: `${call('write_file', { path: 'src/b.ts', content: 'b' })}\n${call('read_file', { path: 'a.txt' })}`,
      },
      { delayMs: 30, text: call('list_files', { path: 'src' }) },
      { text: 'a is done' },
    ],
    b: [
      {
        delayMs: 30,
        text: call('command', { cmd: `echo once >> ${join(root, WORLD)}; echo new > made.txt` }),
      },
      { delayMs: 30, text: 'b is done', edits: [{ path: 'made.txt', content: 'changed\n' }] },
    ],
    c: [
      {
        delayMs: 30,
        edits: [{ path: 'docs/c.md', content: 'x\n' }],
        text: call('command', { cmd: 'mkdir -p src; echo x > src/not-mine.ts' }),
      },
      { text: 'c has heard' },
    ],
    d: [
      {
        delayMs: 30,
        text: `${call('delete_file', { path: 'old.txt' })}\n${call('mcp.world.append', { text: 'served' })}`,
      },
      { text: 'd is done' },
    ],
  });
