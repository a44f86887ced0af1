import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll } from '../../test/git.js';
import { TEMPLATE } from '../init/template.js';

const MAP = `apiVersion: v1
kind: ConfigMap
metadata: { name: p }
data:
  a: |
    Be kind.
`;
const AGENT = (name: string, message: string, sources = '[{ kind: ConfigMap, name: p }]'): string =>
  `apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata:
  name: ${name}
spec:
  declarative:
    systemMessage: ${JSON.stringify(message)}
    promptTemplate:
      dataSources: ${sources}
`;
const GOOD = `${MAP}---\n${AGENT('one', 'I am {{.AgentName}}. {{include "p/a"}}')}`;

/** What leads to the words of the map in `GOOD`: the entry that lends it, and the include. */
const LED_TO = [
  { ref: 'm.yaml', line: 16, column: 21 },
  { ref: 'm.yaml', line: 14, column: 42 },
];

describe('-f', () => {
  it('renders manifests from a file, a folder and standard input, with or without a project', async () => {
    const outside = folderWith({ 'k/m.yaml': GOOD, 'k/notes.txt': 'a: [' });
    const inside = folderWith({ ...TEMPLATE, 'k/m.yaml': GOOD });
    const shown = 'I am one. Be kind.';
    for (const cwd of [outside, inside]) {
      for (const file of ['k/m.yaml', 'k', join(cwd, 'k/m.yaml'), '-']) {
        const { code, stdout, stderr } = await cuebook(['render', '-f', file, '--json'], {
          cwd,
          input: GOOD,
        });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const { profile, messages, blocks } = JSON.parse(stdout);
        expect(profile).toBe('manifest');
        expect(messages).toEqual([{ role: 'system', content: `${shown}\n` }]);
        expect(blocks[0].spans[0].origin.ref).toBe(file === '-' ? 'stdin' : 'k/m.yaml');
      }
    }
  });

  it('takes several files, each Agent from wherever its texts are', async () => {
    const cwd = folderWith({ 'map.yaml': MAP, 'agent.yaml': AGENT('one', '{{include "p/a"}}') });
    const { stdout } = await cuebook(['render', '--file', 'map.yaml', '-f', 'agent.yaml'], { cwd });
    expect(stdout).toContain('Be kind.');
  });

  it('explains a byte by the line of the ConfigMap and of the include', async () => {
    const cwd = folderWith({ 'm.yaml': GOOD });
    const { stdout } = await cuebook(['explain', '-f', 'm.yaml', '--at', '13', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      target: 'manifest:default/one',
      trust: 'operator',
      secrecy: 'public',
      volatility: 'deploy',
      origin: { kind: 'file', ref: 'm.yaml', line: 6, column: 8, via: LED_TO },
    });
  });

  it('checks all Agents at once and exits 1 for an error', async () => {
    const cwd = folderWith({
      'm.yaml': `${GOOD}---\n${AGENT('two', '{{if .SkillNames}}{{include "p/b"}}{{.Nam}}{{end}}')}---\n${AGENT('three', 'x', '[{ name: p }]')}`,
    });
    const { code, stdout } = await cuebook(['check', '-f', 'm.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^m\.yaml:24:49 error E_INCLUDE_PATH .*"p\/b".*Did you mean "p\/a"\?$/m);
    expect(stdout).toMatch(/^m\.yaml:24:60 error E_TEMPLATE_FIELD .*Nam/m);
    expect(stdout).toMatch(/warning W_SOURCE_KIND/);
    expect(stdout).toMatch(/warning W_SOURCE_UNUSED/);
    expect(stdout).toContain('2 errors, 3 warnings in 3 targets');
    const one = await cuebook(['check', '-f', 'm.yaml', '--agent', 'one'], { cwd });
    expect(one).toMatchObject({ code: 0 });
    expect(one.stdout).toContain('1 target: manifest:default/one');
  });

  it('reports files that are no manifests, also where no Agent is', async () => {
    const cwd = folderWith({ 'm.yaml': 'a: [\n', 'none.yaml': MAP, 'agent.yaml': AGENT('one', 'x', '[]') });
    const broken = await cuebook(['check', '-f', 'm.yaml', '-f', 'agent.yaml'], { cwd });
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/^m\.yaml:2:1 error E_MANIFEST /m);
    for (const command of ['check', 'render']) {
      const none = await cuebook([command, '-f', 'none.yaml'], { cwd });
      expect(none.code).toBe(2);
      expect(none.stdout + none.stderr).toContain('E_TARGET');
    }
    expect((await cuebook(['render', '-f', 'm.yaml'], { cwd })).stderr).toContain('E_MANIFEST');
  });

  it.each([
    { args: ['render', '-f', 'm.yaml'], says: 'default/one, default/two' },
    { args: ['render', '-f', 'm.yaml', '--agent', 'tow'], says: 'Did you mean default/two?' },
    { args: ['render', '-f', 'm.yaml', 'sheet:review'], says: 'sheet:review' },
    { args: ['check', '-f', 'm.yaml', 'sheet:review'], says: 'sheet:review' },
    { args: ['render', '--agent', 'one'], says: '-f' },
    { args: ['check', '--agent', 'one'], says: '-f' },
    { args: ['render', '-f', 'nowhere.yaml'], says: 'E_FILE_NOT_FOUND' },
    { args: ['render', '-f', 'm.yaml', '--agent', 'one', '--set', 'a=b'], says: '--set' },
    { args: ['diff', '-f', 'm.yaml'], says: 'twice' },
    { args: ['render', '-f', '-', '--watch', '--agent', 'one'], says: '--watch' },
    { args: ['check', '-f', '-', '--watch'], says: '--watch' },
  ])('a call that is not clear exits 2: $args', async ({ args, says }) => {
    const m = `${GOOD}---\n${AGENT('two', 'x')}`;
    const { code, stderr } = await cuebook(args, { cwd: folderWith({ ...TEMPLATE, 'm.yaml': m }), input: m });
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });

  it('compares one Agent as two sets of manifests tell it', async () => {
    const cwd = folderWith({ 'a.yaml': GOOD, 'b.yaml': GOOD.replace('Be kind.', 'Never shout.') });
    const { code, stdout } = await cuebook(['diff', '-f', 'a.yaml', '-f', 'b.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('Never shout');
  });

  it('finds no change where a file is renamed, cut in two or joined, and none but the real one', async () => {
    const [map, agent] = [MAP, AGENT('one', 'I am {{.AgentName}}. {{include "p/a"}} {{len .ToolNames}}')];
    const changed = map.replace('Be kind.', 'Never shout.');
    const quoted = map.replace('|\n    Be kind.', '"Be kind.\\n"');
    const cwd = folderWith({
      'old.yaml': `${map}---\n${agent}`,
      'new.yaml': `${agent}---\n${map}`,
      'cut/1.yaml': agent,
      'cut/2.yaml': map,
      'quoted.yaml': `${quoted}---\n${agent}`,
      'changed/1.yaml': changed,
      'changed/2.yaml': agent,
    });
    const diff = async (before: string, after: string) => {
      const { stdout } = await cuebook(['diff', '-f', before, '-f', after, '--json'], { cwd });
      const { same, origins, reach } = JSON.parse(stdout);
      return { same, origins, reach };
    };
    for (const after of ['new.yaml', 'cut', 'quoted.yaml', 'old.yaml']) {
      expect(await diff('old.yaml', after)).toEqual({ same: true, origins: [], reach: [] });
    }
    for (const before of ['old.yaml', 'new.yaml', 'cut', 'quoted.yaml']) {
      expect(await diff(before, 'changed')).toEqual({
        same: false,
        origins: [
          {
            origin: 'ConfigMap default/p a',
            change: 'changed',
            blocks: ['system'],
            addedLines: ['Never shout.'],
            removedLines: ['Be kind.'],
          },
        ],
        reach: [{ target: 'manifest:default/one', change: 'changed', through: ['ConfigMap default/p a'] }],
      });
    }
  });

  it.each([
    '{{if false}}{{include "p/none"}}{{end}}',
    '{{if .SkillNames}}{{.Nope}}{{end}}',
    '{{and false (include "p/none")}}',
    '{{or true (include "p/none")}}',
    '{{with .SkillNames}}{{.Nope.Never}}{{end}}',
    '{{range .SkillNames}}{{include "p/none"}}{{end}}',
    '{{if true}}{{else}}{{include "p/none"}}{{end}}',
    '{{define "t"}}{{include "p/none"}}{{end}}',
    '{{if false}}{{template "none"}}{{end}}',
    '{{range .ToolNames}}{{break}}{{include "p/none"}}{{end}}',
    '{{if and false (eq .Nope "x")}}{{end}}',
  ])('renders what the cluster would, and leaves to check what is never reached: %s', async (part) => {
    const cwd = folderWith({ 'm.yaml': `${MAP}---\n${AGENT('one', `Hi. ${part}`)}` });
    const { code, stdout, stderr } = await cuebook(['render', '-f', 'm.yaml', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).messages[0].content).toMatch(/^Hi\. /);
    const checked = await cuebook(['check', '-f', 'm.yaml'], { cwd });
    if (!part.includes('template')) expect(checked.code).toBe(1);
  });

  it('hears a signal between two files and two Agents', async () => {
    const files = Array.from({ length: 40 }, (_, i) => [`k/${i}.yaml`, AGENT(`a${i}`, 'x', '[]')]);
    const cwd = folderWith(Object.fromEntries(files));
    let turns = 0;
    let next: NodeJS.Immediate;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    await cuebook(['check', '-f', 'k'], { cwd });
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(2 * files.length);
  });

  it('tells files outside by their last name, and two of one name apart', async () => {
    const away = folderWith({ 'x/m.yaml': MAP, 'y/m.yaml': AGENT('one', '{{include "p/a"}}') });
    const args = ['render', '-f', join(away, 'x/m.yaml'), '-f', join(away, 'y/m.yaml'), '--json'];
    const { stdout } = await cuebook(args, { cwd: folderWith() });
    expect(stdout).not.toContain(away);
    const [span] = JSON.parse(stdout).blocks[0].spans;
    expect(span.origin).toMatchObject({
      ref: 'm.yaml',
      via: [
        { ref: 'm~2.yaml', line: 9, column: 21 },
        { ref: 'm~2.yaml', line: 7, column: 21 },
      ],
    });
  });

  it('reads no more than 64 MiB in all', async () => {
    const large = `# ${'x'.repeat(14 * 1024 * 1024)}\n`;
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.yaml`);
    const cwd = folderWith(Object.fromEntries(names.map((name) => [name, large])));
    const { code, stderr } = await cuebook(['check', '-f', '.'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('E_FILE_TOO_LARGE');
  });

  it('is blamed on the commit of the line', async () => {
    const cwd = folderWith({ 'm.yaml': GOOD });
    commitAll(cwd, 'Manifests');
    const { stdout } = await cuebook(['blame', '-f', 'm.yaml', '--at', '13', '--json'], { cwd });
    const places = [{ ref: 'm.yaml', line: 6, column: 8 }, ...LED_TO];
    expect(JSON.parse(stdout).blame).toMatchObject(places.map((place) => ({ place, summary: 'Manifests' })));
  });

  it('masks the text of a Secret, also in errors', async () => {
    const secret = MAP.replace('ConfigMap', 'Secret').replace('\ndata:', '\nstringData:');
    const source = '[{ kind: Secret, name: p }]';
    const cwd = folderWith({
      'm.yaml': `${secret}---\n${AGENT('one', '{{$x := include "p/a"}}{{include "p/a"}}{{$x}}{{printf "%q" $x}}', source)}`,
      'bad.yaml': `${secret}---\n${AGENT('one', '{{include (include "p/a")}}', source)}`,
    });
    const masked = await cuebook(['render', '-f', 'm.yaml'], { cwd });
    expect(masked.code).toBe(0);
    expect(masked.stdout).toContain('[confidential]');
    expect(masked.stdout).not.toContain('kind');
    expect((await cuebook(['render', '-f', 'm.yaml', '--reveal'], { cwd })).stdout).toContain('Be kind.');
    const bad = await cuebook(['render', '-f', 'bad.yaml'], { cwd });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('E_TEMPLATE_EXEC');
    expect(bad.stderr).not.toContain('kind');
  });
});

describe('manifests/ of a project', () => {
  it('holds targets like any other', async () => {
    const cwd = folderWith({
      ...TEMPLATE,
      'manifests/m.yaml': GOOD,
      'manifests/deep/n.yaml': AGENT('two', 'x', '[]'),
    });
    const { stdout, code } = await cuebook(['check'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('manifest:default/one, manifest:default/two');
    expect((await cuebook(['render', 'manifest:default/one'], { cwd })).stdout).toContain('Be kind.');
    const near = await cuebook(['render', 'manifest:default/oen'], { cwd });
    expect(near.stderr).toContain('Did you mean manifest:default/one?');
  });

  it('that is broken is reported by a check of everything', async () => {
    const cwd = folderWith({ ...TEMPLATE, 'manifests/m.yaml': 'a: [\n' });
    const { stdout, code } = await cuebook(['check'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^manifests\/m\.yaml:2:1 error E_MANIFEST /m);
  });
});

it('the example checks and renders', async () => {
  const cwd = new URL('../../../../examples/manifests/', import.meta.url).pathname;
  expect(await cuebook(['check', '-f', '.'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await cuebook(['render', '-f', '.', '--agent', 'release-notes', '--json'], { cwd });
  const text = JSON.parse(stdout).messages[0].content;
  expect(text).toContain('You have 2 tools:\n- list-merges\n- read-change\nSkill 0 is changelog.\n');
  expect(text).toContain('[confidential]');
  expect(readFileSync(join(cwd, 'prompts.yaml'), 'utf8')).toContain('voice of the house');
});
