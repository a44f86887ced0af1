import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEETS = {
  'sheets/a.yaml': `inputs:
  name: { trust: user, secrecy: public, volatility: turn, shape: { line: 40 }, description: "Ends */ here" }
  tone: { trust: user, secrecy: public, volatility: turn, required: false, shape: { enum: [kind, 'a"b'] } }
  files: { trust: operator, secrecy: public, volatility: turn, required: false, type: list }
blocks:
  - history: { max: 4 }
  - name: ask
    role: user
    parts: [{ input: tone }, { input: name }, { template: "{{range .files}} {{.}}{{end}}" }]
`,
  'sheets/plain.yaml': 'blocks: [{ name: b, role: user, parts: [{ text: hi }] }]\n',
  'sheets/loose.yaml': `inputs:
  a: { trust: user, secrecy: public, volatility: turn, required: false }
blocks: [{ name: b, role: user, parts: [{ input: a }] }]
`,
};

/** Calls that the types of these sheets take, and calls that they refuse. */
const RIGHT = [
  `prompt('sheet:a', { name: 'Ada' })`,
  `prompt('sheet:a', { name: 'Ada', tone: 'a"b', files: ['x'], history: [{ role: 'user', content: 'Hi' }] })`,
  `prompt('sheet:a', { name: 'Ada' }, { project: '.' })`,
  `prompt('sheet:plain')`,
  `prompt('sheet:plain', {}, { project: '.' })`,
  `prompt('sheet:loose')`,
  `prompt('sheet:loose', { a: 'x' })`,
  // What a revision takes is not known here, and definitions take what their schema says.
  `prompt('sheet:a@production', { older: 'x' })`,
  `prompt('agent:desk', { anything: 1 })`,
];
const WRONG = [
  `prompt('sheet:a')`,
  `prompt('sheet:a', {})`,
  `prompt('sheet:a', { tone: 'kind' })`,
  `prompt('sheet:a', { name: 7 })`,
  `prompt('sheet:a', { name: 'Ada', tone: 'rude' })`,
  `prompt('sheet:a', { name: 'Ada', files: 'x' })`,
  `prompt('sheet:a', { name: 'Ada', nmae: 'x' })`,
  `prompt('sheet:a', { name: 'Ada', history: [{ role: 'system', content: 'Hi' }] })`,
  `prompt('sheet:a', { name: 'Ada' }, { projct: '.' })`,
  `prompt('sheet:plain', { a: 1 })`,
  `prompt('sheet:loose', { b: 'x' })`,
  `prompt('no target')`,
];

describe('the types of a project', () => {
  it('take right inputs and refuse wrong ones, where a program is compiled with them', async () => {
    const cwd = folderWith({ ...SHEETS, 'package.json': '{ "type": "module" }' });
    expect((await cuebook(['types'], { cwd })).code).toBe(0);
    mkdirSync(join(cwd, 'node_modules', '@types'), { recursive: true });
    symlinkSync(join(ROOT, 'apps', 'cli'), join(cwd, 'node_modules', 'cuebook'));
    symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(cwd, 'node_modules', '@types', 'node'));
    const lines = [...RIGHT, ...WRONG].map((call) => `await ${call};`);
    writeFileSync(join(cwd, 'calls.ts'), [`import { prompt } from 'cuebook';`, ...lines, ''].join('\n'));
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: true },
      types: ['node'],
    };
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const told = compile(cwd);
    const refused = new Set([...told.matchAll(/^calls\.ts\((\d+),/gm)].map(([, line]) => Number(line)));
    const wanted = lines.map((_, index) => index + 2).slice(RIGHT.length);
    expect(
      [...refused].sort((a, b) => a - b),
      told,
    ).toEqual(wanted);
    expect(told.split('\n').filter((line) => !/^(calls\.ts|\s|$)/.test(line))).toEqual([]);
  });
});

function compile(cwd: string): string {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    return execFileSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], { cwd, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
