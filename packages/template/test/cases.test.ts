import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCase } from './case-runner.js';

const LINES = readFileSync(new URL('go-template.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

interface Case {
  readonly id: string;
  readonly expect: { readonly ok: boolean; readonly out: string | null; readonly err: string | null };
}

describe.each(['code', 'closures'] as const)('the cases with answers of Go, by %s', (engine) => {
  it.each(LINES.map((line) => [(JSON.parse(line) as Case).id, line]))('%s', (_, line) => {
    const { expect: expected } = JSON.parse(line) as Case;
    const { ok, out, err } = runCase(line, engine);
    expect({ ok, out, err }).toEqual(expected);
  });
});
