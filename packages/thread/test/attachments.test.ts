import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunId } from '@cuebook/journal';
import type { ScriptStep } from '@cuebook/provider';
import { afterAll, beforeAll, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { makePdf } from '../../files/test/make-document.js';
import { makeZip } from '../../files/test/make-zip.js';
import { agent, desk, prompt, tool } from './project.js';
import { openStand, type Stand } from './stand.js';

const MARK = 'MARK-7f3a-never-told';
const KEY = 'Tulip_harvest-4417-zebra';

const TARGETS = [
  ...['.cuebook/keys/record.key', 'home/keys/threads.key', '.git/config', '.env', 'a/.env.local'],
  ...[
    'server.pem',
    'id_ed25519',
    '.npmrc',
    '.aws/credentials',
    'secrets.json',
    'linked.png',
    'folder/config',
  ],
  ...['./a/../.env', '//.env', '.ENV', 'home//keys/../keys/threads.key'],
];

let stand: Stand;
const steps: ScriptStep[] = [];
beforeAll(async () => {
  stand = await openStand(
    desk(
      `tools: [
        'shows',
        { name: 'helper', initUserMessageProperty: 'text', initAttachmentsProperty: 'files' },
        { name: 'mate', resumable: { receives_messages: 'side_a', parentCommunication: 'explicit' }, blocking: true },
      ], parallelToolCalls: true, includeChat: true, includePastTools: true,
      variables: [{ name: 'KEY', type: 'secret', required: false, description: 'A key' }],`,
      {
        'tools/shows.ts': tool(
          "return { status: 'success', result: 'shown', attachments: args.files };",
          'args: z.object({ files: z.array(z.string()) }),',
        ),
        'prompts/helper.ts': prompt('helper'),
        'prompts/side.ts': prompt('side'),
        'agents/mate.ts': agent(
          'mate',
          "type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', maxSessionTurns: 1, sideA: { prompt: 'side' }, sideB: { prompt: 'side' }",
        ),
      },
    ),
    { clerk: steps, '*': Array.from({ length: 400 }, (_, at) => ({ text: `Seen ${at}.` })) },
  );
  plant({
    ...Object.fromEntries(TARGETS.slice(0, 10).map((path) => [path, MARK])),
    '.gitignore': 'secrets.json\n',
    'a/plain.txt': 'Plain words.',
    'a/notes.txt': `The key is ${KEY}, in base64 ${Buffer.from(`x${KEY}y`).toString('base64')}.`,
    'a/pack.zip': makeZip([{ name: 'x', data: KEY }]),
    'a/page.pdf': makePdf([`<< /Title (${KEY}) >>`]),
  });
  symlinkSync('../.env', join(stand.folder, 'a/link'));
  symlinkSync('a/link', join(stand.folder, 'linked.png'));
  symlinkSync('.git', join(stand.folder, 'folder'));
});
afterAll(() => stand.close());

const plant = (files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(stand.folder, path)), { recursive: true });
    writeFileSync(join(stand.folder, path), content);
  }
};

const ENTRIES: readonly ((files: readonly string[]) => { readonly name: string; readonly args: object })[] = [
  (files) => ({ name: 'shows', args: { files } }),
  (files) => ({ name: 'helper', args: { text: 'Look.', files } }),
  (files) => ({ name: 'helper', args: { text: 'Look.', files: files[0] } }),
  (files) => ({
    name: 'subagent_create',
    args: { agent: 'mate', name: 'Ann', message: 'Go.', attachments: files },
  }),
];

/** One answer with all these calls, and what came of them. */
async function ask(run: string, paths: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const before = stand.requests.length;
  const made = paths.flatMap((path) => ENTRIES.map((entry) => entry([path])));
  steps.push({ toolCalls: made as never }, { text: 'Well.' });
  const begun = await stand.threads.start({ run: run as RunId, agent: 'desk', text: 'Hello.', env });
  expect(begun).toMatchObject({ ok: true });
  await stand.threads.drain();
  const state = await stand.threads.read(run as RunId);
  const events = await stand.store.read(run as RunId, { limit: 100_000 });
  const results = state.frames.main?.messages.filter(({ role }) => role === 'tool') ?? [];
  return { results, state, sent: stand.requests.slice(before), all: JSON.stringify({ events, state }) };
}

const spelled = (text: string): readonly string[] => [
  text,
  ...[0, 1, 2].map((pad) =>
    Buffer.from(`${'x'.repeat(pad)}${text}`)
      .toString('base64')
      .slice(4, -4),
  ),
  Buffer.from(text).toString('hex'),
];

it('no file that is withheld is attached, whoever in a thread names it and however', async () => {
  // An answer has 32 calls at most.
  for (const half of [TARGETS.slice(0, 8), TARGETS.slice(8)]) {
    const { results, sent, all } = await ask(`run_withheld${TARGETS.indexOf(half[0] ?? '')}`, half);
    expect(results).toHaveLength(half.length * ENTRIES.length);
    for (const { text } of results) expect(text).toMatch(/is not available|is not there/);
    const told = all + JSON.stringify(sent);
    for (const needle of spelled(MARK)) expect(told).not.toContain(needle);
    expect(told).not.toContain(stand.folder);
  }
  const { results: good } = await ask('run_plain', ['a/plain.txt', '/a/plain.txt']);
  expect(good.filter(({ isError, name }) => isError === true && name !== 'subagent_create')).toEqual([]);
});

it('the value of a secret variable is masked in text that is attached, and a container that holds it is refused', async () => {
  const { results, sent, all } = await ask('run_secret', ['a/notes.txt', 'a/pack.zip', 'a/page.pdf'], {
    KEY,
  });
  const texts = results.map(({ text }) => text);
  expect(texts.filter((text) => text.includes('it holds a credential'))).toHaveLength(2 * ENTRIES.length);
  const files = sent.flatMap(({ messages }) => messages.flatMap(({ parts = [] }) => parts)) as {
    data: string;
  }[];
  expect(files.length).toBeGreaterThan(0);
  const told = files.map(({ data }) => Buffer.from(data, 'base64').toString());
  for (const text of told) expect(text).toContain('[removed:credential]');
  for (const needle of spelled(KEY)) expect(all + JSON.stringify(sent) + told.join()).not.toContain(needle);
});

it('a secret that becomes known later is masked in what was attached before, and a container is not sent again', async () => {
  const run = 'run_later' as RunId;
  const { sent: first } = await ask(run, ['a/notes.txt', 'a/pack.zip']);
  expect(JSON.stringify(first.at(-1))).toContain('"parts"');
  await stand.threads.setEnv(run, 'thread', { KEY });
  const before = stand.requests.length;
  steps.push({ text: 'Again.' });
  await stand.threads.say(run, { text: 'And now?' });
  await stand.threads.drain();
  const [later] = stand.requests.slice(before);
  expect(JSON.stringify(later)).toContain('is not sent: it holds a credential');
  for (const needle of spelled(KEY)) expect(JSON.stringify(later)).not.toContain(needle);
});

it('a person may attach a file of the project that agents do not get, but nothing of the home', async () => {
  const start = (run: string, path: string) =>
    stand.threads.start({ run: run as RunId, agent: 'desk', text: 'Look.', attachments: [path] });
  steps.push({ text: 'Seen.' });
  expect(await start('run_person', '.npmrc')).toMatchObject({ ok: true });
  await stand.threads.drain();
  expect(await start('run_home', '.cuebook/keys/record.key')).toMatchObject({
    ok: false,
    error: { code: 'E_ATTACHMENT_WITHHELD' },
  });
  expect(await start('run_none', 'nothing.txt')).toMatchObject({
    ok: false,
    error: { code: 'E_ATTACHMENT' },
  });
});
