import { expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

it('up writes JSON lines for programs: started, draining, ended, each with who writes it', async () => {
  const cwd = folderWith(TEMPLATE);
  const stop = new AbortController();
  const { code, stderr, stdout } = await cuebook(['up', '--json', '--log-format', 'json', '--port', '0'], {
    cwd,
    env: { HOME: cwd },
    stop: stop.signal,
    onPrint: () => stop.abort(),
  });
  expect([code, JSON.parse(stdout).url]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => message)).toEqual(['started', 'draining', 'ended']);
  for (const { time, level, role, worker, project } of lines) {
    expect(new Date(time).toISOString()).toBe(time);
    expect([level, role]).toEqual(['info', 'server']);
    expect(worker).toMatch(/^server-[0-9a-f]{10}$/);
    expect(project).toMatch(/^prj_/);
  }
});

it('what packages print and Node warns of are lines of the log too, without their words, and the console is given back', async () => {
  const cwd = folderWith(TEMPLATE);
  const stop = new AbortController();
  const before = [console.error, ...process.listeners('warning')];
  const { stderr } = await cuebook(['up', '--log-format', 'json', '--port', '0'], {
    cwd,
    env: { HOME: cwd },
    stop: stop.signal,
    onPrint: () => {
      for (const print of ['log', 'info', 'warn', 'error', 'trace'] as const) {
        console[print]('zqprivate %s', 'zqprivate');
        console[print](Object.assign(new TypeError('zqprivate'), { code: '25006', detail: 'zqprivate' }));
        console[print]({ zqprivate: ['zqprivate'] });
      }
      process.emitWarning('zqprivate', 'zqprivate', 'zqprivate');
      // A warning is told a tick later.
      setImmediate(() => stop.abort());
    },
  });
  expect(stderr).not.toContain('zqprivate');
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const printed = lines.filter(({ message }) => message === 'A package of this process printed something.');
  expect(printed).toHaveLength(16);
  expect(printed.filter(({ error, code }) => error === 'TypeError' && code === '25006')).toHaveLength(5);
  expect([console.error, ...process.listeners('warning')]).toEqual(before);
});

it('refuses another format, and an address for probes that is none, before anything starts', async () => {
  const cwd = folderWith(TEMPLATE);
  const rows = [
    [['up', '--log-format', 'xml'], '--log-format takes text or json, not "xml"'],
    [['worker', '--log-format', 'json', '--probes', 'here:1'], '--probes takes a port'],
    [['worker', '--probes', '70000'], '--probes takes a port'],
  ] as const;
  for (const [args, message] of rows) {
    const { code, stderr } = await cuebook(args, { cwd, env: { HOME: cwd } });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});
