import { openFolder } from '@cuebook/files';
import {
  hashAt,
  LABEL_FILE,
  LABEL_NAME,
  printLabels,
  printTarget,
  readLabels,
  requireProfile,
  resolveLabel,
  type StageLabels,
} from '@cuebook/profile';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { requireCommit } from '../git/source.js';
import { unknownAction } from '../input/one-of.js';
import { labelGround, requireDiagnosed } from '../label/ground.js';
import { printJson } from '../output/json.js';
import { type Bench, openBench } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';

/** `cuebook label`: sets, removes, lists and resolves the labels of targets. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [action = 'list', ...names] = args;
  const bench = await openBench(flags, io);
  if (flagValue(flags, 'at') !== undefined && action !== 'set') throw usage('--at is for label set');
  switch (action) {
    case 'list':
      return list(call, bench);
    case 'set':
      return set(call, bench, names);
    case 'remove':
      return remove(call, bench, names);
    case 'resolve':
      return resolve(call, bench, names);
    default:
      throw unknownAction(action, ['list', 'set', 'remove', 'resolve']);
  }
};

async function list({ flags, io }: Call, bench: Bench): Promise<number> {
  const labels = requireDiagnosed(await readLabels(bench.files));
  const rows = Object.entries(labels).flatMap(([label, targets]) =>
    Object.entries(targets).map(([target, { commit, hash }]) => ({ label, target, commit, hash })),
  );
  if (isOn(flags, 'json')) await printJson(io, { labels: rows });
  else if (rows.length === 0) await io.out('There are no labels.\n');
  else
    for (const { label, target, commit } of rows)
      await io.out(`${label}  ${target}  ${commit.slice(0, 12)}\n`);
  return 0;
}

async function set({ flags, io }: Call, bench: Bench, names: readonly string[]): Promise<number> {
  const { label, target, profile } = named(bench, names, 'set');
  const commit = await requireCommit(bench.folder, flagValue(flags, 'at') ?? 'HEAD');
  const hash = requireDiagnosed(await hashAt(labelGround(bench), { target, profile, commit }));
  const name = printTarget(target);
  const labels = requireDiagnosed(await readLabels(bench.files));
  await write(bench, { ...labels, [label]: { ...labels[label], [name]: { commit, hash } } });
  if (isOn(flags, 'json')) await printJson(io, { label, target: name, commit, hash });
  else await io.out(`${name}@${label} is ${commit.slice(0, 12)} now, in ${LABEL_FILE}.\n`);
  return 0;
}

async function remove({ flags, io }: Call, bench: Bench, names: readonly string[]): Promise<number> {
  const { label, target } = named(bench, names, 'remove');
  const name = printTarget(target);
  const labels = requireDiagnosed(await readLabels(bench.files));
  const { [name]: entry, ...rest } = labels[label] ?? {};
  if (entry === undefined) throw new Failure('E_LABEL', `${name} has no label "${label}"`, { exit: 1 });
  await write(bench, { ...labels, [label]: rest });
  if (isOn(flags, 'json')) await printJson(io, { label, target: name, removed: true });
  else await io.out(`${name} has no label ${label} any more.\n`);
  return 0;
}

async function resolve({ flags, io }: Call, bench: Bench, names: readonly string[]): Promise<number> {
  const [text = ''] = names;
  const { target, profile } = requireKind(bench, text);
  const { revision } = target;
  if (revision === undefined || names.length > 1) throw usage('label resolve needs one TARGET@LABEL');
  const found = requireDiagnosed(await resolveLabel(labelGround(bench), { target, profile }));
  const commit = await requireCommit(bench.folder, found);
  const by = found === revision ? 'git' : LABEL_FILE;
  if (isOn(flags, 'json')) await printJson(io, { target: text, commit, by });
  else await io.out(`${commit}  by ${by}\n`);
  return 0;
}

function named(bench: Bench, names: readonly string[], action: string) {
  const [label = '', text = '', more] = names;
  if (text === '' || more !== undefined) throw usage(`label ${action} needs LABEL TARGET`);
  if (!LABEL_NAME.test(label)) {
    throw usage('A label holds lower-case letters, digits, dot, dash and underscore, at most 36');
  }
  const { target, profile } = requireKind(bench, text);
  if (target.revision !== undefined) throw usage('The revision of a label is named with --at');
  return { label, target, profile };
}

function requireKind(bench: Bench, text: string) {
  const found = requireProfile(bench.profiles, text);
  if (!found.ok) throw diagnosed(found.diagnostics);
  return found;
}

async function write(bench: Bench, labels: StageLabels): Promise<void> {
  const folder = requireFile(await openFolder(bench.folder), LABEL_FILE);
  requireFile(await folder.writeText(LABEL_FILE, printLabels(labels)), LABEL_FILE);
}
