import { resolve } from 'node:path';
import { openFolder } from '@cuebook/files';
import type { TakenInput } from '@cuebook/profile';
import { commandLine, hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { diagnosed, Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { count } from '../output/style.js';
import { type Bench, openBench } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';
import { watching } from '../project/watching.js';

/** Where the types are written, from the folder of the project. */
const TYPES_FILE = 'cuebook-types.d.ts';

/** `cuebook types`: what sheets take, as types that extend those of the library. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const bench = await openBench(flags, io, ['sheet']);
  if (!isOn(flags, 'watch')) {
    await write(call, bench);
    return 0;
  }
  let isFirst = true;
  return watching(bench.files, io, async () => {
    const isLook = !isFirst;
    isFirst = false;
    try {
      const isWritten = await write(call, await openBench(flags, io, ['sheet']), { isLook });
      return isLook && !isWritten ? 'quiet' : undefined;
    } catch (error) {
      // A sheet that does not load right now is news, not the end.
      if (!(error instanceof Failure)) throw error;
      io.err(`${error.code} ${error.message}\n`);
      return undefined;
    }
  });
};

/** Answers whether the file was written anew. `isLook`: a file that is as it should be is not news. */
async function write(
  { flags, io }: Call,
  bench: Bench,
  { isLook = false }: { readonly isLook?: boolean } = {},
): Promise<boolean> {
  const file = flagValue(flags, 'out') ?? TYPES_FILE;
  const { text, targets } = await typesOf(bench);
  const folder = requireFile(await openFolder(resolve(bench.folder)), '.');
  const there = await folder.readText(file);
  const isSame = there.ok && there.value === text;
  if (isOn(flags, 'check') && !isSame) {
    const why = there.ok ? 'is out of date' : 'is missing';
    throw new Failure(
      'E_TYPES',
      `${file} ${why}: the inputs of the sheets are others. Write it: ${hint`types`}`,
      {
        exit: 1,
      },
    );
  }
  if (!isSame) requireFile(await folder.writeText(file, text), file);
  if (isLook && isSame) return false;
  if (isOn(flags, 'json'))
    await printJson(io, { file, targets, changed: !isSame }, { compact: isOn(flags, 'watch') });
  else
    await io.out(
      `${file} ${isSame ? 'is up to date' : 'was written'}: ${count(targets.length, 'target')}.\n`,
    );
  return !isSame;
}

async function typesOf(
  bench: Bench,
): Promise<{ readonly text: string; readonly targets: readonly string[] }> {
  const rows: string[] = [];
  const targets: string[] = [];
  for (const profile of bench.profiles) {
    for (const name of await profile.find(bench.project)) {
      const loaded = await profile.load(bench.project, name);
      if (!loaded.ok) throw diagnosed(loaded.diagnostics);
      const target = `${profile.prefix}:${name}`;
      targets.push(target);
      const taken = (profile.takes?.(loaded.value) ?? []).map(property);
      rows.push(
        taken.length === 0
          ? `    ${JSON.stringify(target)}: Record<string, never>;`
          : `    ${JSON.stringify(target)}: {\n${taken.join('')}    };`,
      );
    }
  }
  return { text: `${HEADER}${rows.map((row) => `${row}\n`).join('')}  }\n}\n`, targets };
}

const HEADER = `// Written by ${commandLine`types`}: what the sheets of this project take.
import 'cuebook';

declare module 'cuebook' {
  interface Inputs {
`;

function property({ name, required, type, values, description }: TakenInput): string {
  const words = description?.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
  const about = words ? `      /** ${words} */\n` : '';
  const value = values === undefined ? TYPES[type] : values.map((each) => JSON.stringify(each)).join(' | ');
  return `${about}      readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${value};\n`;
}

const TYPES: Readonly<Record<TakenInput['type'], string>> = {
  text: 'string',
  list: 'readonly string[]',
  json: 'unknown',
  messages: "readonly import('cuebook').HistoryMessage[]",
};
