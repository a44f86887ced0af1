import { createRedactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createLog } from './create-log.js';
import type { LogEntry } from './log-entry.js';

const PRIVATE = 'sk-live-4f9a8b7c6d5e4f3a2b1c';
const redactor = createRedactor({ roots: [['@project', '/srv/acme']], private: [PRIVATE], names: [] });

/** Words that no code of ours has: long enough that they are no part of a file or a function by chance. */
const word = fc.stringMatching(/^[qxzj]{6,12}$/);
const hostile = fc
  .tuple(word, fc.constantFrom('', '\n', '\n    at ', ' (', '"}', '\u2028', '\u0000'), word)
  .map(([a, between, b]) => ({ words: [a, b], text: `${a}${between}${b} /srv/acme/${a} ${PRIVATE}` }));

describe('an entry of the log', () => {
  it('holds no word of what was thrown, whatever that is, and is one line of JSON', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom('error', 'renamed', 'rewritten', 'cause', 'object', 'nested', 'sql', 'framed'),
        ({ words, text }, form) => {
          const [entry] = logged(thrownAs(form, text));
          const line = JSON.stringify(entry);
          expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
          for (const each of [...words, PRIVATE, '/srv/acme']) expect(line).not.toContain(each);
          expect(entry).toMatchObject({ role: 'worker', worker: 'worker-1', project: 'prj_1', run: 'run_1' });
          expect(['warn', 'error']).toContain(entry?.level);
        },
      ),
      runs(200, 5_000),
    );
  });

  it('masks what is private in a sentence of our own, and finds its code', () => {
    const [entry] = logged(`It waits: E_WORKSPACE_REMOTE /srv/acme/x ${PRIVATE}`);
    expect(entry).toMatchObject({ level: 'warn', code: 'E_WORKSPACE_REMOTE' });
    expect(entry?.message).not.toContain(PRIVATE);
    expect(entry?.message).not.toContain('/srv/acme');
  });

  it('as lines for a person tells what was thrown, with what is private masked', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom('error', 'renamed', 'rewritten', 'cause', 'object', 'nested', 'sql', 'framed'),
        ({ text }, form) => {
          const lines: string[] = [];
          const log = createLog(
            { log: (line) => lines.push(line), redactor },
            { role: 'server', worker: 'server-1' },
          );
          log.problem(thrownAs(form, text), { run: 'run_1' });
          log.warn(text);
          expect(lines).toHaveLength(2);
          expect(lines[0]).toMatch(/^run_1: /);
          for (const each of [PRIVATE, '/srv/acme']) expect(lines.join('\n')).not.toContain(each);
        },
      ),
      runs(200, 5_000),
    );
  });

  it('of a warning is masked', () => {
    const entries: LogEntry[] = [];
    const log = createLog(
      { log: () => undefined, logEntry: (entry) => entries.push(entry), redactor },
      { role: 'server', worker: 'server-1' },
    );
    log.warn(`/srv/acme/x holds ${PRIVATE}`);
    expect(entries[0]).toMatchObject({ level: 'warn' });
    expect(JSON.stringify(entries)).not.toMatch(/srv.acme|sk-live/);
  });

  it('says where in the code an error came from, by function, file and line', () => {
    function breaksHere(): never {
      throw Object.assign(new TypeError('words'), { code: 'ECONNREFUSED' });
    }
    const [entry] = logged(thrownBy(breaksHere));
    expect(entry).toMatchObject({ level: 'error', error: 'TypeError', code: 'ECONNREFUSED' });
    expect(entry?.at?.[0]).toMatch(/^breaksHere log-entry\.test\.ts:\d+$/);
  });
});

function logged(problem: unknown): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  const who = { role: 'worker', worker: 'worker-1', project: 'prj_1' } as const;
  const log = createLog(
    { log: () => entries.push({} as never), logEntry: (entry) => entries.push(entry), redactor },
    who,
  );
  log.problem(problem, { run: 'run_1' });
  return entries;
}

function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('It did not throw.');
}

function thrownAs(form: string, text: string): unknown {
  switch (form) {
    case 'renamed':
      return Object.assign(new Error(text), { name: text });
    case 'rewritten': {
      const error = new Error(text);
      error.message = 'short';
      return error;
    }
    case 'cause':
      return new Error(text, { cause: new Error(text) });
    case 'object':
      return { code: text, message: text };
    case 'nested':
      return { error: { code: 'E_X', message: [text] } };
    case 'sql':
      return Object.assign(new Error(`duplicate key value (${text})`), { code: '23505', detail: text });
    case 'framed':
      return Object.assign(new Error(text), { stack: `Error: ${text}\n    at ${text} (/x/${text}.ts:1:1)` });
    default:
      return new Error(text);
  }
}
