import { createRedactor } from '@cuebook/prompt';
import { countLostLease, countRun, countRunEnd } from '@cuebook/provider';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { WorkLook } from '../work/look-at-work.js';
import { boundLabels, MAX_VALUES, OTHER } from './bound-labels.js';
import { openMetrics } from './open-metrics.js';

const PRIVATE = 'sk-live-4f9a8b7c6d5e4f3a2b1c';
const redactor = createRedactor({
  roots: [['@project', '/srv/acme']],
  private: [PRIVATE],
  names: ['acme.example'],
});

const problems: unknown[] = [];

const NOTHING: WorkLook = { running: [], queued: [], waits: [], oldestApprovalMs: 0 };

function open(look: WorkLook, isReady = true) {
  const metrics = openMetrics({
    redactor,
    look: async () => look,
    slots: () => ({ slots: 4, used: 1 }),
    isReady: async () => isReady,
    onProblem: (error) => problems.push(error),
  });
  onTestFinished(() => metrics.close());
  return { text: async () => (await metrics.text()) ?? 'There are none.' };
}

/** A line of the format: a comment, or a name with labels and a number. */
const LINE =
  /^(?:# (?:HELP|TYPE|UNIT) .+|([a-z_]+)(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)+\})? (?:[\d.e+-]+|\+Inf|NaN))$/;

const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.split('\n').flatMap((line) => LINE.exec(line)?.[1] ?? []));

it('names numbers as Prometheus wants them, with units, and every process tells the same of the project', async () => {
  const metrics = open({
    running: [{ kind: 'team', count: 2 }],
    queued: [
      { kind: 'team', count: 2, oldestMs: 1_500 },
      { kind: 'team', label: '+gpu', count: 3, oldestMs: 500 },
    ],
    waits: [{ for: 'approval', count: 7 }],
    oldestApprovalMs: 90_000,
  });
  countRun('team/run_1');
  countRunEnd('team/run_1', 'completed');
  countLostLease();
  const text = await metrics.text();
  for (const line of text.split('\n').filter(Boolean)) expect(line).toMatch(LINE);
  for (const line of [
    'cuebook_runs_started_total{kind="team"} 1',
    'cuebook_runs_ended_total{kind="team",status="completed"} 1',
    'cuebook_lease_losses_total 1',
    'cuebook_runs_running{kind="team"} 2',
    'cuebook_queue_depth{kind="team"} 5',
    'cuebook_queue_oldest_seconds{kind="team"} 1.5',
    'cuebook_waits{for="approval"} 7',
    'cuebook_approvals_oldest_seconds 90',
    'cuebook_slots 4',
    'cuebook_slots_used 1',
    'cuebook_ready 1',
  ])
    expect(text.split('\n')).toContain(line);
});

it('has every number once, whether it was told before the libraries are loaded, meanwhile or after', async () => {
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('count', 'read', 'pause'), { maxLength: 12 }),
      async (steps) => {
        opened += 1;
        const kind = `kind${opened}`;
        const metrics = open(NOTHING);
        const reads: Promise<string>[] = [];
        for (const step of steps) {
          if (step === 'count') countRun(`${kind}/run_1`);
          if (step === 'read') reads.push(metrics.text());
          if (step === 'pause') await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(reads);
        const told = steps.filter((step) => step === 'count').length;
        const line = new RegExp(`^cuebook_runs_started_total\\{kind="${kind}"\\} (\\d+)$`, 'm');
        expect(Number(line.exec(await metrics.text())?.[1] ?? 0)).toBe(told);
      },
    ),
    runs(20, 300),
  );
  expect(problems).toEqual([]);
});

it('says that it is not ready, and nothing of records that are away', async () => {
  const text = await open({ ...NOTHING, oldestApprovalMs: 5 }, false).text();
  expect(text).toContain('cuebook_ready 0\n');
  expect(namesIn(text)).not.toContain('cuebook_approvals_oldest_seconds');
});

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    PRIVATE,
    `x${PRIVATE}`,
    '/srv/acme/x',
    'acme.example',
    '__proto__',
    'constructor',
    'a"b\\c\nd',
  ),
  fc.stringMatching(/^[a-z]{1,5}$/),
);

it('labels are few, known and plain, and hold nothing that is private', () => {
  const names = fc.oneof(
    fc.constantFrom('gen_ai.request.model', 'error.type', 'cuebook.run.kind', '__proto__', 'toString'),
    strange,
  );
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(names, fc.oneof(strange, fc.integer())), { maxLength: 150 }),
      (all) => {
        const bound = boundLabels(redactor);
        const seen = new Map<string, Set<string>>();
        for (const labels of all)
          for (const [label, value] of Object.entries(bound(labels))) {
            expect(label).toMatch(/^[a-z]+$/);
            expect(value).toMatch(/^[A-Za-z0-9][\w.:/@+-]{0,79}$/);
            expect(redactor.find(value)).toEqual([]);
            seen.set(label, (seen.get(label) ?? new Set()).add(value));
          }
        for (const values of seen.values()) expect(values.size).toBeLessThanOrEqual(MAX_VALUES + 1);
      },
    ),
    runs(100, 1_000),
  );
  const bound = boundLabels(redactor);
  const values = Array.from(
    { length: 200 },
    (_, index) => bound({ 'gen_ai.request.model': `m${index}` }).model,
  );
  expect(new Set(values).size).toBe(MAX_VALUES + 1);
  expect(values.at(-1)).toBe(OTHER);
  // One that was seen stays itself.
  expect(bound({ 'gen_ai.request.model': 'm0' }).model).toBe('m0');
});
