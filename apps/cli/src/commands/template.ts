import {
  type MissingKey,
  parseTemplate,
  type RenderEngine,
  readJson,
  type TemplateError,
} from '@cuebook/template';
import { readYaml } from '@cuebook/yaml';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { readStdin } from '../input/stdin.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { readNamedFile } from '../project/named-file.js';
import { includeFrom } from '../template/include.js';
import { answerLines } from '../template/lines.js';

/** `cuebook template`: any Go template, rendered; with --jsonl one a line. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const engine = oneOf(flags, 'engine', ENGINES) ?? 'auto';
  const [file] = args;
  if (isOn(flags, 'jsonl')) {
    const stray = ['data', 'include', 'missingkey'].find((name) => flags[name] !== undefined);
    if (file !== undefined || stray !== undefined) {
      throw usage(
        `With --jsonl each line says it all: leave out ${stray === undefined ? file : `--${stray}`}`,
      );
    }
    return answerLines(engine, io);
  }
  if (file === undefined) throw usage('Missing file: name a template, or - for standard input');
  return renderOne(file, engine, call);
};

const ENGINES: readonly RenderEngine[] = ['code', 'closures'];
const MISSING_KEYS: readonly MissingKey[] = ['default', 'zero', 'error', 'invalid'];

async function renderOne(file: string, engine: RenderEngine, { flags, io }: Call): Promise<number> {
  const missingKey = oneOf(flags, 'missingkey', MISSING_KEYS) ?? 'default';
  const stdin = stdinOnce(io);
  const text = file === '-' ? await stdin() : await readNamedFile(io.cwd, file);
  const data = await readData(flagValue(flags, 'data'), io, stdin);
  const functions = { include: includeFrom(await readIncludes(flags, io, stdin)) };
  const name = file === '-' ? 'stdin' : (file.split(/[\\/]/).at(-1) ?? file);
  const parsed = parseTemplate({ name, text, functions, missingKey, engine });
  if (!parsed.ok) throw refused(parsed.error);
  const rendered = parsed.value.render(data);
  if (!rendered.ok) throw refused(rendered.error);
  const { text: out, spans } = rendered.value;
  if (isOn(flags, 'json')) await printJson(io, { ok: true, out, spans }, { exact: true });
  else await io.exact(out);
  return 0;
}

const refused = ({ code, message }: TemplateError): Failure => new Failure(code, message, { exit: 1 });

type ReadOnce = () => Promise<string>;

/** Standard input can be named once: as the template, the data, or one include. */
function stdinOnce(io: Io): ReadOnce {
  let isRead = false;
  return async () => {
    if (isRead) throw usage('Standard input does not come twice: name a file');
    isRead = true;
    return readStdin(io);
  };
}

/** JSON keeps numbers as they are written: `1` is an int, `1.0` a float64. Anything else is read as YAML. */
async function readData(named: string | undefined, io: Io, stdin: ReadOnce): Promise<unknown> {
  if (named === undefined) return {};
  const text = named === '-' ? await stdin() : await readNamedFile(io.cwd, named);
  const json = readJson(text);
  if (json.ok) return json.value;
  if (/\.json$/i.test(named)) throw new Failure('E_INPUT', `${named} is not JSON`);
  const yaml = readYaml(named, text, 'E_INPUT');
  if (!yaml.ok) throw diagnosed(yaml.diagnostics);
  return yaml.value.value;
}

async function readIncludes(flags: Flags, io: Io, stdin: ReadOnce): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const pair of flagValues(flags, 'include')) {
    const cut = pair.indexOf('=');
    const [name, file] = [pair.slice(0, cut), pair.slice(cut + 1)];
    if (cut < 1 || file === '') throw usage('--include takes NAME=FILE');
    if (texts.has(name)) throw usage(`--include ${name} is given twice`);
    texts.set(name, file === '-' ? await stdin() : await readNamedFile(io.cwd, file));
  }
  return texts;
}

function oneOf<Word extends string>(flags: Flags, name: string, words: readonly Word[]): Word | undefined {
  const given = flagValue(flags, name);
  if (given === undefined) return undefined;
  const word = words.find((each) => each === given);
  if (word === undefined) throw usage(`--${name} is one of ${words.join(', ')}`);
  return word;
}
