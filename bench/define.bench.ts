import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `cuebook check` of 1,000 prompts with includes 5 deep, in TypeScript and as plain modules, against a program
// that only imports the same files. Whole processes, start-up included; CPU time, because machines are shared.

const PROMPTS = 1_000;
const DEPTH = 5;
const ROUNDS = 5;
const BAR_TIMES = 2;
const BAR_MB = 300;

const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = join(root, 'apps/cli/bin/cuebook.js');
const work = mkdtempSync(join(tmpdir(), 'cuebook-bench-'));

/** Each prompt includes the next one of its group of six, with a text around it; every tenth takes arguments. */
function promptText(n: number): string {
  const isLast = n % (DEPTH + 1) === DEPTH || n === PROMPTS - 1;
  const include = isLast ? '' : `    { type: 'include', prompt: 'prompt_${n + 1}' },\n`;
  const schema =
    n % 10 === 0 ? "  requiredSchema: z.object({ query: z.string().describe('What to look for') }),\n" : '';
  return `import { definePrompt } from '@cuebook/define';
${schema === '' ? '' : "import { z } from 'zod';\n"}
export default definePrompt({
  name: 'prompt_${n}',
  toolDescription: 'Answers questions of kind ${n}',
  model: 'fast',
  prompt: [
    { type: 'text', content: 'You are helper ${n} of a small shop. You must name your sources.\\n\\n' },
${include}    { type: 'text', content: 'Never invent an order number.\\nSay so when you are not sure.\\n' },
  ],
  includeChat: true,
${schema}});
`;
}

function writeProject(folder: string, ending: 'ts' | 'mjs'): void {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  put(
    `agents/models/fast.${ending}`,
    "import { defineModel } from '@cuebook/define';\nexport default defineModel({ name: 'fast', provider: 'rehearsal', model: 'scripted-1' });\n",
  );
  for (let n = 0; n < PROMPTS; n += 1) put(`agents/prompts/prompt_${n}.${ending}`, promptText(n));
}

/** The peer: nothing but imports. The packages are those that a user has installed, or a stub of one function. */
function writePeer(folder: string, define: 'installed' | 'stub'): void {
  writeProject(folder, 'mjs');
  mkdirSync(join(folder, 'node_modules/@cuebook'), { recursive: true });
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  const place = join(folder, 'node_modules/@cuebook/define');
  if (define === 'installed') symlinkSync(join(root, 'packages/define'), place);
  else {
    mkdirSync(place);
    const manifest = { name: '@cuebook/define', type: 'module', exports: './index.js' };
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(place, 'index.js'),
      'export const definePrompt = (x) => x;\nexport const defineModel = (x) => x;\n',
    );
  }
  const files = Array.from({ length: PROMPTS }, (_, n) => `./agents/prompts/prompt_${n}.mjs`);
  writeFileSync(
    join(folder, 'import-all.mjs'),
    `for (const file of ${JSON.stringify(['./agents/models/fast.mjs', ...files])}) await import(file);\n`,
  );
}

interface Cost {
  readonly cpuMs: number;
  readonly mb: number;
}

const REPORT = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.stderr.write('COST ' + JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1024 })); });`;

function costOf(args: readonly string[], cwd: string): Cost {
  const hook = `data:text/javascript,${encodeURIComponent(REPORT)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', hook, ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`${args.join(' ')} ended with ${status}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  return JSON.parse(stderr.slice(stderr.lastIndexOf('COST ') + 5)) as Cost;
}

const folders = {
  ts: join(work, 'ts'),
  mjs: join(work, 'mjs'),
  peer: join(work, 'peer'),
  stub: join(work, 'stub'),
};
try {
  for (const folder of Object.values(folders)) mkdirSync(folder);
  writeProject(folders.ts, 'ts');
  writeProject(folders.mjs, 'mjs');
  writePeer(folders.peer, 'installed');
  writePeer(folders.stub, 'stub');
  const contenders = [
    { name: 'importing the files as plain .mjs', args: ['import-all.mjs'], cwd: folders.peer },
    { name: 'the same, @cuebook/define a stub', args: ['import-all.mjs'], cwd: folders.stub },
    { name: 'cuebook check, the files as .mjs', args: [bin, 'check', '--json'], cwd: folders.mjs },
    { name: 'cuebook check, the files as .ts', args: [bin, 'check', '--json'], cwd: folders.ts },
  ];
  const best = new Map<string, Cost>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, args, cwd } of contenders) {
      const { cpuMs, mb } = costOf(args, cwd);
      const before = best.get(name) ?? { cpuMs: Number.POSITIVE_INFINITY, mb: 0 };
      best.set(name, { cpuMs: Math.min(before.cpuMs, cpuMs), mb: Math.max(before.mb, mb) });
    }
  }
  const [peer = { cpuMs: 1, mb: 0 }] = best.values();
  console.log(
    `${PROMPTS} prompts, includes ${DEPTH} deep; best CPU and worst memory of ${ROUNDS} whole processes`,
  );
  let failed = false;
  for (const [name, { cpuMs, mb }] of best) {
    const times = cpuMs / peer.cpuMs;
    console.log(
      `  ${name.padEnd(36)} ${cpuMs.toFixed(0).padStart(6)} ms CPU  ${times.toFixed(2)} times  ${mb.toFixed(0)} MB`,
    );
    failed ||= times > BAR_TIMES || (name.startsWith('cuebook') && mb > BAR_MB);
  }
  console.log(failed ? '\na bar is missed' : '\nall bars are met');
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}
