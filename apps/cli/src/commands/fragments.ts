import { changedAgents, type Manifests, parseManifests, promptLibraries, withEdits } from '@cuebook/manifest';
import { nearest } from '@cuebook/prompt';
import { changeReport, changeText } from '../cluster/change-report.js';
import { isLive } from '../cluster/is-live.js';
import { openLive } from '../cluster/live.js';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { readStdin } from '../input/stdin.js';
import { printJson } from '../output/json.js';
import { count, screenText, styleFor } from '../output/style.js';
import { type Bench, openBenchAt } from '../project/bench.js';
import { projectOrHere } from '../project/find.js';
import { readTexts } from '../project/manifests.js';
import { readNamedFile } from '../project/named-file.js';

type Library = ReturnType<typeof promptLibraries>[number];

/** `cuebook fragments`: what Agents include, who includes it, and what a change of it would do. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const { manifests, bench } = await openFragments(call);
  const libraries = promptLibraries(manifests);
  const named = args[0] === undefined ? undefined : requireNamed(libraries, args[0]);
  const file = flagValue(flags, 'with');
  if (file !== undefined) {
    if (named?.key === undefined) throw usage('--with takes one fragment: NAMESPACE/NAME/KEY');
    const { namespace, name } = named.library;
    const text = file === '-' ? await readStdin(io) : await readNamedFile(io.cwd, file);
    const after = withEdits(manifests, [{ namespace, name, key: named.key, text }]);
    const report = await changeReport({ bench, before: manifests, after, reveal: false });
    if (isOn(flags, 'json')) await printJson(io, report);
    else await io.out(changeText(report, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
    return changedAgents(manifests, after).some(({ change }) => change === 'broken') ? 1 : 0;
  }
  const shown = named === undefined ? libraries : [narrowed(named.library, named.key)];
  if (isOn(flags, 'json')) await printJson(io, { libraries: shown });
  else await io.out(listText(call, shown, named?.key !== undefined));
  return 0;
};

async function openFragments(call: Call): Promise<{ readonly manifests: Manifests; readonly bench: Bench }> {
  const { flags, io } = call;
  if (isLive({ args: [], flags })) {
    const { bench, after } = await openLive(call);
    return { bench, manifests: after.manifests };
  }
  const bench = await openBenchAt(await projectOrHere(flags, io), io, []);
  const files = flagValues(flags, 'file');
  const texts =
    files.length > 0
      ? await readTexts(files, bench.folder, io)
      : await readTexts([`${bench.folder}/manifests`], bench.folder, io).catch(noFolder);
  return { bench, manifests: parseManifests(texts) };
}

/** A project need not have the folder. */
function noFolder(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof Failure && error.code === 'E_FILE_NOT_FOUND') return new Map();
  throw error;
}

/** A library, and the key of it that is meant. */
function requireNamed(libraries: readonly Library[], text: string) {
  const [namespace = '', name = '', ...rest] = text.split('/');
  const library = libraries.find((each) => each.namespace === namespace && each.name === name);
  if (library === undefined) {
    const names = libraries.map((each) => `${each.namespace}/${each.name}`);
    const meant = nearest(`${namespace}/${name}`, names);
    const advice =
      meant === undefined ? `There are ${names.join(', ') || 'none'}.` : `Did you mean ${meant}?`;
    throw new Failure('E_TARGET', `No ConfigMap of prompts is called "${namespace}/${name}". ${advice}`);
  }
  if (rest.length === 0) return { library };
  const key = rest.join('/');
  const keys = library.keys.map((each) => each.key);
  if (keys.includes(key)) return { library, key };
  const meant = nearest(key, keys);
  const advice = meant === undefined ? `It has ${keys.join(', ') || 'none'}.` : `Did you mean ${meant}?`;
  throw new Failure('E_TARGET', `${namespace}/${name} has no key "${key}". ${advice}`);
}

const narrowed = (library: Library, key: string | undefined): Library =>
  key === undefined ? library : { ...library, keys: library.keys.filter((each) => each.key === key) };

function listText({ io }: Call, libraries: readonly Library[], isWhole: boolean): string {
  const style = styleFor(io, 'out');
  const show = (text: string): string => screenText(text, io.terminal.out);
  if (libraries.length === 0)
    return 'No ConfigMap is labelled cuebook.dev/prompt-library, and no Agent includes from one.\n';
  return libraries
    .map(({ namespace, name, isLabelled, keys }) => {
      const head = `${style.bold(`${namespace}/${name}`)}${isLabelled ? '' : style.dim(' (not labelled as a library)')}\n`;
      const rows = keys.map(({ key, text, agents }) => {
        const by = agents.map(({ agent, how }) => (how === 'computed' ? `${agent} (may)` : agent));
        const used = by.length === 0 ? style.dim('no Agent') : by.join(', ');
        const words = isWhole ? `\n${show(text)}` : '';
        return `  ${key}  ${count(Buffer.byteLength(text), 'byte')}: ${used}\n${words}`;
      });
      return head + rows.join('');
    })
    .join('');
}
