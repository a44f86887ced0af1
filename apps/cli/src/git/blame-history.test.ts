import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { createRecorder, openOwner, openStore, type RunId } from '@cuebook/journal';
import { explain } from '@cuebook/prompt';
import { expect } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { randomOf } from '../../../../test/random.js';
import { itInTurn as it, SEED, share } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import type { Io } from '../io.js';
import { openBenchAt } from '../project/bench.js';
import { composeWith, requireTarget } from '../project/target.js';

const AUTHORS = ['Ada', 'Grace', 'Kurt', 'Emmy'];
const COMMITS = 50;
const START = Date.parse('2024-03-01T08:00:00Z');
const HOUR = 3_600_000;
const RUN = 'run_history' as RunId;

/** A project that changes: its words by line, and how they are written down. */
interface Project {
  readonly rules: string[];
  readonly steps: string[];
  /** What the file of the rules is called. */
  name: string;
  style: 'literal' | 'folded' | 'quoted' | 'plain';
  indent: number;
}

describePart('git', 'blame of turns on record', () => {
  it('is that of git at the time, after commits of four authors with edits, renames and reformatting', async () => {
    const cwd = folderWith({});
    const random = randomOf(SEED);
    const project: Project = {
      rules: ['You must cite the file.', '', 'Never guess.', 'Be kind; γ 𝄞.', 'Never guess.'],
      steps: ['Read every line.', 'Ask when in doubt.'],
      name: 'rules',
      style: 'literal',
      indent: 2,
    };
    const heads: string[] = [];
    const turns: { readonly name: string; readonly commit: string }[] = [];
    git(cwd, START, 'Ada', ['init', '--quiet', '--initial-branch=main']);
    let clock = START;
    await withRecorder(
      cwd,
      () => clock,
      async (record) => {
        for (let count = 0; count < COMMITS; count += 1) {
          if (count > 0) change(cwd, project, random, count);
          write(cwd, project);
          clock = START + count * HOUR;
          const author = AUTHORS[random(AUTHORS.length)] as string;
          git(cwd, clock, author, ['add', '--all', 'sheets', 'texts']);
          git(cwd, clock, author, ['commit', '--quiet', '--allow-empty', '--message', `change ${count}`]);
          heads.push(git(cwd, clock, author, ['rev-parse', 'HEAD']).trim());
          clock += HOUR / 2;
          if (count % 5 !== 2) continue;
          await record(`t${count}`);
          turns.push({ name: `${RUN}@t${count}`, commit: heads[count] as string });
        }
      },
    );
    const wanted = share(6, 1_000);
    for (let tried = 0; tried < wanted; tried += 1) {
      const { name, commit } = turns[random(turns.length)] as (typeof turns)[number];
      const render = await cuebook(['replay', name, '--json'], { cwd });
      const document = JSON.parse(render.stdout);
      const prompt = { blocks: document.blocks };
      const at = random(
        Buffer.byteLength(document.blocks.map(({ text }: { text: string }) => text).join('\n\n')),
      );
      const origin = explain(prompt, at)?.origin;
      if (origin?.line === undefined) continue;
      const { stdout } = await cuebook(['blame', name, '--at', String(at), '--json'], { cwd });
      const { blame } = JSON.parse(stdout);
      const oracle = git(cwd, clock, 'Ada', [
        ...['blame', '--porcelain', '-L', `${origin.line},${origin.line}`, commit, '--', origin.ref],
      ]);
      const [id = ''] = oracle.split(' ', 1);
      const author = /^author (.*)$/m.exec(oracle)?.[1];
      expect({ name, at, origin, commit: blame[0].commit, author: blame[0].author }).toEqual({
        ...{ name, at, origin },
        commit: id,
        author,
      });
    }
  });
});

/** One change of the kind that people make. */
function change(cwd: string, project: Project, random: (below: number) => number, count: number): void {
  const { rules, steps } = project;
  const lines = random(3) === 0 ? steps : rules;
  const at = random(lines.length);
  switch (random(7)) {
    case 0:
      lines[at] = `Line ${count} is new: ask first.`;
      break;
    case 1:
      lines.splice(at, 0, `Line ${count} was put in.`);
      break;
    case 2:
      if (lines.length > 2) lines.splice(at, 1);
      break;
    case 3: {
      const name = `rules-${count}`;
      renameSync(join(cwd, `texts/${project.name}.md`), join(cwd, `texts/${name}.md`));
      project.name = name;
      break;
    }
    case 4:
      project.style = (['literal', 'folded', 'quoted', 'plain'] as const)[random(4)] ?? 'literal';
      break;
    case 5:
      project.indent = 2 + random(5);
      break;
    default:
      lines.reverse();
  }
}

function write(cwd: string, { rules, steps, name, style, indent }: Project): void {
  mkdirSync(join(cwd, 'sheets'), { recursive: true });
  rmSync(join(cwd, 'texts'), { recursive: true, force: true });
  mkdirSync(join(cwd, 'texts'));
  writeFileSync(join(cwd, `texts/${name}.md`), `${rules.join('\n')}\n`);
  const pad = ' '.repeat(10 + indent);
  const text = {
    literal: `|\n${steps.map((each) => pad + each).join('\n')}`,
    folded: `>\n${steps.map((each) => pad + each).join('\n')}`,
    quoted: JSON.stringify(`${steps.join('\n')}\n`),
    plain: steps.join(`\n${pad}`).replaceAll(': ', ', '),
  }[style];
  const sheet = `blocks:\n  - name: all\n    role: system\n    parts:\n      - text: ${text}\n      - include: ${name}\n`;
  writeFileSync(join(cwd, 'sheets/desk.yaml'), sheet);
}

/** Records the sheet as it composes now, as a turn. */
async function withRecorder(
  cwd: string,
  now: () => number,
  work: (record: (turn: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const home = join(cwd, '.cuebook');
  mkdirSync(home, { mode: 0o700 });
  const files = must(await openFolder(home));
  const owner = must(await openOwner(files, { folder: cwd, anchorFile: join(home, 'anchor.jsonl') }));
  const store = must(await openStore({ file: join(home, 'journal.db') }, { owner, home, clock: { now } }));
  const recorder = createRecorder({ store, signer: owner.signer });
  const io = { cwd, env: {}, err: () => undefined } as unknown as Io;
  try {
    await work(async (turn) => {
      const bench = await openBenchAt(cwd, io, ['sheet']);
      const { request } = await composeWith(await requireTarget(bench, 'sheet:desk'), undefined);
      must(await recorder.record({ run: RUN, turn, lane: 'l', request, provider: 'rehearsal' }));
    });
  } finally {
    await store.close();
  }
}

function must<Value>(result: { ok: true; value: Value } | { ok: false; error: unknown }): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function git(cwd: string, at: number, author: string, args: readonly string[]): string {
  const date = new Date(at).toISOString();
  const name = ['-c', `user.name=${author}`, '-c', `user.email=${author.toLowerCase()}@example.com`];
  return execFileSync('git', [...name, ...args], {
    cwd,
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    encoding: 'utf8',
  });
}
