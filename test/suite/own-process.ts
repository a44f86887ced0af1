import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedFile } from '../import-graph.js';
import { ROOT } from '../root.js';

/**
 * Test files share a process, and with it the modules that they import, unless they change the process or measure it.
 * The rule is read from the text of the file and of the test files that it imports: no list names a test file.
 * What the rule does not see, `shared-process.ts` finds when the file has run.
 */
const RULES: readonly { readonly why: string; readonly pattern: RegExp }[] = [
  { why: 'replaces modules, globals, timers or variables', pattern: /\bvi\s*\.\s*(?!waitFor\b|fn\b)\w+/ },
  {
    why: 'sets an environment variable',
    pattern: /\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*(?:\?\?|\|\|)?=(?!=)/,
  },
  { why: 'sets environment variables', pattern: /\bdelete process\.env\b|\bObject\.\w+\(process\.env\b/ },
  // Not `process.exit`: what calls it here fails by vitest's own rule, and most who write it start another program.
  { why: 'changes the process', pattern: /\bprocess\.(?:chdir|umask|setuid|setgid|emit)\(/ },
  { why: 'listens to the process', pattern: /\bprocess\.(?:on|once|off|addListener|prependListener)\(/ },
  {
    why: 'changes a global',
    pattern: /(?<!typeof )\bglobalThis(?:\.\w+|\[[^\]]+\])\s*(?:\?\?|\|\|)?=(?!=)|\(globalThis\b/,
  },
  { why: 'ends what the process has started', pattern: /\bendLeftChildren\(/ },
  { why: 'registers telemetry for the process', pattern: /from '@opentelemetry\// },
  { why: 'loads a library that registers itself for the process', pattern: /from '@lang(?:chain|fuse)\// },
  {
    why: 'measures the process',
    pattern: /\bprocess\.(?:cpuUsage|memoryUsage|resourceUsage)\b|\bgrowth\(|node:v8|PerformanceObserver/,
  },
];

/** Why a test file runs in a process of its own; undefined when it shares one. */
export function whyOwnProcess(file: string): string | undefined {
  for (const each of withItsSupport(file)) {
    const { rule } = factsOf(each);
    if (rule !== undefined) return each === file ? rule : `${each} ${rule}`;
  }
  return undefined;
}

/** The first rule that a source text falls under. Strings count: a rule that errs, errs to the safe side. */
export const ruleFor = (text: string): string | undefined =>
  RULES.find(({ pattern }) => pattern.test(text))?.why;

/** A test file and the files of `test` folders that it imports, however far. */
export function withItsSupport(file: string): readonly string[] {
  const files = new Set([file]);
  for (const each of files) for (const imported of factsOf(each).support) files.add(imported);
  return [...files];
}

interface Facts {
  readonly rule: string | undefined;
  /** The files of `test` folders that it imports itself. */
  readonly support: readonly string[];
}

const known = new Map<string, Facts>();
const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;
/** What is imported as types alone is not loaded. */
const TYPES = /^import type [^;]*;$/gm;

function factsOf(file: string): Facts {
  const before = known.get(file);
  if (before) return before;
  const text = readFileSync(join(ROOT, file), 'utf8');
  const support = [...text.replace(TYPES, '').matchAll(IMPORT)]
    .map(([, name = '']) => importedFile(file, name))
    .filter((imported) => /(?:^|\/)test\//.test(imported) && existsSync(join(ROOT, imported)));
  const facts = { rule: ruleFor(text), support };
  known.set(file, facts);
  return facts;
}
