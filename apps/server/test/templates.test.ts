import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { HARMLESS, lookAt } from './played-nodes.js';
import { must, type ServerStand, says, serverStand, start, team } from './server-stand.js';

const TEMPLATE = (words: string) =>
  `[template]\nname = "planner"\nversion = "7"\ncapabilities = []\nconstraints = []\n\n${words}\n`;
const FILE = 'docs/templates/planner.md';

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand({});
});
afterAll(() => stand.remove());

itInTurn(
  '11, 12: the template of the repository is used, an edit from the next turn on, and the shipped one without it',
  async () => {
    stand.write(FILE, TEMPLATE('You plan gardens.'));
    stand.script({ ann: [says('One.'), says('Two.'), says('Three.')] });
    const run = await start(stand, team([{ alias: 'ann', role: 'planner', capabilities: HARMLESS }]));
    await lookAt(stand, run);
    stand.write(FILE, TEMPLATE('You plan castles.'));
    await stand.client.messageNode({ run, node: 'ann', text: 'Go on.' });
    await lookAt(stand, run);
    rmSync(join(stand.project, FILE));
    await stand.client.messageNode({ run, node: 'ann', text: 'Go on.' });
    const played = await lookAt(stand, run);
    const [first, second, third] = await Promise.all([0, 1, 2].map((turn) => played.prompt('ann', turn)));
    expect(first).toContain('You plan gardens.');
    expect(second).toContain('You plan castles.');
    expect(second).not.toContain('gardens');
    expect(played.turns('ann')[1]).toMatchObject({ prompt: 'full', why: 'template' });
    const shipped = must(await stand.client.getRole({ role: 'planner' }));
    expect(shipped.source).toBe('shipped');
    expect(third).toContain(shipped.text.trim());
  },
);

it('13: all five are there, each with its preamble', async () => {
  const { roles } = must(await stand.client.listRoles());
  const names = ['implementer', 'investigator', 'orchestrator', 'planner', 'reviewer'];
  expect(roles.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  for (const name of names) {
    const role = must(await stand.client.getRole({ role: name }));
    expect(role).toMatchObject({ name, version: expect.stringMatching(/\d/), diagnostics: [] });
    expect(role.text).toMatch(/^\[template\]\nname = "/);
    expect(Array.isArray(role.capabilities) && role.constraints.length > 0).toBe(true);
  }
  expect(must(await stand.client.getRole({ role: 'orchestrator' })).capabilities).toContain(
    'edge_management_all',
  );
});

it('15: an unknown template is an error before anything is sent', async () => {
  const before = stand.heard().length;
  const text = team([{ alias: 'ann', role: 'gardener' }]);
  const started = await stand.client.startRun({ team: { text } });
  expect(started).toMatchObject({
    ok: false,
    error: {
      status: 400,
      code: 'E_ROLE_UNKNOWN',
      field: 'team',
      message: expect.stringContaining('gardener'),
    },
  });
  const run = await start(stand, team([{ alias: 'ann', capabilities: HARMLESS }]));
  expect(await stand.client.addNode({ run, label: 'x', role: 'gardener', provider: 'cli' })).toMatchObject({
    ok: false,
    error: { code: 'E_ROLE_UNKNOWN' },
  });
  await lookAt(stand, run);
  expect(
    stand
      .heard()
      .slice(before)
      .map(({ prompt }) => prompt)
      .join(),
  ).not.toContain('gardener');
});

it.each(['../../../secret', 'a/b', '..'])(
  'a template called %j leaves the folder of templates for nothing',
  async (role) => {
    const text = team([{ alias: 'ann', role }]);
    expect(await stand.client.startRun({ team: { text } })).toMatchObject({
      ok: false,
      error: { status: 400, field: 'team' },
    });
  },
);
