import type { ReportView } from '@cuebook/api';
import { afterEach, describe, expect } from 'vitest';
import { desk } from '../../../packages/thread/test/project.js';
import { packageTexts } from '../../../packages/workflow/test/fixture.js';
import { itInTurn as it } from '../../../test/runs.js';
import { must, type ServerStand, serverStand } from './server-stand.js';

/** A project with one target of every kind. */
export const PROJECT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(desk()).map(([path, text]) => [`agents/${path}`, text])),
  ...Object.fromEntries(Object.entries(packageTexts()).map(([path, text]) => [`workflows/hb/${path}`, text])),
  'team.yaml':
    'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
};

const TARGETS = ['agent:desk', 'prompt:clerk', 'workflow:workflows/hb', 'team:team.yaml'] as const;
const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });

let stand: ServerStand;
afterEach(() => stand.remove());

async function until(run: string, isWanted: (report: ReportView) => boolean): Promise<ReportView> {
  const end = new AbortController();
  const first = must(await stand.client.getReport({ run }));
  if (isWanted(first)) return first;
  for await (const heard of stand.client.follow({ run, after: first.seq, signal: end.signal })) {
    if (heard.type !== 'event' && heard.type !== 'ready') continue;
    const report = must(await stand.client.getReport({ run }));
    if (!isWanted(report)) continue;
    end.abort();
    return report;
  }
  throw new Error('The stream ended.');
}
const isStill = ({ status }: ReportView): boolean => status !== 'running' && status !== 'new';

describe('a server', () => {
  it('runs every kind: starts, reports, lists, follows, says', async () => {
    stand = await serverStand({ files: PROJECT });
    const started: string[] = [];
    for (const target of TARGETS) {
      const steps = script({ text: `Hello from ${target}.` }, { text: 'Two.' });
      const { run } = must(
        await stand.client.startRun({ id: target, target, input: 'Begin.', script: steps }),
      );
      started.push(run);
      const report = await until(run, isStill);
      expect(JSON.stringify(report.kind === 'team' ? report.turns : report)).toContain(
        report.kind === 'team' ? '1' : `Hello from ${target}.`,
      );
    }
    const { runs } = must(await stand.client.listRuns({}));
    expect(runs.map(({ run }) => run).sort()).toEqual([...started].sort());
    expect(new Set(runs.map(({ kind }) => kind))).toEqual(new Set(['thread', 'workflow', 'team']));
    // A script answered in all of them, and the list says so.
    expect(runs.map(({ rehearsal }) => rehearsal)).toEqual(runs.map(() => true));
    const teams = must(await stand.client.listRuns({ kind: 'team' }));
    expect(teams.runs.map(({ run }) => run)).toEqual([started[3]]);
    const { waiting } = must(await stand.client.listWaiting({}));
    expect(waiting.map(({ run, kind, for: why }) => [run, kind, why]).sort()).toEqual(
      [
        [started[2], 'workflow', 'input'],
        [started[3], 'team', 'input'],
      ].sort(),
    );
    for (const wait of waiting)
      must(await stand.client.answerWait({ run: wait.run, wait: wait.id, reply: { texts: ['More.'] } }));
    must(await stand.client.say({ run: started[0] ?? '', text: 'More.' }));
    for (const run of [started[0], started[2], started[3]]) {
      const report = await until(run ?? '', (each) => isStill(each) && each.turns === 2);
      expect(report.turns).toBe(2);
    }
  });

  it('goes on with runs of every kind after a restart', async () => {
    stand = await serverStand({ files: PROJECT });
    const slow = script({ text: 'One.', delayMs: 600_000 });
    const runs: string[] = [];
    for (const target of TARGETS) {
      const { run } = must(await stand.client.startRun({ id: target, target, input: 'Go.', script: slow }));
      runs.push(run);
      const end = new AbortController();
      for await (const heard of stand.client.follow({ run, signal: end.signal }))
        if (heard.type === 'event' && heard.event.type === 'turn.recorded') end.abort();
    }
    stand = await stand.restart();
    for (const run of runs) {
      expect(must(await stand.client.getReport({ run })).status).toBe('running');
      must(await stand.client.stopRun({ run }));
      expect(isStill(await until(run, isStill))).toBe(true);
    }
  });

  it('two followers of one thread agree with the record', async () => {
    stand = await serverStand({ files: PROJECT });
    const steps = script({ text: 'A few words.' });
    const { run } = must(
      await stand.client.startRun({ target: 'agent:desk', input: 'Begin.', script: steps }),
    );
    const { seq } = await until(run, isStill);
    const follow = async (): Promise<readonly string[]> => {
      const seen: string[] = [];
      const end = new AbortController();
      for await (const heard of stand.client.follow({ run, signal: end.signal })) {
        if (heard.type === 'event') seen.push(heard.event.hash);
        if (seen.length >= seq) end.abort();
      }
      return seen;
    };
    const [one, two] = await Promise.all([follow(), follow()]);
    expect(one).toHaveLength(seq);
    expect(two).toEqual(one);
    const { events } = must(await stand.client.listEvents({ run, limit: 1_000 }));
    expect(events.map(({ hash }) => hash)).toEqual(one);
  });

  it('refuses what is no target, and a call that says two things', async () => {
    stand = await serverStand({ files: PROJECT });
    const refused = async (body: object) => {
      const answer = await stand.client.startRun(body as never);
      return answer.ok ? undefined : [answer.error.status, answer.error.code, answer.error.field];
    };
    expect(await refused({ target: 'nothing:x' })).toEqual([400, 'E_RUN_TARGET', 'target']);
    expect(await refused({ target: 'agent:nobody', input: 'x' })).toEqual([400, 'E_TARGET', 'target']);
    expect(await refused({ target: 'agent:desk', goal: 'x' })).toEqual([400, 'E_REQUEST', 'goal']);
    expect(await refused({})).toEqual([400, 'E_REQUEST', 'team']);
    expect(await refused({ target: 'workflow:../x' })).toEqual([400, 'E_SANDBOX_VIOLATION', 'target']);
    expect(await refused({ target: 'agent:desk', input: 'x', options: { nothing: 1 } })).toEqual([
      400,
      'E_INPUT',
      'target',
    ]);
    expect(must(await stand.client.listRuns({})).runs).toEqual([]);
  });
});
