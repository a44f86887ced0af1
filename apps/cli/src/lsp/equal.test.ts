import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it, itInSoak, runs } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { quietIo } from '../../test/typed-project.js';
import { DEFINITIONS } from '../init/definitions.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';
import { openEditorProject } from './open-project.js';

const example = (path: string): string => readFileSync(join(ROOT, 'examples', path), 'utf8');

const sheet = (parts: string, inputs = ''): string =>
  `${inputs}blocks:\n  - name: a\n    role: system\n    parts:\n${parts}`;
const NAME = 'inputs:\n  name: { trust: user, secrecy: public, volatility: turn }\n';

/** Texts that a file may have: right, wrong, half-written, hostile. */
const YAMLS: readonly string[] = [
  sheet('      - include: one\n'),
  sheet('      - include: two\n      - text: "😀 {{name}}"\n'),
  sheet('      - input: name\n', NAME),
  sheet('      - template: "{{if .name}}{{include \\"one\\"}}{{end}}"\n', NAME.replace('user', 'operator')),
  sheet('      - template: "{{.nam}} {{range"\n', NAME.replace('user', 'operator')),
  sheet('      - include: \n'),
  sheet('      - includ: one\r\n'),
  'blocks: [',
  '\ufeffparts:\n  - include: two\n',
  'parts:\n  - include: one\n  - input: name\n',
  'parts:\n  - text: |\n      The key is password: correct-horse-7-staple\n',
  'parts:\n  - text: "hidden \u200b\u202e here"\n',
  '[',
  `${'['.repeat(5_000)}`,
  `a: ${'{b: '.repeat(400)}`,
  'nodes:\n  - { alias: lead, role: orchestrator }\n  - { alias: dev, role: one }\nedges:\n  - { from: lead, to: dev }\n',
  'nodes:\n  - { alias: lead, role: nobody }\nedges:\n  - { from: lead, to: deb }\n',
  '',
  'private: [/srv/secret]\n',
  'names: 7\nworkflow: { nothing: 1 }\n',
];
const OTHERS: readonly string[] = [
  'Be kind.\n',
  'Be kind to {{name}}, says /srv/secret/plan.\r\n',
  '---\ntitle: A\n---\nText\n',
  '[template]\nname = "one"\nversion = "1"\ncapabilities = ["write_cod"]\n\nYou are one.\n',
  '[template]\nname = "other"\n\nYou are other.\n',
  '\u200b<|im_start|>system\n',
  `${'x'.repeat(100_000)}\n`,
];
const WORKFLOW = Object.entries(WORKFLOW_TEMPLATE).filter(([path]) => path.startsWith('workflows/'));

const PATHS: readonly (readonly [path: string, texts: readonly string[]])[] = [
  ['sheets/a.yaml', YAMLS],
  ['sheets/deep/b.yaml', YAMLS],
  ['texts/one.md', OTHERS],
  ['texts/one.yaml', YAMLS],
  ['texts/two.yaml', YAMLS],
  ['docs/templates/one.md', OTHERS],
  ['team.yaml', YAMLS],
  ['cuebook.yaml', YAMLS],
  ['manifests/agents.yaml', [example('manifests/agents.yaml'), ...YAMLS]],
  ['manifests/prompts.yaml', [example('manifests/prompts.yaml'), example('manifests/agents.yaml'), ...YAMLS]],
  ...WORKFLOW.map(([path, text]) => [path, [text, text.replace('intake', 'intak'), '{']] as const),
];

/** What happens in an editor and beside it. */
type Act =
  | { readonly kind: 'type' | 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'close' | 'delete' | 'binary' | 'link' | 'huge'; readonly path: string };

const act: fc.Arbitrary<Act> = fc.constantFrom(...PATHS).chain(([path, texts]) =>
  fc.oneof(
    { weight: 6, arbitrary: textOf(texts).map((text): Act => ({ kind: 'type', path, text })) },
    { weight: 3, arbitrary: textOf(texts).map((text): Act => ({ kind: 'write', path, text })) },
    { weight: 2, arbitrary: fc.constantFrom('close', 'delete').map((kind): Act => ({ kind, path })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('binary', 'link', 'huge').map((kind): Act => ({ kind, path })),
    },
  ),
);

/** One of the texts, or one cut, doubled or with another character somewhere: as it looks while somebody types. */
function textOf(texts: readonly string[]): fc.Arbitrary<string> {
  const whole = fc.constantFrom(...texts);
  const mark = fc.constantFrom('', '😀', '"', '\r', '{{', '\ud800', ': ', '\n', '\t');
  const cut = fc
    .tuple(whole, fc.nat(), mark)
    .map(([text, at, word]) => text.slice(0, at % (text.length + 1)) + word);
  const inside = fc
    .tuple(whole, fc.nat(), mark)
    .map(
      ([text, n, word]) => text.slice(0, n % (text.length + 1)) + word + text.slice(n % (text.length + 1)),
    );
  return fc.oneof({ weight: 3, arbitrary: whole }, cut, inside);
}

/** A folder, and one beside it that has on its disk what the editor has open. */
function openPair(files: Readonly<Record<string, string>> = {}) {
  const [folder, mirror] = [folderWith(files), folderWith(files)];
  const project = openEditorProject(folder, quietIo(folder));
  const saved = new Map<string, string | Uint8Array | undefined>(Object.entries(files));
  const put = (root: string, path: string, content: string | Uint8Array | undefined): void => {
    rmSync(join(root, path), { force: true });
    if (content === undefined) return;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (content === OUT) symlinkSync('/etc/hostname', join(root, path));
    else writeFileSync(join(root, path), content);
  };
  const save = (path: string, content: string | Uint8Array | undefined): void => {
    saved.set(path, content);
    put(folder, path, content);
    // What is open counts, whatever is on the disk; a link that leads out stays what it is.
    const typed = content === OUT ? undefined : project.buffers.get(path);
    put(mirror, path, typed ?? content);
    project.tell([{ path, isMove: true }]);
  };
  const play = (act: Act): void => {
    const { path } = act;
    if (act.kind === 'type') {
      project.buffers.set(path, act.text);
      if (saved.get(path) !== OUT) put(mirror, path, act.text);
      project.tell([{ path, isMove: saved.get(path) === undefined }]);
    }
    if (act.kind === 'close') {
      project.buffers.remove(path);
      put(mirror, path, saved.get(path));
      project.tell([{ path, isMove: true }]);
    }
    if (act.kind === 'write') save(path, act.text);
    if (act.kind === 'delete') save(path, undefined);
    if (act.kind === 'binary') save(path, Uint8Array.of(0xff, 0xfe, 0, 1, 0x80));
    if (act.kind === 'huge') save(path, new Uint8Array(17 * 1024 * 1024).fill(0x61));
    if (act.kind === 'link') save(path, OUT);
  };
  const agree = async (): Promise<void> => {
    await project.settle();
    const checked = await cuebook(['check', '--json', '--project', '.'], { cwd: mirror });
    const { diagnostics = [] } = JSON.parse(checked.stdout || '{}') as {
      diagnostics?: readonly Diagnostic[];
    };
    expect(sorted(project.diagnostics())).toEqual(sorted(diagnostics));
  };
  return { play, agree, project };
}

const OUT = 'a link that leads out of the project';
const sorted = (found: readonly Diagnostic[]): readonly string[] =>
  found.map((each) => JSON.stringify(each)).sort();

describe('what the language server tells', () => {
  it('is what check tells of the same texts, after any edits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), fc.nat(4), async (acts, at) => {
        const { play, agree } = openPair({ 'cuebook.yaml': '', 'sheets/a.yaml': YAMLS[0] as string });
        for (const [index, each] of acts.entries()) {
          play(each);
          if (index % 5 === at) await agree();
        }
        await agree();
      }),
      runs(40, 600),
    );
  });

  it('is the same of includes that go in a circle, and of a file that is no file', async () => {
    const { play, agree, project } = openPair({ 'cuebook.yaml': '', 'sheets/a.yaml': YAMLS[0] as string });
    play({ kind: 'type', path: 'texts/one.yaml', text: 'parts:\n  - include: two\n' });
    play({ kind: 'type', path: 'texts/two.yaml', text: 'parts:\n  - include: one\n' });
    await agree();
    expect(project.diagnostics().map(({ code }) => code)).toContain('E_INCLUDE_CYCLE');
    for (const kind of ['binary', 'link', 'huge', 'delete'] as const) {
      play({ kind: 'close', path: 'texts/one.yaml' });
      play({ kind, path: 'texts/one.yaml' });
      await agree();
    }
  });

  const definition = fc.constantFrom(...Object.keys(DEFINITIONS).filter((path) => path.endsWith('.ts')));
  const edit = definition.chain((path) =>
    textOf([
      DEFINITIONS[path] as string,
      'export default 7;\n',
      'while (true',
      'throw new Error("no");\n',
    ]).map((text): Act => ({ kind: 'type', path, text })),
  );

  it('is the same of definitions, which are run', async () => {
    const { play, agree } = openPair(DEFINITIONS);
    await agree();
    const path = 'agents/prompts/reviewer.ts';
    play({ kind: 'type', path, text: (DEFINITIONS[path] as string).replace("'manners'", "'maners'") });
    await agree();
  });

  itInSoak('is the same of definitions after any edits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const { play, agree } = openPair(DEFINITIONS);
        for (const each of edits) {
          play(each);
          await agree();
        }
      }),
      runs(4, 40),
    );
  });
});
