import { createHost, type Host, type RunReport } from '@cuebook/host';
import { afterEach, expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { must, until } from '../../host/test/stand.js';
import { createTeamHost } from '../src/host/host.js';
import { teamRuns } from '../src/kind/team-kind.js';
import { type HostStand, hostStand, scriptOf } from './host-stand.js';

const TEAM = `
goal: Work.
mode: INTERACTIVE
provider: rehearsal
nodes: [{ alias: lead, role: orchestrator }]
`;

let stand: HostStand;
let host: Host;
afterEach(async () => {
  await host.stop();
  await stand.remove();
});

async function open(): Promise<Host> {
  stand = await hostStand({ files: { 'team.yaml': TEAM } });
  const team = createTeamHost(stand.options);
  const context = { roots: [], private: [], names: [] };
  host = createHost({ ...stand.options, context, kinds: [teamRuns(team)] } as never);
  await host.start();
  return host;
}

const isWaiting = ({ status }: RunReport): boolean => status === 'waiting';

it('a team begins, waits for a word, goes on with it, and is finished, all through the host', async () => {
  await open();
  const script = scriptOf({ lead: [{ text: 'One.' }, { text: 'Two.' }] });
  const { run } = must(await host.begin({ id: 's', by: 'ann', target: 'team:team.yaml', script }));
  await until(host, run, isWaiting);
  const [wait] = await host.waiting();
  expect(wait).toMatchObject({ run, kind: 'team', for: 'input', name: 'lead', answers: ['TEXT', 'finish'] });
  must(await host.answer(wait as never, { texts: ['Go', 'on.'] }, { id: 'a', by: 'ann' }));
  await until(host, run, (each) => isWaiting(each) && each.turns === 2);
  const [again] = await host.waiting();
  must(await host.answer(again as never, { texts: ['finish'] }, { id: 'f', by: 'ann' }));
  expect(await until(host, run, ({ status }) => status === 'done')).toMatchObject({
    ...{ kind: 'team', text: 'A person finished it.', turns: 2, waits: [] },
  });
});

itInTurn('a budget of the call bounds the run, and an answer raises it', async () => {
  await open();
  const script = scriptOf({ lead: [{ text: 'One.' }, { text: 'Two.' }] });
  const budget = { turns: 1 };
  const { run } = must(await host.begin({ id: 's', by: 'ann', target: 'team:team.yaml', script, budget }));
  await until(host, run, isWaiting);
  must(await host.tell(run, { type: 'say', text: 'More.' }, { id: 'm', by: 'ann' }));
  await until(host, run, ({ waits }) => waits.some((each) => each.for === 'budget'));
  const [wait] = await host.waiting();
  expect(wait).toMatchObject({ for: 'budget', answers: ['TURNS'], evidence: { unit: 'turns', limit: 1 } });
  must(await host.answer(wait as never, { texts: ['9'] }, { id: 'b', by: 'ann' }));
  // The node has more now, and the run not yet.
  const [whole] = (await until(host, run, ({ waits }) => waits.some((each) => each.id === run))).waits;
  must(await host.answer(whole as never, { texts: ['9'] }, { id: 'c', by: 'ann' }));
  await until(host, run, (each) => isWaiting(each) && each.turns === 2);
});

it('what is asked of a team waits with the node that asks, and is denied through the host', async () => {
  await open();
  const script = scriptOf({ dev: [{ edits: [{ path: 'a.txt', content: 'x' }], denied: 'I see.' }] });
  const gated = 'alias: dev, role: implementer, permissions: { cliPermissionsMode: gated }';
  const team = TEAM.replace('alias: lead, role: orchestrator', gated);
  const { run } = must(
    await host.begin({ id: 's', by: 'ann', target: 'team:given', script, options: { team } }),
  );
  await until(host, run, ({ waits }) => waits.some((each) => each.for === 'approval'));
  const [wait] = await host.waiting({ run });
  expect(wait).toMatchObject({ for: 'approval', name: 'dev', answers: ['yes', 'no'] });
  expect(await host.answer(wait as never, { texts: ['perhaps'] }, { id: 'x', by: 'ann' })).toMatchObject({
    ok: false,
    error: { code: 'E_REPLY' },
  });
  must(await host.answer(wait as never, { decision: 'deny', message: 'No.' }, { id: 'd', by: 'ann' }));
  const report = await until(host, run, ({ waits }) => waits.some((each) => each.for !== 'approval'));
  expect(report.waits.map((each) => each.for)).toEqual(['input']);
});
