import type { Wait } from '@cuebook/host';
import { expect, it } from 'vitest';
import { waitView } from './wait-view.js';

const wait = (more: Partial<Wait>): Wait => ({
  ...{ id: 'run_1', run: 'run_1', kind: 'thread', target: "agent:it's mine", lane: null, name: null },
  ...{ for: 'input', tool: '', input: null, reason: null, since: 7, expiresAt: null },
  ...{ answers: ['TEXT'], example: 'TEXT' },
  ...more,
});
const GO = "cuebook run 'agent:it'\\''s mine' --run run_1";
const FLOW = { kind: 'workflow', target: 'workflow:w' } as const;

it.each<readonly [Partial<Wait>, string]>([
  [{}, `${GO} --input TEXT`],
  [{ for: 'outcome', id: 'eff_1' }, `${GO} --settle not-done`],
  [{ for: 'budget', evidence: { unit: 'turns', limit: 3 } }, `${GO} --turns NUMBER`],
  [{ for: 'failed' }, 'cuebook approvals answer run_1 TEXT'],
  [{ for: 'left', answers: [], example: '' }, GO],
  [{ for: 'approval', id: 'apr_1' }, 'cuebook approvals allow apr_1'],
  [{ ...FLOW, for: 'loop' }, 'cuebook approvals answer run_1 TEXT'],
  [{ ...FLOW, for: 'budget' }, 'cuebook run workflow:w --run run_1 --turns NUMBER'],
  [
    { ...FLOW, target: 'hb#x', for: 'left', answers: [], example: '' },
    'cuebook run workflow:DIR --run run_1',
  ],
  [{ kind: 'team', target: null, for: 'budget', example: '10' }, 'cuebook approvals answer run_1 10'],
  [{ kind: 'team', target: null, for: 'folder', answers: [] }, 'cuebook attach run_1'],
])('%#: what waits is shown with a command that answers it', (more, command) => {
  expect(waitView(wait(more))).toMatchObject({ askedAt: 7, status: 'waiting', command });
});

it('a node is named for a team alone, and a question is answered in the forms of its row', () => {
  const who = { lane: 'n1', name: 'dev' };
  expect(waitView(wait(who))).toMatchObject({ node: null, alias: null, about: 'run_1' });
  expect(waitView(wait({ ...who, kind: 'team' }))).toMatchObject({ node: 'n1', alias: 'dev', about: 'n1' });
  const question = { answers: ['a b'], example: "'a b'" };
  expect(
    waitView(wait({ for: 'question', id: 'apr_1', answers: [] }), { about: 'call_1', question }),
  ).toMatchObject({ about: 'call_1', answers: ['a b'], command: "cuebook approvals answer apr_1 'a b'" });
});
