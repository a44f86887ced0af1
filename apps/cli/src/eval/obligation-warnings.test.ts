import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEET = `title: Answer
blocks:
  - { name: rules, role: system, parts: [{ include: tone }, { include: form }] }
`;
const check = async (files: Readonly<Record<string, string>>) => {
  const cwd = folderWith({ 'sheets/a.yaml': SHEET, 'texts/form.md': 'Write in English.\n', ...files });
  const { stdout, code } = await cuebook(['check', '--json'], { cwd });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; file?: string; line?: number; message: string }[];
  };
  return {
    code,
    told: diagnostics.map(({ code: of, file, line, message }) => `${of} ${file}:${line} ${message}`),
  };
};
const sensors = (obligations: object): string =>
  JSON.stringify({ sensors: 1, target: 'sheet:a', run: 'run_a', obligations });

describe('30: check warns of obligations', () => {
  it.each(
    inTurn(
      [
        [
          { 'texts/tone.md': 'Be kind to all.\nWrite in English.\n' },
          ['W_DUPLICATE_OBLIGATION texts/form.md:1 "Write in English." stands at texts/tone.md:2, too'],
        ],
        [
          { 'texts/tone.md': 'Name the price.\nNever write in English.\n' },
          [
            'W_OPPOSED_OBLIGATION texts/form.md:1 "Write in English." stands against "Never write in English." at texts/tone.md:2',
          ],
        ],
        [{ 'texts/tone.md': 'Never write in English unless asked.\n' }, []],
        [
          {
            'texts/tone.md': 'Name the price.\n',
            'sensors/a.json': sensors({ 'Name the price.': [], 'Write in English.': ['c1'] }),
          },
          ['W_NO_SENSOR texts/tone.md:1 No case notices "Name the price."'],
        ],
        [{ 'texts/tone.md': 'Name the price.\n', 'sensors/a.json': sensors({ 'Something else.': [] }) }, []],
        [
          { 'texts/tone.md': 'Name the price.\n', 'sensors/a.json': '{}' },
          [
            'W_NO_SENSOR sensors/a.json:undefined It is no file of sensors: write it anew with ablate --save-sensors',
          ],
        ],
      ],
      4,
    ),
  )('%j', async (files, expected) => {
    expect(await check(files)).toEqual({ code: 0, told: expected });
  });
});
