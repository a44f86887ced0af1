import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../../test/runs.js';
import { folderWith } from '../../../test/cuebook.js';
import { commitAll } from '../../../test/git.js';
import { missing, terminal } from '../../../test/terminal.js';

const call = (name: string, args: object): string => JSON.stringify({ tool_call: { name, args } });
const TEAM = `
mode: INTERACTIVE
goal: Make a file.
nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: implementer, permissions: { cliPermissionsMode: gated } }
  - { alias: scout, role: investigator }
edges: [{ from: lead, to: dev }, { from: lead, to: scout }]
`;
const LANES = {
  lead: [
    {
      text: `I hand it out.\n${call('send_handoff', { to: 'dev', message: 'Make made.txt.' })}\n${call('send_handoff', { to: 'scout', message: 'Look around.' })}`,
    },
    { text: `That is all.\n${call('finish_run', { ok: true, summary: 'Made.' })}` },
  ],
  dev: [
    { text: `I make it.\n${call('command', { cmd: 'echo original > made.txt' })}` },
    { text: 'It is made. \u001b[2JDoes it please you?' },
    { text: `Then I report.\n${call('send_handoff', { to: 'lead', message: 'It is there.' })}` },
  ],
  scout: [{ text: 'I look at every tree.', delayMs: 3_000_000 }],
};

describe.skipIf(missing !== '')(`a person at a terminal${missing}`, () => {
  it('starts a team, watches it, changes what waits, interrupts a node, speaks to one, and brings the work in', async () => {
    const cwd = folderWith({
      'cuebook.yaml': '',
      'team.yaml': TEAM,
      'script.json': JSON.stringify({ lanes: LANES }),
      '.gitignore': '.cuebook/\n',
    });
    commitAll(cwd, 'Start');
    const run = terminal(cwd, 'run team:team.yaml --script script.json');
    await run.sees(/#1 \? dev asks for command[\s\S]*\$ echo original > made\.txt/);
    run.types('change {"cmd":"echo changed > made.txt"}');
    await run.sees('Changed and allowed.');
    await run.sees(/dev +changed made\.txt/);
    await run.sees('Does it please you?');
    run.types('allow');
    await run.sees('Nothing waits for you.');
    run.types('status');
    await run.sees(/scout running turn \d+, speaking/);
    run.types('mode planning');
    await run.sees(/The run is PLANNING now/);
    run.types('mode implementation');
    await run.sees(/The run is IMPLEMENTATION now/);
    run.types('override lead Say little.');
    await run.sees(/lead +set: override/);
    run.types('limit turns=300');
    await run.sees(/The limit is .*300 turns.* now/);
    run.types('limit parallel=3 approvalMinutes=90');
    await run.sees(/Limits now: parallel 3, nodes \d+, depth \d+, inbox \d+, approvalMinutes 90/);
    run.types('interrupt scout');
    await run.sees(/scout +turn interrupted/);
    run.types('diff dev');
    await run.sees('+changed');
    run.types('message dev It does.');
    await run.sees(/dev +→ lead It is there\./);
    await run.sees(/✓ (run_\w+) completed: Made\./);
    expect(await run.ended).toBe(0);
    // What an agent writes cannot take the screen over.
    expect(run.seen()).toContain('\\u001b[2JDoes it please you?');

    const [, id = ''] = /✓ (run_\w+) completed/.exec(run.seen()) ?? [];
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
    const apply = terminal(cwd, `runs apply ${id}`);
    await apply.sees('✓ 1 file changed in your folder');
    expect(await apply.ended).toBe(0);
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('changed\n');
  });
});
