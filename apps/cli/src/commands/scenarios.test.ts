import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIOS } from '@cuebook/bundle';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const CARD = 'agent_id: ada\nname: Ada\npersonality: { extrovert: 1, curious: 1, creative: 1, stable: 1 }\n';
const EVENT = {
  ...{ theme: 'Maps', description: 'Draw the way home.', suggested_roles: ['guide'] },
  ...{ duration_days: 7, reward: 'A compass rose' },
};
const GROUPS = [{ group_id: 'birders', score: 50, reasons: ['Both like birds.'] }];
const GOOD: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(SAMPLE_SCRIPT.lanes).map(([name, [step]]) => [name, step?.text])),
  weekly_event: JSON.stringify(EVENT),
  interest_groups: JSON.stringify(GROUPS),
};

const here = (...answers: readonly string[]) => ({
  cwd: folderWith({
    'cuebook.yaml': '',
    'cards/ada.yaml': CARD,
    'script.json': JSON.stringify({ lanes: { '*': answers.map((text) => ({ text })) } }),
  }),
});
const run = (id: string, at: ReturnType<typeof here>, ...more: readonly string[]) =>
  cuebook(['run', `scenario:${id}`, '--script', 'script.json', ...more], at);

describe.each([...SCENARIOS.keys()])('run scenario:%s', (id) => {
  const good = GOOD[id] ?? '';

  it('takes an answer that keeps its contract, corrects one that does not, and refuses the second', async () => {
    const corrected = await run(id, here('', good), '--json');
    expect(JSON.parse(corrected.stdout)).toMatchObject({ status: 'done', text: good, turns: 2 });
    const refused = await run(id, here('', '', good), '--json');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ...{ status: 'failed', text: '', turns: 2 },
      error: { code: 'E_OUTPUT' },
    });
  });
});

describe('an answer that is refused', () => {
  const bad = 'No question, and far too many sentences. One. Two. Three.';

  it('is printed nowhere, and the one that is taken is printed alone', async () => {
    const refused = await run('greeting', here(bad, bad));
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('E_OUTPUT');
    expect(refused.stderr).not.toContain('far too many');
    const good = GOOD.greeting ?? '';
    expect((await run('greeting', here(bad, good))).stdout).toBe(good);
  });

  it('costs no turn where there is none: a right answer is taken at once', async () => {
    const taken = await run('greeting', here(GOOD.greeting ?? ''), '--json');
    expect(JSON.parse(taken.stdout)).toMatchObject({ status: 'done', text: GOOD.greeting, turns: 1 });
  });

  it('is told what was wrong with it in the second prompt, in words that repeat nothing of it', async () => {
    const at = here(bad, GOOD.greeting ?? '');
    expect((await run('greeting', at, '--trace', 'trace.jsonl')).code).toBe(0);
    const requests = readFileSync(join(at.cwd, 'trace.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => (JSON.parse(line) as { type: string }).type === 'request');
    expect(requests).toHaveLength(2);
    expect(requests[0]).not.toContain('Your answer was not taken');
    expect(requests[1]).toContain('Your answer was not taken');
    expect(requests[1]).not.toContain('far too many');
    expect((await cuebook(['verify', '--all'], at)).code).toBe(0);
  });
});
