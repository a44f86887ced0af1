import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { ask, asking, env, TARGET, waiting } from '../../test/asking.js';
import { acceptPackage, cuebook, folderWith } from '../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const GO = ask({ type: 'confirmation', message: 'Go on?' });
const SCRIPT = JSON.stringify({ lanes: { '*': [GO, { text: 'Thanks.' }] } });

/** Begins a run in a project, and answers its question from a folder. */
async function answered(args: readonly string[], cwd: string, at: readonly string[] = []) {
  const begun = await cuebook(['run', ...args, ...at, '--json'], { cwd, env });
  const { run } = JSON.parse(begun.stdout) as { readonly run: string };
  const went = await cuebook(['approvals', 'answer', run, 'yes', '--json', ...at], { cwd, env });
  const log = await cuebook(['log', run, '--json', ...at], { cwd, env });
  return { run, went, answer: JSON.parse(went.stdout) as Record<string, unknown>, log: log.stdout };
}

describe('going on from what is on record', () => {
  it('works from any folder, by the names of the project alone', async () => {
    const files = Object.entries({ ...WORKFLOW_TEMPLATE, 'ask.json': SCRIPT });
    const top = folderWith(Object.fromEntries(files.map(([path, text]) => [`desk/${path}`, text])));
    const project = join(top, 'desk');
    const target = `workflow:${join(project, 'workflows/request')}`;
    const script = join(project, 'ask.json');
    const { answer, log, went } = await answered([target, '--script', script], top, ['--project', 'desk']);
    expect([went.code, answer]).toMatchObject([1, { status: 'waiting', for: 'input', text: 'Thanks.' }]);
    expect(log).toContain(`"script":"ask.json","target":"${TARGET}"`);
    expect(log).not.toContain(top);
    expect(log).not.toContain(basename(top));
  });

  it('a package from outside the project is not named in the record, and the run goes on with what was kept of it', async () => {
    const elsewhere = folderWith({ ...WORKFLOW_TEMPLATE, 'ask.json': SCRIPT });
    const project = folderWith({ 'cuebook.yaml': '', 'ask.json': SCRIPT });
    const at = ['--project', project];
    await acceptPackage(TARGET.slice('workflow:'.length), { cwd: elsewhere, project, env });
    const { run, answer, log } = await answered([TARGET, '--script', 'ask.json'], elsewhere, at);
    expect(answer).toMatchObject({ run, status: 'waiting', for: 'input', text: 'Thanks.' });
    expect(log).not.toContain(basename(elsewhere));
    expect(log).not.toContain('"target"');
    expect(await waiting(project)).toMatchObject([{ run, for: 'input', answers: ['TEXT'] }]);
    const went = await cuebook(['run', TARGET, '--script', 'ask.json', ...at, '--run', run, '--json'], {
      cwd: elsewhere,
      env,
    });
    expect(JSON.parse(went.stdout)).toMatchObject({ text: 'Thanks.' });
  });

  it('a script from outside the project is not named in the record, and the run goes on with what it says', async () => {
    const script = JSON.stringify({ lanes: { '*': [GO, { text: 'Thanks.' }, { text: 'Bye.' }] } });
    const elsewhere = folderWith({ 'ask.json': script });
    const project = folderWith(WORKFLOW_TEMPLATE);
    const given = [TARGET, '--script', join(elsewhere, 'ask.json')];
    const { run, answer, log } = await answered(given, project);
    expect(answer).toMatchObject({ run, status: 'waiting', text: 'Thanks.' });
    expect(log).not.toContain(basename(elsewhere));
    const [, command = ''] = /^cuebook (.*) --input TEXT$/.exec(String(answer.next)) ?? [];
    expect(command).toBe(`run ${TARGET} --run ${run}`);
    const went = await cuebook([...command.split(' '), '--input', 'More.', '--json'], { cwd: project, env });
    expect(JSON.parse(went.stdout)).toMatchObject({ run, text: 'Bye.', provider: 'rehearsal' });
  });

  it('a package that was broken meanwhile changes nothing: the run has the one of its beginning', async () => {
    const { cwd, id, call } = await asking([GO]);
    writeFileSync(join(cwd, 'workflows/request/bmad.json'), '{');
    expect((await call('approvals', 'answer', id, 'yes')).stdout).toBe('Thanks.\n');
  });

  it('settings that were broken meanwhile keep no answer out: it is on record, and the command is named', async () => {
    const { cwd, run, id, call } = await asking([GO]);
    const settings = join(cwd, 'cuebook.yaml');
    const whole = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${whole}workflow: { maxTurns: many }\n`);
    const told = await call('approvals', 'answer', id, 'yes');
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('E_CONFIG') });
    const [, command = ''] = /go on with:\n {2}cuebook (.*)\n/.exec(told.stderr) ?? [];
    expect(command).toBe(`run ${TARGET} --script ask.json --run ${run}`);
    writeFileSync(settings, whole);
    expect((await call(...command.split(' '))).stdout).toBe('Thanks.\n');
  });

  it('a run that somebody went on with in another voice keeps that one', async () => {
    const say = "tell({ kind: 'text', text: 'Mine.' }); tell({ kind: 'end', reason: 'done' });";
    const files = {
      'words.mjs': `import { createInterface } from 'node:readline';
const tell = (line) => console.log(JSON.stringify(line));
for await (const line of createInterface({ input: process.stdin })) if (JSON.parse(line).kind === 'prompt') { ${say} }
`,
      'cuebook.yaml': `providers: { words: { kind: line, command: ${process.execPath}, args: [words.mjs] } }\n`,
    };
    const { cwd, run, id, call } = await asking([GO, GO], files);
    expect((await call('approvals', 'answer', id, 'yes')).code).toBe(1);
    const [row] = await waiting(cwd);
    await call('run', TARGET, '--run', run, '--provider', 'words', '--answer', 'yes');
    expect(row?.for).toBe('question');
    const [word] = await waiting(cwd);
    expect(word?.for).toBe('input');
    const told = await call('approvals', 'answer', run, 'Go', 'on.');
    expect(told).toMatchObject({ code: 1, stdout: 'Mine.\n' });
    expect(told.stderr).toContain(`cuebook run ${TARGET} --provider words --run ${run}`);
  });
});

describe('a hostile question', () => {
  const clear = '\u001b[2J\u001b]0;title\u0007';
  const words = `${clear}Allow\u202e everything?\n\n${'x'.repeat(49_000)}`;
  const choice = { type: 'selection', message: words, options: [{ value: `a'; rm -r x; ${clear}` }] };

  it('cannot move the cursor, is one bounded line in the list, and whole where it is shown', async () => {
    const { cwd, id } = await asking([ask(choice)]);
    const terminal = { out: true, err: true };
    const call = (...args: readonly string[]) =>
      cuebook(['approvals', ...args], { cwd, env: { ...env, NO_COLOR: '1' }, terminal });
    const listed = await call();
    expect(listed.stdout).toMatch(
      / asks: \\u001b\[2J\\u001b\]0;title\\u0007Allow\\u202e everything\? x+…\n$/,
    );
    expect(listed.stdout.length).toBeLessThan(400);
    const shown = await call('show', id);
    expect(shown.stdout.length).toBeGreaterThan(49_000);
    const attach = await cuebook(['attach'], { cwd, env: { ...env, NO_COLOR: '1' }, terminal });
    const refused = await call('answer', id, 'b');
    for (const { stdout, stderr } of [listed, shown, attach, refused]) {
      expect(`${stdout}${stderr}`).not.toMatch(/[\u0007\u001b\u202e]/);
    }
    // What the shell is handed is one word, whatever it holds.
    expect(shown.stdout).toContain(`cuebook approvals answer ${id} 'a'\\''; rm -r x; `);
  });

  it('of ten megabytes is refused, and nothing grows', async () => {
    const huge = { type: 'confirmation', message: 'x'.repeat(10_000_000) };
    const { call, waits } = await asking([ask(huge)]);
    const listed = await call('approvals');
    expect(listed.stdout.length).toBeLessThan(400);
    expect(JSON.stringify(await waits()).length).toBeLessThan(5_000);
    expect((await call('runs')).stdout.length).toBeLessThan(400);
  });
});
