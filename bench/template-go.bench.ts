import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTemplate } from '@cuebook/template';
import { buildGo } from '../packages/template/test/go/build.js';
import { measure } from './measure.js';
import { type Data, freshData, goTemplate } from './workload.js';

// The same prompts as `template.bench.ts`, rendered with spans by ours and without by Go's own text/template in
// a process of its own: CPU time of the best round, all outputs compared by their hash.

const CALLS = 500;
const ROUNDS = 12;
const cache = join(process.cwd(), '.cache', 'bench-go');
const go = findGo();
if (go === undefined) {
  console.log('\nGo 1.27 is not here: `npm test` prepares it. Nothing was compared.');
  process.exit(0);
}

mkdirSync(cache, { recursive: true });
const program = join(cache, 'render');
buildGo(go, join(process.cwd(), 'bench', 'go'), program);

const template = parseTemplate({ name: 'prompt', text: goTemplate(), engine: 'code' });
if (!template.ok) throw new Error(template.error.message);
const text = (data: Data): string => {
  const rendered = template.value.render(data);
  if (!rendered.ok) throw new Error(rendered.error.message);
  return rendered.value.text;
};

let failed = false;
for (const [label, size] of [
  ['4 KB', 3],
  ['17 KB', 13],
] as const) {
  const inputs = Array.from({ length: CALLS }, (_, n) => freshData(n, size));
  writeFileSync(join(cache, 'prompt.tmpl'), goTemplate());
  writeFileSync(join(cache, 'data.jsonl'), inputs.map((data) => JSON.stringify(data)).join('\n'));
  const answer = JSON.parse(
    execFileSync(program, [join(cache, 'prompt.tmpl'), join(cache, 'data.jsonl'), String(ROUNDS)], {
      encoding: 'utf8',
    }),
  ) as { microseconds: number; hash: string };
  const digest = createHash('sha256');
  for (const data of inputs) digest.update(text(data));
  if (digest.digest('hex') !== answer.hash) throw new Error('the outputs differ');
  const times = await measure({
    fresh: (n) => freshData(n, size),
    contenders: [{ name: 'ours', run: (data) => template.value.render(data) }],
    calls: CALLS,
    rounds: ROUNDS,
  });
  const ours = times.get('ours') ?? Number.POSITIVE_INFINITY;
  const ratio = answer.microseconds / ours;
  console.log(
    `\n${label}\n  Go 1.27 text/template                    ${answer.microseconds.toFixed(1).padStart(9)} us`,
  );
  console.log(
    `  cuebook, code, with spans                ${ours.toFixed(1).padStart(9)} us  ${ratio.toFixed(2)}x  ${ratio >= 4 ? 'at least' : 'LESS THAN'} 4`,
  );
  failed ||= ratio < 4;
}
console.log(failed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = failed ? 1 : 0;

/** The `go` that `npm test` found or prepared. */
function findGo(): string | undefined {
  const file = join(process.cwd(), '.cache', 'parts.json');
  if (!existsSync(file)) return undefined;
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly { name: string; path: string | null }[];
  return rows.find(({ name }) => name === 'go')?.path ?? undefined;
}
