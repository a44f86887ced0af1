import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { WORKFLOW } from '../../test/both-ways.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { missing, terminal } from '../../test/terminal.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

/** A program that is asked, and neither answers nor minds that nobody listens any more. */
const DEAF = `import { writeFileSync } from 'node:fs';
const asked = new URL('asked', import.meta.url);
process.stdin.on('error', () => undefined).on('data', () => writeFileSync(asked, String(process.pid)));
setInterval(() => undefined, 1_000);
`;
const SHEET =
  'title: Greet\nblocks:\n  - { name: rules, role: user, parts: [{ text: Greet whoever comes. }] }\n';

/** How each kind of run is called, and how one stands whose terminal was closed. */
const CALLS = {
  workflow: [`run ${WORKFLOW} --provider deaf --input Hi`, 'stopped'],
  'one turn': ['run sheet:greet --provider deaf', 'stopped'],
  team: ['run team:team.yaml', 'interrupted'],
} as const;

describe.skipIf(missing !== '')(`a terminal that is closed${missing}`, () => {
  it.each(Object.entries(CALLS))('ends a run and the program that it asks: %s', async (_, [call, status]) => {
    const deaf = join(folderWith({ 'deaf.mjs': DEAF }), 'deaf.mjs');
    const cwd = folderWith({
      ...WORKFLOW_TEMPLATE,
      'cuebook.yaml': `${WORKFLOW_TEMPLATE['cuebook.yaml']}\nproviders: { deaf: { kind: line, command: ${process.execPath}, args: [${deaf}] } }\n`,
      'sheets/greet.yaml': SHEET,
      'team.yaml': 'goal: Answer.\nprovider: deaf\nnodes: [{ alias: lead, role: orchestrator }]\n',
    });
    const run = terminal(cwd, call);
    const asked = join(deaf, '../asked');
    const asks = async (): Promise<number> => {
      for (;;) {
        const pid = existsSync(asked) ? Number(readFileSync(asked, 'utf8')) : 0;
        if (pid > 0) return pid;
        await wait(50);
      }
    };
    const pid = await asks();
    const own = run.pid();
    run.closes();
    while (isThere(own) || isThere(pid)) await wait(50);
    const { runs } = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout);
    expect(runs).toMatchObject([{ status }]);
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
