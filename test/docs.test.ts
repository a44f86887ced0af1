import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, prepareCommand } from './docs/command.js';
import { type Desk, setUpDesk } from './docs/desk.js';
import { documents } from './docs/document.js';
import { isOnlyNamed, namedProblem, runSteps } from './docs/session.js';
import { compiledFile, compileSnippets } from './docs/snippets.js';
import { anchorsIn, fencesIn, linksIn } from './markdown.js';
import { part } from './part.js';
import { ROOT } from './root.js';
import { inTurn, share } from './runs.js';
import { matchesShown, readSteps } from './transcript.js';

// Every `sh` and `ts` block of every document runs. How to write them: see `readSteps` (commands, shown
// output, `…`, `# exit N`) and `runSteps` (where they run). Blocks of one document share a desk, in order, so that a
// document has its turn whole.

const DOCUMENTS = documents().map(({ file, text }) => ({
  file,
  text,
  fences: fencesIn(text).map((fence) => ({
    ...fence,
    place: `${file}:${fence.line}`,
    name: `${file.replace(/\W+/g, '-')}-${fence.line}`,
  })),
}));
const RUN = inTurn(DOCUMENTS.filter(({ fences }) => fences.some(isRun)));
const SNIPPETS = RUN.flatMap(({ fences }) => fences.filter(({ language }) => language === 'ts'));

let typeProblems: ReadonlyMap<string, string>;
let command: Command;
beforeAll(async () => {
  [typeProblems, command] = await Promise.all([compileSnippets(SNIPPETS), prepareCommand(share(0, 1) === 1)]);
});
afterAll(() => command?.stop());

describe.each(DOCUMENTS)('$file', ({ file, text }) => {
  it('links only to what exists', () => {
    const isHere = ({ target }: { target: string }) => !/^(?:[a-z]+:|\/\/)/i.test(target);
    expect(
      linksIn(text)
        .filter(isHere)
        .flatMap((link) => linkProblem(file, text, link)),
    ).toEqual([]);
  });
});

describe.each(RUN)('$file', ({ fences }) => {
  let desk: Desk;
  beforeAll(() => {
    desk = setUpDesk(part('git').path, command);
  });
  afterAll(() => desk?.clear());

  for (const { language, code, place, name } of fences) {
    if (language === 'sh') {
      it(`runs the commands at ${place}`, async () => {
        const steps = readSteps(code);
        expect(steps.length).toBeGreaterThan(0);
        for (const { command } of steps.filter((step) => isOnlyNamed(step.command)))
          expect(namedProblem(command)).toBeUndefined();
        for (const [index, answer] of (await runSteps(desk, steps)).entries()) {
          const { command, expected, exit } = steps[index] as (typeof steps)[number];
          expect(answer.exit, `$ ${command}\n${answer.output}`).toBe(exit);
          if (expected && !isOnlyNamed(command) && !matchesShown(expected, answer.output)) {
            expect(answer.output, `$ ${command}`).toBe(expected.join('\n'));
          }
        }
      });
    }
    if (language === 'ts') {
      it(`runs the snippet at ${place}`, async () => {
        await command.runModule(compiledFile(name), { cwd: desk.project, env: desk.env });
      });
    }
  }
});

describe('the documentation', () => {
  it('has snippets that the compiler takes', () => {
    expect(SNIPPETS.map(({ place, name }) => [place, typeProblems.get(name)])).toEqual(
      SNIPPETS.map(({ place }) => [place, '']),
    );
  });

  it('uses only fences that are run or that cannot be', () => {
    const known = ['', 'sh', 'ts', 'json', 'yaml', 'toml', 'lua', 'text', 'md', 'mermaid', 'diff'];
    const strange = DOCUMENTS.flatMap(({ fences }) =>
      fences.filter(({ language }) => !known.includes(language)),
    );
    expect(strange.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
  });
});

function isRun({ language }: { readonly language: string }): boolean {
  return language === 'sh' || language === 'ts';
}

function linkProblem(
  file: string,
  text: string,
  { target, line }: { target: string; line: number },
): readonly string[] {
  const [path = '', anchor] = target.split('#');
  const full = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), decodeURIComponent(path));
  if (!existsSync(full)) return [`${file}:${line} ${target}: no such file`];
  if (!anchor || statSync(full).isDirectory() || !full.endsWith('.md')) return [];
  const page = path === '' ? text : readFileSync(full, 'utf8');
  return anchorsIn(page).has(anchor) ? [] : [`${file}:${line} ${target}: no such heading`];
}
