import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../../test/runs.js';
import { acceptPackage, cuebook, folderWith } from '../../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../../init/workflow/template.js';

const TARGET = 'workflow:workflows/request';
const script = (steps: readonly unknown[]): string => JSON.stringify({ lanes: { '*': steps } });
const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });

function desk(files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({ ...WORKFLOW_TEMPLATE, ...files });
  const run = (...args: readonly string[]) => cuebook(['run', TARGET, ...args], { cwd });
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    return { code, stderr, answer: JSON.parse(stdout) as Answer };
  };
  return { cwd, run, json };
}

interface Answer {
  readonly run: string;
  readonly status: string;
  readonly for?: string;
  readonly complete: boolean;
  readonly node: string | null;
  readonly text: string;
  readonly command?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

describe('cuebook run workflow:DIR', () => {
  itInTurn(
    'carries the template out in rehearsal, with one command, and leaves artifacts and a record that verifies',
    async () => {
      const { cwd, run } = desk();
      const done = await run('--script', 'rehearsal.yaml', '--trace', 'trace.jsonl');
      expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('done')]);
      expect(done.stdout).toBe(
        'The request is answered. You find the answer in @project/artifacts/answer.md.\n',
      );
      expect(readdirSync(join(cwd, 'artifacts')).sort()).toEqual(['answer.md', 'request.md', 'summary.md']);
      expect(await cuebook(['verify'], { cwd })).toMatchObject({ code: 0 });
      const trace = readFileSync(join(cwd, 'trace.jsonl'), 'utf8');
      expect(trace.match(/"type":"request"/g)).toHaveLength(9);
      expect(trace).not.toContain(cwd);
    },
  );

  itInTurn('goes on with the package of its beginning when that is gone, and with no other one', async () => {
    const { cwd, json, run } = desk({ 's.json': script([{ text: 'One.' }, { text: 'Two.' }]) });
    const { answer } = await json('--script', 's.json', '--input', 'Hello.');
    rmSync(join(cwd, 'workflows'), { recursive: true });
    const on = ['--script', 's.json', '--run', answer.run, '--input', 'And?'];
    expect(await cuebook(['run', 'workflow:workflows/other', ...on], { cwd })).toMatchObject({ code: 2 });
    const again = await json(...on);
    expect(again.answer).toMatchObject({ run: answer.run, text: 'Two.' });
    expect((await run('--script', 's.json')).code).not.toBe(0);
  });

  itInTurn(
    'headless, a question ends with its own status and the command that goes on, which works after a restart',
    async () => {
      const ask = {
        widgetId: 'size',
        type: 'selection',
        message: 'How large?',
        options: [{ value: 'small' }, { value: 'very large' }],
      };
      const { json, cwd, run } = desk({
        'ask.json': script([call('ui.ask_user', ask), { text: 'Thanks.' }]),
      });
      const text = await run('--script', 'ask.json');
      expect(text.code).toBe(1);
      expect(text.stderr).toContain('How large?');
      const line = /^ {2}(cuebook run .*)$/m.exec(text.stderr)?.[1] ?? '';
      expect(line).toMatch(
        /^cuebook run workflow:workflows\/request --script ask\.json --run run_\w+ --answer small$/,
      );
      const { code, answer } = await json('--script', 'ask.json');
      expect([code, answer]).toMatchObject([1, { status: 'waiting', for: 'question', node: 'intake' }]);
      expect(await json('--script', 'ask.json', '--run', answer.run, '--answer', 'medium')).toMatchObject({
        code: 2,
        answer: { error: { code: 'E_USAGE', message: expect.stringContaining('very large') } },
      });
      const went = await cuebook([...line.split(' ').slice(1), '--json'], { cwd });
      expect(went.code).toBe(1);
      expect(JSON.parse(went.stdout)).toMatchObject({ status: 'waiting', for: 'input', text: 'Thanks.' });
      expect(await json('--script', 'ask.json', '--run', answer.run, '--answer', 'small')).toMatchObject({
        answer: { status: 'waiting', for: 'input', text: 'Thanks.' },
      });
    },
  );

  itInTurn('what the run waits for decides what goes on with it', async () => {
    const { json } = desk({ 'talk.json': script([{ text: 'What is it?' }, { text: 'I see.' }]) });
    const { answer } = await json('--script', 'talk.json');
    expect(answer).toMatchObject({ status: 'waiting', for: 'input', text: 'What is it?' });
    expect(answer.command).toContain(`--run ${answer.run} --input TEXT`);
    const nothing = await json('--script', 'talk.json', '--run', answer.run, '--answer', 'yes');
    expect(nothing).toMatchObject({ code: 1, answer: { error: { code: 'E_NOTHING_ASKED' } } });
    const word = await json('--script', 'talk.json', '--run', answer.run, '--input', 'Hours.');
    expect(word).toMatchObject({ code: 1, answer: { for: 'input', text: 'I see.' } });
  });

  it('is coloured at a terminal, and what it says is not', async () => {
    const cwd = folderWith({ ...WORKFLOW_TEMPLATE, 'talk.json': script([{ text: 'Hello.' }]) });
    const args = ['run', TARGET, '--script', 'talk.json'];
    const { stderr } = await cuebook(args, {
      cwd,
      env: { TERM: 'xterm' },
      terminal: { out: false, err: true },
    });
    expect(stderr).toMatch(/\u001b\[33m…\u001b\[39m run_\w+ waiting/);
    expect(stderr).not.toContain('\\u001b');
  });

  itInTurn('a conversation is a run too', async () => {
    const { json } = desk({ 'talk.json': script([{ text: 'Hello.' }, { text: 'Bye.' }]) });
    const { code, answer } = await json('--script', 'talk.json', '--mode', 'chat', '--input', 'Hi');
    expect([code, answer]).toMatchObject([0, { status: 'done', mode: 'chat', text: 'Hello.' }]);
    const more = await json('--script', 'talk.json', '--run', answer.run, '--input', 'So long');
    expect(more).toMatchObject({ code: 0, answer: { text: 'Bye.' } });
  });

  it('a failed turn fails, and the run goes on when the cause is gone', async () => {
    const { json } = desk({ 'fail.json': script([{ error: { status: 401 } }, { text: 'Back.' }]) });
    const failed = await json('--script', 'fail.json');
    expect(failed).toMatchObject({
      code: 1,
      answer: {
        status: 'failed',
        code: expect.stringMatching(/^E_PROVIDER/),
        next: `cuebook run ${TARGET} --script fail.json --run ${failed.answer.run}`,
      },
    });
    const again = await json('--script', 'fail.json', '--run', failed.answer.run);
    expect(again.answer).toMatchObject({ status: 'waiting', text: 'Back.' });
  });

  it.each<readonly [string, readonly string[], string]>([
    ['a state', ['--state', 'rehearsal.yaml'], '--state is for render'],
    ['an answer without a run', ['--answer', 'yes'], 'name it with --run'],
    ['an agent that is not there', ['--active-agent', 'nobody'], 'There are clerk, planner'],
    ['a conversation without a word', ['--mode', 'chat'], '--input TEXT'],
    ['a budget that is none', ['--turns', 'many'], '--turns takes a number'],
    ['a run that is not there', ['--run', 'run_none'], 'No run is called'],
  ])('refuses %s', async (_, args, message) => {
    const { run, cwd } = desk();
    const refused = await run('--script', 'rehearsal.yaml', ...args);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(cwd, 'artifacts'))).toBe(false);
  });

  itInTurn('any folder can be worked on, with a package from anywhere', async () => {
    const home = folderWith(WORKFLOW_TEMPLATE);
    const work = folderWith();
    await acceptPackage(TARGET.slice('workflow:'.length), { cwd: home, project: work });
    const args = ['run', TARGET, '--project', work, '--script', 'rehearsal.yaml', '--json'];
    const done = await cuebook(args, { cwd: home });
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(readdirSync(join(work, 'artifacts'))).toHaveLength(3);
    expect(existsSync(join(home, '.cuebook'))).toBe(false);
  });

  itInTurn('the settings of the project say what agents may do, and rendering says the same', async () => {
    const { json, cwd } = desk({
      'cuebook.yaml': 'workflow:\n  tools: { terminal: { enabled: true, commands: [node] } }\n',
      'go.json': script([
        call('terminal.run', { command: 'node', args: ['-e', 'console.log(process.cwd())'] }),
        { text: 'ok' },
      ]),
    });
    const { answer } = await json('--script', 'go.json', '--trace', 't.jsonl');
    expect(answer).toMatchObject({ status: 'waiting', text: 'ok' });
    const trace = readFileSync(join(cwd, 't.jsonl'), 'utf8');
    expect(trace).toContain('exitCode');
    expect(trace).not.toContain(cwd);
    const shown = await cuebook(['render', TARGET], { cwd });
    expect(shown.stdout).toContain('- terminal: enabled');
    const wrong = desk({ 'cuebook.yaml': 'workflow:\n  tool: {}\n' });
    expect(await wrong.run('--script', 'rehearsal.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "tools"?'),
    });
  });
});
