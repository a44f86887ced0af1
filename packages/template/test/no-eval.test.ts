import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { bundleForBrowser } from '../../../test/browser/bundle.js';
import { itInTurn as it } from '../../../test/runs.js';

// Where no code may be made of strings, everything still works: a child process that forbids it answers every case.

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'template-built-'));
  const bundle = await bundleForBrowser(file('template-case.ts'), 'cases');
  writeFileSync(
    join(folder, 'answer.mjs'),
    `import { readFileSync } from 'node:fs';
${bundle}
const { runTemplateCase } = cases;
let isForbidden = false;
try { new Function('return 1')(); } catch { isForbidden = true; }
const [engine, ...files] = process.argv.slice(2);
const lines = files.flatMap((name) => readFileSync(name, 'utf8').trimEnd().split('\\n'));
const wrong = lines.filter((line) => {
  const { ok, out = null, err = null } = JSON.parse(line).expect;
  const ours = runTemplateCase(line, engine);
  return ours.ok !== ok || ours.out !== out || ours.err !== err;
});
console.log(JSON.stringify({ isForbidden, count: lines.length, wrong: wrong.slice(0, 5) }));
`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('without code from strings', () => {
  it.each(['closures', 'code', 'auto'])('engine %s answers every case', (engine) => {
    const files = [file('go-template.jsonl'), file('go-corpus.jsonl')];
    const args = ['--disallow-code-generation-from-strings', join(folder, 'answer.mjs'), engine, ...files];
    const answer = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(answer).toEqual({ isForbidden: true, count: expect.any(Number), wrong: [] });
    expect(answer.count).toBeGreaterThan(2000);
  });
});
