import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { desk } from '../../../../../packages/thread/test/project.js';
import { packageTexts } from '../../../../../packages/workflow/test/fixture.js';
import { describePart } from '../../../../../test/part.js';
import { ROOT } from '../../../../../test/root.js';
import { itInTurn as it, SEED } from '../../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../../test/shared-postgres.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

describePart('postgres', 'runs between a file and a database', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  it('moves runs of every kind by command: receipts, words and their origins stay, twice is once, and what was changed is refused', async () => {
    const cwd = folderWith({});
    cpSync(join(ROOT, 'examples/evals'), cwd, { recursive: true });
    for (const [path, text] of Object.entries(project())) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const inFile: Place = { cwd, env: {} };
    for (const line of PLATFORM) expect(await cuebook(line.split(' '), inFile)).toMatchObject({ code: 0 });
    copyFileSync(join(cwd, '.cuebook/platform/objects/trust/shared/1.root.json'), join(cwd, 'root.json'));
    for (const args of BEGUN) {
      const begun = await cuebook(args, inFile);
      expect(begun.stderr, args.join(' ')).not.toContain('E_');
    }
    const before = await look(inFile);
    expect(before.kinds).toEqual(KINDS);

    // The same project, with its records in a database.
    const inDatabase: Place = { cwd, env: { CUEBOOK_DATABASE_URL: await server.createDatabase() } };
    const names = before.runs.map(({ run: name }) => name);
    const files = await carry(names, inFile, inDatabase);
    expect(await look(inDatabase)).toEqual(before);
    // What a run goes on with stays sealed where it was begun: nobody is told anything with a part of it.
    const { run = '' } = before.runs.find(({ kind }) => kind === 'workflow') ?? {};
    const goOn = (place: Place) =>
      cuebook(
        ['run', 'workflow:workflows/hb', '--run', run, '--input', 'More.', '--script', 'one.json', '--json'],
        place,
      );
    const refused = await goOn(inDatabase);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('E_RUN_SOURCES');
    expect(await look(inDatabase)).toEqual(before);

    // Back into a file, of a project that has none of the keys.
    const elsewhere: Place = { cwd: folderWith({ 'cuebook.yaml': '' }), env: {} };
    const back = await carry(names, inDatabase, elsewhere);
    // The texts of files that a run was told from are sealed for its project; where each word comes from is not.
    expect(withoutSources(await look(elsewhere))).toEqual(withoutSources(before));
    for (const [name, text] of back) expect(inner(text), name).toBe(inner(files.get(name) ?? ''));

    await refuseChanged(back, { env: { CUEBOOK_DATABASE_URL: await server.createDatabase() } });
    await refuseChanged(files, { env: {} });

    // A backup has it too: what waited goes on in the other database.
    expect(await cuebook(['runs', 'backup', 'copy.db'], inFile)).toMatchObject({ code: 0 });
    const restored: Place = { cwd, env: { CUEBOOK_DATABASE_URL: await server.createDatabase() } };
    const copied = await cuebook(['runs', 'restore', 'copy.db'], restored);
    expect(copied, copied.stderr).toMatchObject({ code: 0 });
    expect(await look(restored)).toEqual(before);
    const went = await goOn(restored);
    expect(JSON.parse(went.stdout), went.stderr).toMatchObject({ run, turns: 2 });
    expect(await cuebook(['verify', '--all'], restored)).toMatchObject({ code: 0 });
  });
});

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Takes all runs of one place to another, twice; answers their files. */
async function carry(names: readonly string[], from: Place, to: Place): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const run of names) {
    const { stdout, stderr } = await cuebook(['runs', 'export', run], from);
    expect(stderr).toBe('');
    files.set(run, stdout);
    const keys = Object.keys((JSON.parse(stdout.slice(0, stdout.indexOf('\n'))) as { keys: object }).keys);
    const trust = from.cwd === to.cwd ? [] : keys.flatMap((key) => ['--trust', key]);
    const taken = await cuebook(['runs', 'import', '-', '--json', ...trust], { ...to, input: stdout });
    expect(taken, taken.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(taken.stdout)).toMatchObject({ run, repeated: false });
    const again = await cuebook(['runs', 'import', '-', '--json'], { ...to, input: stdout });
    expect(JSON.parse(again.stdout)).toMatchObject({ run, repeated: true });
  }
  return files;
}

/** All that the commands tell of the records of a place. */
async function look(place: Place) {
  const json = async (...args: readonly string[]) => {
    const said = await cuebook([...args, '--json'], place);
    return JSON.parse(said.stdout || said.stderr);
  };
  const verified = await cuebook(['verify', '--all'], place);
  expect(verified, verified.stdout).toMatchObject({ code: 0 });
  const { runs } = (await json('runs')) as { readonly runs: readonly { run: string; kind: string }[] };
  const explained: unknown[] = [];
  for (const { run } of runs) {
    const log = (await cuebook(['log', run, '--json'], place)).stdout.trimEnd().split('\n');
    const turns = log.flatMap((line) => {
      const { type, data } = JSON.parse(line) as LoggedEvent;
      return type === 'turn.recorded' ? [data.turn] : [];
    });
    expect(turns, run).not.toEqual([]);
    for (const turn of turns.slice(0, 1)) {
      explained.push(await json('explain', `${run}@${turn}`, '--at', '0'));
      explained.push(await json('replay', `${run}@${turn}`));
    }
  }
  return { runs, kinds: [...new Set(runs.map(({ kind }) => kind))].sort(), explained };
}

/** All that is of the run itself: the first line has the keys that its place knows, the last one the sum. */
const inner = (text: string): string => text.split('\n').slice(1, -2).join('\n');

const withoutSources = (seen: unknown): unknown =>
  JSON.parse(JSON.stringify(seen, (key, value: unknown) => (key === 'source' ? undefined : value)));

interface LoggedEvent {
  readonly type: string;
  readonly data: { readonly turn: string };
}

/** A file that is cut, or changed in one place, is refused, and nothing of it is there. */
async function refuseChanged(files: ReadonlyMap<string, string>, { env }: Pick<Place, 'env'>): Promise<void> {
  const place: Place = { cwd: folderWith({ 'cuebook.yaml': '' }), env };
  for (const text of files.values()) {
    const at = SEED % text.length;
    const put = text[at] === '0' ? '1' : '0';
    for (const input of [
      text.slice(0, at),
      text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1),
      `${text.slice(0, at)}${put}${text.slice(at + 1)}`,
      `${text}${text}`,
    ]) {
      const refused = await cuebook(['runs', 'import', '-'], { ...place, input });
      expect(refused.code, input.slice(0, 200)).toBe(1);
      expect(refused.stderr).toMatch(/E_IMPORT_(?:FORMAT|REFUSED|KEY|VERSION)/);
    }
  }
  const { stdout } = await cuebook(['runs', '--json'], place);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [] });
}

const under = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
const project = () => ({
  'cuebook.yaml': `kinds: { ledger: ${join(ROOT, 'examples/kind-ledger/ledger.mjs')} }\n`,
  'ledgers/shop.md': 'You keep a ledger.\n',
  'agent.yaml': 'agent: ada\nstore: .cuebook/platform/objects\nlog: town\n',
  'sheets/once.yaml':
    'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
  ...under('agents', desk()),
  ...under('workflows/hb', packageTexts()),
  'team.yaml': 'goal: Work.\nmode: AUTO\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
  'one.json': '{"lanes":{"*":[{"text":"One."},{"text":"Two."},{"text":"Three."}]}}',
});
const PLATFORM = [
  'platform init --rehearsal --name town',
  'card new ada --name Ada --public --personality 0.7,0.9,0.6,0.5',
  'card submit ada --by olga',
  'card approve ada@1 --by rosa',
  'bundle publish',
];
const BEGUN = [
  ['run', 'sheet:once', '--script', 'one.json', '--json'],
  ['run', 'agent:desk', '--input', 'Go.', '--script', 'one.json', '--json'],
  ['run', 'workflow:workflows/hb', '--input', 'Go.', '--script', 'one.json', '--json'],
  ['run', 'team:team.yaml', '--script', 'one.json', '--turns', '1', '--json'],
  ['run', 'ledger:shop', '--input', 'Go.', '--script', 'one.json', '--json'],
  ['agent', 'live', '--once', '--script', 'one.json', '--json'],
  ['eval', '--script', 'odds.yaml', '--json'],
] as const;

const KINDS = ['eval', 'ledger', 'resident', 'team', 'thread', 'turn', 'workflow'];
