import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const PROJECT = {
  'cuebook.yaml': '',
  'sheets/desk.yaml': `params: { temperature: 0.2, maxOutputTokens: 9 }
capabilities: [read]
tools:
  - name: look
    description: Looks around.
    parameters: { type: object, properties: { where: { type: string, description: Which room } } }
blocks:
  - name: rules
    role: system
    parts: [{ include: rules }]
`,
  'texts/rules.md': 'Be "kind".\nAlways cite the file.\n',
  'script.yaml': 'lanes:\n  "*":\n    - text: Fine.\n',
};

const ANTHROPIC = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5'];

const answer = async (cwd: string, ...args: string[]) => {
  const { stdout, stderr, code } = await cuebook([...args, '--json'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
};

async function recorded(cwd: string): Promise<string> {
  await cuebook(['run', 'sheet:desk', '--script', 'script.yaml', '--json'], { cwd });
  return (await answer(cwd, 'runs')).runs[0].run;
}

describe('the body that a provider is sent', () => {
  it('answers for escaped words, tools, schemas, parameters and structure', async () => {
    const cwd = folderWith(PROJECT);
    const at = (words: string) => answer(cwd, 'explain', 'sheet:desk', '--wire', ...ANTHROPIC, '--at', words);
    expect(await at('cite the')).toMatchObject({
      block: 'rules',
      origin: { kind: 'file', ref: 'texts/rules.md', line: 2, column: 8 },
      wire: { format: 'anthropic', part: { kind: 'block', block: 'rules' } },
    });
    expect(await at('Looks around')).toMatchObject({
      origin: { ref: 'sheets/desk.yaml', line: 5 },
      wire: { part: { kind: 'tool', tool: 'look', pointer: '/description' } },
    });
    expect(await at('Which room')).toMatchObject({
      origin: { ref: 'sheets/desk.yaml', line: 6 },
      wire: { part: { pointer: '/parameters/properties/where/description' } },
    });
    expect(await at('0.2')).toMatchObject({
      origin: { ref: 'sheets/desk.yaml', line: 1 },
      wire: { part: { kind: 'param', name: 'temperature' } },
    });
    expect(await at('"role"')).toMatchObject({
      origin: {
        kind: 'structure',
        ref: 'anthropic messages[].role',
        via: [{ ref: 'cuebook:provider/grammar.md', line: expect.any(Number) }],
      },
    });
  });

  it('is rendered byte for byte, with the source of each byte', async () => {
    const cwd = folderWith(PROJECT);
    const { text, spans } = await answer(cwd, 'render', 'sheet:desk', '--wire', ...ANTHROPIC);
    expect(JSON.parse(text).tools[0].name).toBe('look');
    expect(spans.at(-1).end).toBe(Buffer.byteLength(text));
    const plain = await cuebook(['render', 'sheet:desk', '--wire', ...ANTHROPIC], { cwd });
    expect(plain.stdout).toBe(`${text}\n`);
  });

  it('of a turn on record is by its hash what was sent', async () => {
    const cwd = folderWith(PROJECT);
    const run = await recorded(cwd);
    expect(await answer(cwd, 'explain', `${run}@1`, '--wire', '--at', 'Looks around')).toMatchObject({
      target: `${run}@1`,
      origin: { ref: 'sheets/desk.yaml', line: 5 },
      wire: { format: 'rehearsal', sent: true },
      record: { run },
    });
    const text = await cuebook(['explain', `${run}@1`, '--wire', '--at', 'Looks around'], { cwd });
    expect(text.stdout).toMatch(/^body +rehearsal sha256:[0-9a-f]{64}, as it was sent$/m);
  });

  it('is counted by how well its bytes answer', async () => {
    const cwd = folderWith(PROJECT);
    const run = await recorded(cwd);
    const { rows } = await answer(cwd, 'census', 'sheet:desk', run);
    expect(rows.map(({ of }: { of: string }) => of)).toEqual(['sheet:desk', run]);
    expect(rows[1]).toMatchObject({ bodies: 1, sent: 1 });
    for (const { bytes, classes } of rows) {
      const counts = Object.values(classes) as number[];
      expect(counts.reduce((sum, each) => sum + each, 0)).toBe(bytes);
      expect(classes).toMatchObject({ corner: 0, name: 0, shipped: 0, input: 0 });
      expect(classes.exact + classes.start + classes.structure).toBe(bytes);
    }
    expect((await cuebook(['census'], { cwd })).stdout).toMatch(/^sheet:desk +\d+ +\d+\.\d%/m);
  });

  it('is told by what it repeats of the turn before', async () => {
    const cwd = folderWith(PROJECT);
    const run = await recorded(cwd);
    const { rows, savings } = await answer(cwd, 'prefix', run);
    expect({ rows, savings }).toMatchObject({
      rows: [{ isFirst: true, keptBytes: 0, brokenBy: null, sameTools: true }],
      savings: [],
    });
    const { stdout } = await cuebook(['prefix'], { cwd });
    expect(stdout).toMatch(/^turn +bytes +kept.*\n\S+ +\d+ +- +- +nothing: the first turn of turn$/m);
  });

  it('of a provider that is not there is a wrong call', async () => {
    const cwd = folderWith(PROJECT);
    const call = ['explain', 'sheet:desk', '--wire', '--provider', 'nobody', '--at', '0'];
    const { code, stderr } = await cuebook(call, { cwd });
    expect({ code, told: stderr.includes('E_PROVIDER_CONFIG') }).toEqual({ code: 2, told: true });
  });
});
