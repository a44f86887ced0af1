import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_ROUTES } from '@cuebook/api';
import { promptHash } from '@cuebook/journal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type ServerStand, serverStand } from './server-stand.js';

const ROLE =
  '[template]\nname = "weaver"\nversion = "1"\ncapabilities = []\nconstraints = []\n\nYou weave.\n';
const SHEET =
  'inputs:\n  change: { trust: external, secrecy: public, volatility: turn, description: What to review, example: An example. }\nblocks:\n  - name: rules\n    role: system\n    parts:\n      - text: "Review it.\\n"\n      - include: tone\n  - name: change\n    role: user\n    parts:\n      - input: change\n';
const FILES = {
  'docs/templates/weaver.md': ROLE,
  'sheets/review.yaml': SHEET,
  'texts/tone.md': '\ufeffBe kind.\n',
  'teams/one.yaml': 'goal: Go.\nnodes:\n  - { alias: lead, role: weaver, provider: rehearsal }\n',
  'sheets/broken.yaml': 'blocks: [\n',
  'cuebook.yaml': 'servers: { notes: { command: no-such-program } }\n',
  'teams/two.yaml':
    'goal: Go.\nnodes:\n  - { alias: lead, role: planner, provider: rehearsal, servers: [notes] }\n',
};

describe('the library', () => {
  let stand: ServerStand;
  beforeAll(async () => {
    stand = await serverStand({ files: FILES });
    symlinkSync('../cuebook.yaml', join(stand.project, 'texts/link.md'));
  });
  afterAll(() => stand?.remove());
  const onDisk = (path: string) => readFileSync(join(stand.project, path), 'utf8');
  const fileOf = async (target: string, path: string) => {
    const { files } = must(await stand.client.getSource({ target }));
    const found = files.find((file) => file.path === path);
    if (found === undefined) throw new Error(`no ${path}`);
    return found;
  };

  it('lists every target, and shows what one is made of, also when it cannot be read', async () => {
    const { targets } = must(await stand.client.listLibrary());
    expect(targets.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['sheet:broken', 'sheet:review', 'role:weaver', 'team:teams/one.yaml']),
    );
    const review = must(await stand.client.getSource({ target: 'sheet:review' }));
    expect(review.files.map(({ path, editable }) => [path, editable])).toEqual([
      ['sheets/review.yaml', true],
      ['texts/tone.md', true],
    ]);
    expect(review.sample).toEqual({ set: { change: 'An example.' } });
    expect(review.inputs).toHaveProperty('set.description');
    const broken = must(await stand.client.getSource({ target: 'sheet:broken' }));
    expect(broken.files.map(({ text }) => text)).toEqual([FILES['sheets/broken.yaml']]);
    expect(broken.diagnostics).toMatchObject([{ code: 'E_SHEET', file: 'sheets/broken.yaml' }]);
    const team = must(await stand.client.getSource({ target: 'team:teams/one.yaml' }));
    expect(team.files.map(({ path, editable }) => [path, editable])).toEqual([
      ['teams/one.yaml', false],
      ['docs/templates/weaver.md', true],
    ]);
    expect(await stand.client.getSource({ target: 'cake:x' })).toMatchObject({ error: { status: 404 } });
  });

  it('says of a target with tools of MCP servers that nobody asks them here', async () => {
    const { diagnostics } = must(await stand.client.getSource({ target: 'team:teams/two.yaml' }));
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'W_MCP_SERVER',
        message: expect.stringMatching(/"notes" is not asked here/),
      }),
    );
  });

  it('composes with inputs and with edits that are not saved, beside what is saved', async () => {
    const input = { set: { change: 'Mine.' } };
    const edits = [{ path: './texts/tone.md', text: 'Be brief.\n' }];
    const { now, saved } = must(await stand.client.renderTarget({ target: 'sheet:review', input, edits }));
    expect(now?.text).toContain('Review it.\nBe brief.');
    expect(now?.text).toContain('Mine.');
    expect(now?.hash).toBe(promptHash(now?.text ?? ''));
    expect(saved?.text).toContain('Review it.\nBe kind.');
    const origin = now?.blocks[0]?.spans.find(({ origin: { ref } }) => ref === 'texts/tone.md')?.origin;
    expect(origin).toMatchObject({
      kind: 'file',
      ref: 'texts/tone.md',
      via: [{ ref: 'sheets/review.yaml' }],
    });
    const bad = must(await stand.client.renderTarget({ target: 'sheet:review', input: { set: {} } }));
    expect(bad).toMatchObject({ now: null, saved: null, diagnostics: [{ severity: 'error' }] });
    expect(onDisk('texts/tone.md')).toContain('Be kind.');
  });

  it('masks what is confidential unless it is asked for', async () => {
    stand.write(
      'manifests/agent.yaml',
      `apiVersion: v1
kind: Secret
metadata: { name: words }
stringData: { rule: Only we know this. }
---
apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata: { name: teller }
spec:
  type: Declarative
  declarative:
    systemMessage: '{{ include "words/rule" }}'
    promptTemplate:
      dataSources: [{ kind: Secret, name: words }]
`,
    );
    const target = must(await stand.client.listLibrary()).targets.find(
      ({ kind }) => kind === 'manifest',
    )?.target;
    const shown = must(await stand.client.renderTarget({ target: target ?? '' }));
    expect(shown.diagnostics).toEqual([]);
    expect(shown.now).toMatchObject({ masked: true, text: '[confidential]' });
    const told = must(await stand.client.renderTarget({ target: target ?? '', reveal: true }));
    expect(told.now).toMatchObject({ masked: false, text: 'Only we know this.', hash: shown.now?.hash });
  });

  it('tells which targets an edit reaches', async () => {
    const edits = [{ path: 'docs/templates/weaver.md', text: ROLE.replace('You weave', 'You spin') }];
    expect(must(await stand.client.findReached({ edits })).reached).toEqual([
      { target: 'role:weaver', change: 'changed' },
      { target: 'team:teams/one.yaml', change: 'changed' },
    ]);
    const worse = [{ path: 'sheets/review.yaml', text: 'blocks: [' }];
    expect(must(await stand.client.findReached({ edits: worse })).reached).toEqual([
      { target: 'sheet:review', change: 'broken' },
    ]);
  });

  it('saves what was read, and nothing over what somebody else wrote meanwhile', async () => {
    const { text, sha256 } = await fileOf('sheet:review', 'texts/tone.md');
    const first = must(
      await stand.client.saveFile({ path: 'texts/tone.md', text: `${text}Be brief.\n`, ifMatch: sha256 }),
    );
    expect(onDisk('texts/tone.md')).toBe('\ufeffBe kind.\nBe brief.\n');
    const late = await stand.client.saveFile({ path: 'texts/tone.md', text: 'Mine.', ifMatch: sha256 });
    expect(late).toMatchObject({ ok: false, error: { status: 409, code: 'E_FILE_CHANGED' } });
    const fresh = await fileOf('sheet:review', 'texts/tone.md');
    expect(fresh.sha256).toBe(first.sha256);
    const taken = { path: 'docs/templates/weaver.md', text: 'x', ifMatch: 'absent' };
    expect(await stand.client.saveFile(taken)).toMatchObject({ error: { code: 'E_FILE_CHANGED' } });
    must(await stand.client.saveFile({ path: 'teams/new.yaml', text: 'goal: Go.\n', ifMatch: 'absent' }));
    expect(onDisk('teams/new.yaml')).toBe('goal: Go.\n');
  });

  it.each([
    'cuebook.yaml',
    '../out/docs/templates/a.md',
    'docs/templates/../../cuebook.yaml',
    'docs/templates/a/b.md',
    '.git/config',
    'sheets/../.cuebook/server.token',
    'texts/tone.sh',
    '/etc/passwd',
    'agents/prompts/a.ts',
  ])('writes no file but those of prompts: %s', async (path) => {
    const ifMatch = 'absent' as const;
    expect(await stand.client.saveFile({ path, text: 'x', ifMatch })).toMatchObject({
      error: { status: 400 },
    });
    const edits = [{ path, text: 'x' }];
    expect(await stand.client.renderTarget({ target: 'sheet:review', edits })).toMatchObject({
      error: { status: 400, field: 'edits.0.path' },
    });
  });

  it('writes through no link', async () => {
    const before = onDisk('cuebook.yaml');
    const ifMatch = promptHash(before).slice('sha256:'.length);
    expect(await stand.client.saveFile({ path: 'texts/link.md', text: 'x', ifMatch })).toMatchObject({
      ok: false,
    });
    const edits = [{ path: 'texts/link.md', text: 'x' }];
    expect(await stand.client.findReached({ edits })).toMatchObject({ error: { status: 400 } });
    expect(onDisk('cuebook.yaml')).toBe(before);
  });

  it('every route has answered', () => {
    expect(Object.keys(LIBRARY_ROUTES).filter((name) => !stand.answered.has(name))).toEqual([]);
  });
});
