import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { describe, expect, it } from 'vitest';
import { desk } from '../../../../packages/thread/test/project.js';
import { packageTexts } from '../../../../packages/workflow/test/fixture.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { COMMAND_GROUPS } from '../commands.js';
import { TEMPLATE } from '../init/template.js';

const asked = async (cwd: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await cuebook(['quota', ...args, '--json'], { cwd });
  return { code, said: JSON.parse(stdout || stderr) as Record<string, unknown> };
};

describe('cuebook quota', () => {
  it('sets, lists and removes limits; a run in its own process counts, and is refused beyond them', async () => {
    const cwd = folderWith({ ...TEMPLATE, 'one.json': '{"lanes":{"*":[{"text":"Fine."}]}}' });
    expect((await cuebook(['quota'], { cwd })).stdout).toContain('No limits');
    expect((await asked(cwd, 'set', 'project', '--runs-day', '1', '--tokens-day', '50000')).said).toEqual({
      subject: 'project',
      limits: { runsPerDay: 1, tokensPerDay: 50000 },
    });
    const run = () => cuebook(['run', 'sheet:review', '--script', 'one.json', '--json'], { cwd });
    const first = await run();
    expect(first.code, first.stderr).toBe(0);
    const { tokens } = (JSON.parse(first.stdout) as { usage: { tokens: number } }).usage;
    const { said } = await asked(cwd);
    expect(said.uses).toMatchObject([
      { subject: 'project', limit: 'tokensPerDay', spent: tokens, reserved: 0, left: 50000 - tokens },
      { subject: 'project', limit: 'runsPerDay', spent: 1, left: 0 },
    ]);
    const second = await run();
    expect(second.code).toBe(1);
    expect(second.stdout + second.stderr).toContain('E_QUOTA_REACHED');
    expect((await cuebook(['quota'], { cwd })).stdout).toMatch(
      /project {2}1 run a day: 1 used, 0 reserved, 0 left/,
    );
    expect((await asked(cwd, 'set', 'project', '--runs-day', 'none')).said).toMatchObject({
      limits: { tokensPerDay: 50000 },
    });
    expect((await run()).code).toBe(0);
    expect((await asked(cwd, 'remove', 'project')).code).toBe(0);
    expect((await asked(cwd)).said).toMatchObject({ quotas: [] });
  });

  const OWN = [
    ['agent:desk', '--run', 'at rest'],
    // It waits for words, so that its reservation is still its own.
    ['workflow:workflows/hb', '--run', 'under way'],
  ] as const;
  itInTurn.each(OWN)(
    'cuebook run %s in its own process counts, keeps to what the limits have left, and neither begins nor goes on beyond them',
    async (target, earlier, between) => {
      const cwd = folderWith({
        ...Object.fromEntries(Object.entries(desk()).map(([path, text]) => [`agents/${path}`, text])),
        ...Object.fromEntries(
          Object.entries(packageTexts()).map(([path, text]) => [`workflows/hb/${path}`, text]),
        ),
        'two.json': '{"lanes":{"*":[{"text":"One."},{"text":"Two."},{"text":"Three."}]}}',
      });
      const run = (...more: readonly string[]) =>
        cuebook(['run', target, '--script', 'two.json', '--json', '--input', 'Go.', ...more], { cwd });
      await asked(cwd, 'set', 'project', '--runs-day', '1', '--tokens-day', '40000');
      const first = await run();
      const { run: id } = JSON.parse(first.stdout) as { readonly run: string };
      const uses = async () => {
        const { said } = await asked(cwd);
        return Object.fromEntries(
          (said.uses as readonly { limit: string; spent: number; reserved: number }[]).map((use) => [
            use.limit,
            use,
          ]),
        );
      };
      const after = await uses();
      expect(after.runsPerDay).toMatchObject({ spent: 1 });
      const once = (after.tokensPerDay?.spent ?? 0) + (after.tokensPerDay?.reserved ?? 0);
      expect(once).toBeGreaterThan(0);
      expect(once).toBeLessThanOrEqual(40_000);
      // No run begins beyond the limit, and nothing is left of the attempt.
      const second = await run();
      expect(second.code).toBe(1);
      expect(second.stdout + second.stderr).toContain('E_QUOTA_REACHED');
      const { runs } = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout) as {
        readonly runs: readonly unknown[];
      };
      expect(runs).toHaveLength(1);
      // One that is there goes on while tokens are left, and counts.
      const again = await run(earlier, id);
      expect(again.stdout + again.stderr).not.toContain('E_QUOTA_REACHED');
      await asked(cwd, 'set', 'project', '--tokens-day', '1');
      const last = await run(earlier, id);
      const isRefused = (last.stdout + last.stderr).includes('E_QUOTA_REACHED');
      expect(isRefused).toBe(between === 'at rest');
      expect((await uses()).runsPerDay).toMatchObject({ spent: 1 });
      expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
    },
  );

  /** Every command that asks models in a process of its own, and counts. */
  const ASKING = [
    ['eval'],
    ['compare', '--change', 'drop:texts/manners.md:2'],
    ['ablate', '--units', 'part'],
    ['judge', 'kind'],
    ['tune', 'tune/mail.yaml'],
    ['eval', '--injection', 'built-in', '--filter', 'invoice+encoded/base64'],
    ['run', 'sheet:mail'],
  ] as const;
  itInTurn.each(ASKING.map((args) => [args.join(' '), args] as const))(
    'cuebook %s: asks nobody when a limit is used up, and leaves no run',
    async (_, args) => {
      const cwd = folderWith({});
      cpSync(join(ROOT, 'examples/evals'), cwd, { recursive: true });
      const script = args.includes('--injection' as never) ? 'agent.yaml' : 'odds.yaml';
      expect((await asked(cwd, 'set', 'project', '--tokens-day', '0')).code).toBe(0);
      const refused = await cuebook([...args, '--script', script], { cwd });
      expect(refused.code, refused.stdout).not.toBe(0);
      expect(refused.stdout + refused.stderr).toContain('E_QUOTA_REACHED');
      expect(JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout)).toMatchObject({ runs: [] });
    },
  );

  const LIVING = [
    ['agent', 'live', '--once'],
    ['agent', 'do', 'daily_goals'],
  ] as const;
  itInTurn.each(LIVING.map((args) => [args.join(' '), args] as const))(
    'cuebook %s: a life neither begins nor goes on beyond the limits, counts what it spends, and keeps to what is left',
    async (_, args) => {
      const cwd = folderWith({ 'agent.yaml': 'agent: ada\nstore: .cuebook/platform/objects\nlog: town\n' });
      for (const line of TOWN) expect(await cuebook(line.split(' '), { cwd })).toMatchObject({ code: 0 });
      copyFileSync(join(cwd, '.cuebook/platform/objects/trust/shared/1.root.json'), join(cwd, 'root.json'));
      writeFileSync(join(cwd, 'says.json'), JSON.stringify(SAMPLE_SCRIPT));
      const live = () => cuebook([...args, '--script', 'says.json', '--json'], { cwd });
      const turns = async () => {
        const { stdout } = await cuebook(['runs', '--json'], { cwd });
        const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly turns: number }[] };
        return runs.map((run) => run.turns);
      };
      expect((await asked(cwd, 'set', 'project', '--tokens-day', '0')).code).toBe(0);
      const refused = await live();
      expect([refused.code, refused.stdout + refused.stderr]).toEqual([
        1,
        expect.stringContaining('E_QUOTA_REACHED'),
      ]);
      expect(await turns()).toEqual([]);
      await asked(cwd, 'set', 'project', '--tokens-day', '60000');
      const lived = await live();
      expect(lived.stdout + lived.stderr).not.toContain('E_QUOTA');
      const [spoken = 0] = await turns();
      expect(spoken).toBeGreaterThan(0);
      // It is stopped: what it spent counts, and nothing is set aside for it.
      const [use] = (await asked(cwd)).said.uses as readonly { spent: number; reserved: number }[];
      expect(use).toMatchObject({ reserved: 0 });
      expect(use?.spent).toBeGreaterThan(0);
      expect(use?.spent).toBeLessThan(60_000);
      await asked(cwd, 'set', 'project', '--tokens-day', '1');
      const over = await live();
      expect(over.stdout + over.stderr).toContain('E_QUOTA_REACHED');
      expect(await turns()).toEqual([spoken]);
      expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
    },
  );

  it('every command that takes a provider is one of these doors, or lets nobody spend', () => {
    const takers = COMMAND_GROUPS.flatMap(({ commands }) => commands)
      .filter(({ flags }) => flags.some(({ name }) => name === 'provider' || name === 'script'))
      .map(({ name }) => name);
    const doors = [...OWN.map(() => 'run'), ...ASKING.map(([name]) => name), ...LIVING.map(([name]) => name)];
    expect(takers.filter((name) => !doors.includes(name as never)).sort()).toEqual([...NO_DOOR].sort());
  });

  it.each([
    { args: ['set', 'project'], code: 2, says: '--usd-day' },
    { args: ['set', 'project', '--usd-day', '-1'], code: 2, says: '--usd-day' },
    { args: ['set', 'project', '--runs-day', '1.5'], code: 1, says: 'E_QUOTA_LIMIT' },
    { args: ['set', 'ada', '--usd-day', '1'], code: 1, says: 'E_QUOTA_SUBJECT' },
    { args: ['remove', 'person:ada'], code: 1, says: 'E_QUOTA_UNKNOWN' },
    { args: ['st'], code: 2, says: 'Did you mean set?' },
  ])('$args is answered with $code and why', async ({ args, code, says }) => {
    const answer = await cuebook(['quota', ...args, '--json'], { cwd: folderWith(TEMPLATE) });
    expect(answer.code).toBe(code);
    expect(answer.stdout + answer.stderr).toContain(says);
  });
});

/** A town in which an agent lives. */
const TOWN = [
  'platform init --rehearsal --name town',
  'card new ada --name Ada --public --personality 0.7,0.9,0.6,0.5',
  'card submit ada --by olga',
  'card approve ada@1 --by rosa',
  'bundle publish',
];

/** They name a provider for a body that is shown or for runs to come, or begin runs at a server or as `cuebook run` does. */
const NO_DOOR: readonly string[] = [
  ...['blame', 'census', 'explain', 'render'],
  ...['schedule', 'webhook'],
  ...['acp', 'mcp'],
  'platform',
];
