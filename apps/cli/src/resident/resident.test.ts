import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import type { DayReport } from '../day/report.js';

const AGENT = 'agent: ada\nstore: store\nlog: somewhere\n';
const ONE_CARD = {
  'cards/ada.yaml':
    'agent_id: ada\nname: Ada\npersonality: { extrovert: 1, curious: 1, creative: 1, stable: 1 }\n',
};
const flip = (file: string) => {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};

describe('agent day', () => {
  itInTurn('makes a town whose records verify, and whose agents go on', async () => {
    const cwd = folderWith();
    const at = (agent: string) => ['--project', `town/${agent}`];
    const day = await cuebook(['agent', 'day', 'town', '--hours', '3', '--json'], { cwd });
    expect(day).toMatchObject({ code: 0, stderr: '' });
    const { agents } = JSON.parse(day.stdout) as DayReport;
    expect(agents.map(({ agent, deeds }) => [agent, deeds.intro, deeds.daily_checkin])).toEqual([
      ['ada', 1, 1],
      ['bo', 1, 1],
      ['cy', 1, 1],
    ]);
    expect(readdirSync(join(cwd, 'town')).sort()).toEqual([
      '.cuebook',
      'ada',
      'bo',
      'cuebook.yaml',
      'cy',
      'platform',
    ]);
    const verified = await cuebook(['verify', '--all', '--project', 'town'], { cwd });
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout.match(/✓ run_agent/g)).toHaveLength(3);
    expect((await cuebook(['agent', 'day', 'town'], { cwd })).stderr).toContain('E_WOULD_OVERWRITE');

    // Its agents go on where the day ended.
    expect(await cuebook(['sync', ...at('ada')], { cwd })).toMatchObject({
      code: 0,
      stdout: '✓ ada has nothing new; card 1, bundle 1\n',
    });
    const status = await cuebook(['agent', 'status', ...at('ada')], { cwd });
    expect(status.stdout).toContain('weights: explore 1,');
    const once = await cuebook(['agent', '--once', '--json', ...at('bo')], { cwd });
    expect(once.code).toBe(0);
    expect(JSON.parse(once.stdout)).toMatchObject({ agent: 'bo', active: true, trust: { bundleVersion: 1 } });
    expect(await cuebook(['verify', '--all', ...at('bo')], { cwd })).toMatchObject({ code: 0 });

    // Without --once it lives until it is told to stop, and stops at once.
    const stop = new AbortController();
    const living = await cuebook(['agent', ...at('bo')], {
      cwd,
      stop: stop.signal,
      onPrint: () => stop.abort(),
    });
    expect([living.code, living.stderr]).toEqual([0, '']);
    expect((await cuebook(['agent', 'status', '--json', ...at('bo')], { cwd })).stdout).toContain(
      '"mode": "stopped"',
    );

    // One bit of the state, then one of the store: what is good stays, and what was refused is told.
    flip(join(cwd, 'town', 'cy', '.cuebook', 'agents', 'cy', 'trust.json'));
    const fixed = await cuebook(['sync', ...at('cy')], { cwd });
    expect(fixed.stdout).toContain('! the saved state was refused: E_');
    expect(fixed.stdout).toContain('✓ cy took card 1, bundle 1');
    const trust = join(cwd, 'town', 'ada', '.cuebook', 'agents', 'ada', 'trust.json');
    rmSync(trust);
    mkdirSync(trust);
    const unreadable = await cuebook(['sync', ...at('ada')], { cwd });
    expect([unreadable.code, unreadable.stdout]).toEqual([3, '']);
    expect(unreadable.stderr).toContain('The trust state in CUEBOOK_HOME could not be read or written');
    flip(join(cwd, 'town', 'platform', 'store', 'trust', 'agents', 'cy', 'timestamp.json'));
    const kept = await cuebook(['sync', '--json', ...at('cy')], { cwd });
    expect(kept.code).toBe(1);
    expect(JSON.parse(kept.stdout)).toMatchObject({
      active: true,
      bundleVersion: 1,
      changed: false,
      failures: [{ source: 'store' }],
    });
    const log = await cuebook(['log', ...at('cy')], { cwd });
    expect(log.stdout).toContain('"failures":[{');
  });
});

describe('an agent that cannot act', () => {
  it.each([
    ['without agent.yaml', {}, ['sync'], 2, 'E_AGENT_FILE'],
    ['with a wrong one', { 'agent.yaml': `${AGENT}zone: Mars\n` }, ['sync'], 1, 'agent.yaml:4'],
    ['without a store', { 'agent.yaml': AGENT, 'root.json': '{}' }, ['sync'], 2, 'E_FILE_NOT_FOUND'],
    ['without a root', { 'agent.yaml': AGENT, 'store/x': '' }, ['sync'], 2, 'E_FILE_NOT_FOUND'],
    ['asked for what there is not', {}, ['agent', 'stauts'], 2, 'Did you mean status?'],
    ['asked for a day without a folder', {}, ['agent', 'day'], 2, 'E_USAGE'],
    ['asked for a day that there is not', {}, ['agent', 'day', 'town', '--date', 'today'], 2, 'E_USAGE'],
    [
      'asked for a day of one card',
      ONE_CARD,
      ['agent', 'day', 'town', '--project', '.'],
      2,
      'A day takes 2 to 12 cards',
    ],
    ['asked for a day of no hours', {}, ['agent', 'day', 'town', '--hours', '0'], 2, 'E_USAGE'],
  ] as const)('%s says so', async (_, files, args, code, says) => {
    const cwd = folderWith({ 'cuebook.yaml': '', ...files });
    const outcome = await cuebook(args, { cwd });
    expect(outcome.stderr + outcome.stdout).toContain(says);
    expect(outcome.code).toBe(code);
  });

  it('with an empty store is inactive, calls nobody and writes nothing there', async () => {
    const files = { 'cuebook.yaml': '', 'agent.yaml': AGENT, 'store/x/y': '', 'root.json': '{}' };
    const cwd = folderWith(files);
    const once = await cuebook(['agent', '--once', '--json'], { cwd });
    expect(once.code).toBe(1);
    expect(JSON.parse(once.stdout)).toMatchObject({ active: false, deeds: [], trust: { active: false } });
    const synced = await cuebook(['sync'], { cwd });
    expect(synced).toMatchObject({ code: 1 });
    expect(synced.stdout).toContain('ada is inactive: it has never had a valid bundle');
    expect(readdirSync(join(cwd, 'store'))).toEqual(['x']);
  });
});
