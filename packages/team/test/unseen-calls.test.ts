import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerCatalog, readProviderConfig } from '@cuebook/provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/model-server/index.js';
import { describePart } from '../../../test/part.js';
import { inTurn, itInTurn, SEED, share } from '../../../test/runs.js';
import { problems } from './host-stand.js';
import { unseenCalls } from './unseen/call.js';
import { KINDS, type UnseenKind } from './unseen/kinds.js';
import { filesOf, linksIn, sweep } from './unseen/sweep.js';

// Calls that nobody has listed, by the model of every kind of provider, while a person denies whatever is asked.

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const COUNT = share(12, 240);
const table: string[] = [];
afterAll(() => {
  if (process.env.CUEBOOK_TABLE || share(0, 1) === 1) console.log(table.join('\n'));
});

async function denied(kind: UnseenKind, program = ''): Promise<void> {
  const { calls, asked, shown, denied, ran, outcomes, verified, hold } = await sweep(kind, {
    ...{ server, program, seed: SEED, count: COUNT },
  });
  const { title = kind.name, isMute } = kind;
  const done = outcomes.filter(({ isDone }) => isDone).map(({ call }) => call);
  table.push(`${title}: ${calls} calls, ${asked} asked, ${calls - asked} refused, ${ran.length} ran`);
  if (problems.length > 0) console.error(title, problems.splice(0));
  expect([title, hold]).toEqual([title, kind.refusal && expect.stringContaining(kind.refusal)]);
  expect([title, ran]).toEqual([title, []]);
  // What can only read may well do half of a command.
  if (!isMute && !kind.endsAtNo) expect([title, done]).toEqual([title, []]);
  if (kind.tellsAll) expect([title, outcomes.length]).toEqual([title, calls]);
  expect(verified).toMatchObject({ ok: true, problems: [] });
  expect(denied).toBe(asked);
  // Each call is shown, and none is asked for twice.
  expect([title, new Set(shown).size]).toEqual([title, shown.length]);
  expect([title, shown.length >= asked / 2]).toEqual([title, true]);
  // Most of the calls are ones that would be done.
  expect([title, asked >= (isMute ? 0 : kind.endsAtNo ? 1 : calls / 4)]).toEqual([title, true]);
}

describe('a call that nobody has seen', () => {
  it.each(
    inTurn(KINDS.filter(({ part }) => part === undefined)).map(
      (kind) => [kind.title ?? kind.name, kind] as const,
    ),
  )('does nothing while a person says no: %s', (_name, kind) => denied(kind));
});

const TITLE = 'a call that nobody has seen, of a real program';
const denies = (part: UnseenKind['part'], path: string): void => {
  for (const kind of KINDS.filter((each) => each.part === part))
    itInTurn(`does nothing while a person says no: ${kind.name} itself`, () => denied(kind, path));
};
describePart('claude', TITLE, ({ path }) => denies('claude', path));
describePart('codex', TITLE, ({ path }) => denies('codex', path));
describePart('gemini', TITLE, ({ path }) => denies('gemini', path));
if (share(0, 1) === 1) describePart('opencode', TITLE, ({ path }) => denies('opencode', path));

it('every kind of provider is among them', () => {
  const own = ['acp', 'line', 'raw'].map((kind) => `  ${kind}: { kind: ${kind}, command: x }`).join('\n');
  const config = readProviderConfig(`providers:\n${own}\n`, 'cuebook.yaml');
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const names = new Set(KINDS.map(({ name }) => name));
  expect(providerCatalog(config.value).filter(({ name }) => !names.has(name))).toEqual([]);
});

it('what is allowed is done, and is seen to be', async () => {
  const [kind] = KINDS as readonly [UnseenKind];
  const { ran } = await sweep(kind, { server, program: '', seed: SEED, count: 12, decision: 'allow' });
  expect(ran.length).toBeGreaterThan(0);
});

it('each command that is asked about would make its file', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unseen-')));
  const wanted = { seed: SEED, count: share(60, 1_000), folder };
  const [, , ...rest] = KINDS;
  const calls = unseenCalls((rest[0] as UnseenKind).vocabulary, wanted);
  const idle: string[] = [];
  for (const { command, file } of calls) {
    if (command === undefined) continue;
    linksIn(folder);
    const ran = spawnSync('bash', ['-c', command], { cwd: folder, stdio: 'ignore' });
    if (!filesOf(folder).some((name) => name.startsWith(file))) idle.push(`${command} (${ran.status})`);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  }
  rmSync(folder, { recursive: true });
  expect(idle).toEqual([]);
});
