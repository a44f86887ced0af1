import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { sheetProject } from '../../test/sheet-project.js';

const FILES = {
  ...sheetProject({
    sheet: 'mail',
    input: 'mail',
    tone: 'You answer mails.\nThank whoever wrote.\n',
    cases: 6,
    measured: `metrics: { thanks: { answer: { matches: "^Thank" } } }
gate: { primary: thanks, margin: 0.1 }
`,
  }),
  'judges/kind.yaml': `asks: Is the answer polite?
anchors:
  good: ["Thank you for it."]
  bad: ["Nonsense."]
model: sim-judge
`,
  'tune/mail.yaml': `cases: tests/mail.test.yaml
tunable: [texts/tone.md]
held: 0.5
candidates: 1
proposer: { model: sim-proposer }
`,
  'script.json': JSON.stringify({
    lanes: {
      'sim-proposer': [{ text: 'I have no idea.' }],
      'sim-judge': { judge: { truth: '^Thank', sensitivity: 1, specificity: 1, garbled: 0 } },
      '*': { odds: { seed: 3, base: 9, effects: [], answers: { good: 'Thank you.', bad: 'Hello.' } } },
    },
  }),
};

/** Every command that measures answers, in the project above. */
const COMMANDS: readonly string[][] = [
  ['eval'],
  ['compare', '--change', 'drop:texts/tone.md:2'],
  ['ablate', '--units', 'part'],
  ['tune', 'tune/mail.yaml'],
  ['judge', 'kind'],
];
const told = (line: readonly string[]) =>
  cuebook([...line, '--script', 'script.json'], { cwd: folderWith(FILES) });

describe('answers of the rehearsal', () => {
  it.each(COMMANDS)('are told as such by %s', async (...line) => {
    const { stdout, stderr } = await told(line);
    expect(stdout, stderr).toContain('answered by a script (rehearsal)');
  });

  it.each(COMMANDS)('are told as such by %s --json', async (...line) => {
    const { stdout, stderr } = await told([...line, '--json']);
    expect(stdout, stderr).toContain('a script (rehearsal)');
  });
});
