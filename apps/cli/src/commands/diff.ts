import type { OfferedTool } from '@cuebook/prompt';
import { type DiffSide, diffPrompts, findReach, type ValueChange } from '@cuebook/prompt/diff';
import { isLive } from '../cluster/is-live.js';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { usage } from '../failure.js';
import { readInput } from '../input/flags.js';
import { diffText } from '../output/diff-text.js';
import { printJson } from '../output/json.js';
import { compareMasked } from '../output/masked-diff.js';
import { withProgress } from '../output/progress.js';
import { styleFor } from '../output/style.js';
import { type Bench, benchOver, openBench } from '../project/bench.js';
import { composeAll, composedSide } from '../project/compose-all.js';
import { listsServers, servedBench } from '../project/servers.js';
import { type CalledTarget, composeWith, openCalled, requireTarget } from '../project/target.js';
import { isWorkflow } from '../project/workflow-folder.js';
import { replaceNamedFile } from '../record/named-output.js';
import type { RecordedTurn } from '../record/recorded-turn.js';
import { isTurnName } from '../record/turn-name.js';
import { INPUTS } from '../table/inputs.js';

/**
 * `cuebook diff`: all that differs between two prompts, and which targets of the project are reached. Exit code 1 when
 * anything does.
 */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  if (isLive(call)) {
    const { diffLive } = await import('../cluster/diff-live.js');
    return diffLive(call);
  }
  if (flags.base !== undefined) return diffProject(call);
  if (flags.md !== undefined)
    throw usage('--md belongs to --base REVISION, which compares the whole project');
  const [before, after] = await openBoth(call);
  const diff = compareMasked(before.subject, after.subject, { reveal: isOn(flags, 'reveal') });
  const reach =
    before.called && after.called
      ? findReach(
          diff.origins,
          await withProgress(io, COMPOSING, composeAll(before.called.bench, after.called.bench)),
        )
      : [];
  const meta = diffMeta(before, after);
  const answer = { before: before.name, after: after.name, ...diff, meta, reach };
  if (isOn(flags, 'json')) await printJson(io, answer);
  else await io.out(diffText(answer, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  return diff.same ? 0 : 1;
};

const COMPOSING = 'Composing every target';

/** Every target of the project as of a revision and as it is now. */
async function diffProject(call: Call): Promise<number> {
  const { args, flags, io } = call;
  const [revision, file] = [flagValue(flags, 'base') ?? '', flagValue(flags, 'md')];
  const inputs = INPUTS.flatMap((table) => table.flags.map(({ name }) => name));
  const stray = ['reveal', 'file', ...inputs].find((name) => flags[name] !== undefined);
  if (stray !== undefined)
    throw usage(`--base compares every target with its own examples, without --${stray}`);
  const [target] = args;
  if (target !== undefined)
    throw usage(`--base compares the whole project. For one target write ${target}@${revision} ${target}`);
  const [{ diffProjects }, { revisionSource }] = await Promise.all([
    import('../project/project-diff.js'),
    import('../git/source.js'),
  ]);
  const now = await openBench(flags, io);
  const before = benchOver(now, await revisionSource(now.folder, revision));
  const names = { before: revision, after: 'the project' };
  const diff = await withProgress(io, COMPOSING, diffProjects(before, now, names));
  if (file !== undefined) {
    const { changeMarkdown } = await import('../output/change-markdown.js');
    await replaceNamedFile(io, file, new TextEncoder().encode(changeMarkdown(diff)));
  }
  if (isOn(flags, 'json')) await printJson(io, diff);
  else await io.out(diffText(diff, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  return diff.same ? 0 : 1;
}

/** One side: a target that was composed, or a turn on record. */
interface Side {
  readonly name: string;
  readonly subject: DiffSide;
  /** What is noted beside it for people, and never sent. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly called?: CalledTarget;
}

/** The notes that differ. They are not sent, so two prompts with other notes are the same. */
function diffMeta({ subject: { prompt }, meta = {} }: Side, after: Side): readonly ValueChange[] {
  return diffPrompts({ prompt, params: meta }, { prompt, params: after.meta ?? {} }).params;
}

/** Two targets of the project or turns on record, or with `-f` twice one Agent as two sets of manifests tell it. */
async function openBoth(call: Call): Promise<readonly [Side, Side]> {
  const { args, flags, io } = call;
  const [first, second] = args;
  const [old, now, ...more] = flagValues(flags, 'file');
  if (old !== undefined) {
    if (now === undefined || more.length > 0) throw usage('diff needs -f twice: before and after');
    const open = (file: string) => openCalled({ args, flags: { ...flags, file: [file] }, io });
    return composeBoth(call, [await open(old), await open(now)]);
  }
  if (first === undefined || second === undefined) {
    throw usage('Missing target: diff needs two, such as sheet:review@HEAD~1 sheet:review, or -f twice');
  }
  // Targets of one project are composed on one bench.
  let bench: Promise<Bench> | undefined;
  let served: Promise<Bench> | undefined;
  const open = async (text: string): Promise<CalledTarget | RecordedTurn> => {
    if (isTurnName(text)) {
      const { requireRecorded } = await import('../record/recorded-turn.js');
      return requireRecorded(call, text);
    }
    bench ??= openBench(flags, io);
    if (listsServers(text)) {
      served ??= servedBench(await bench, io);
      return requireTarget(await served, text);
    }
    if (!isWorkflow(text)) return requireTarget(await bench, text);
    const { workflowBench } = await import('../project/workflows.js');
    const opened = await workflowBench(await bench, text, io, { asks: true });
    return requireTarget(opened.bench, opened.text);
  };
  return composeBoth(call, [await open(first), await open(second)]);
}

async function composeBoth(
  { flags, io }: Call,
  sides: readonly [CalledTarget | RecordedTurn, CalledTarget | RecordedTurn],
): Promise<readonly [Side, Side]> {
  const targets = sides.filter((side) => 'profile' in side);
  const [first] = targets;
  const input = first && (await readInput(first.profile, flags, io));
  // What was given must mean something to the other as well.
  for (const { profile } of targets) if (profile !== first?.profile) await readInput(profile, flags, io);
  const compose = async (side: CalledTarget | RecordedTurn): Promise<Side> => {
    if (!('profile' in side)) return { name: side.name, subject: recordedSubject(side) };
    const composed = await composeWith(side, input);
    const { target: name, meta } = composed;
    return { name, subject: composedSide(composed), called: side, ...(meta === undefined ? {} : { meta }) };
  };
  const both = [await compose(sides[0]), await compose(sides[1])] as const;
  const isRecorded = both.some(({ called }) => called === undefined);
  return isRecorded ? [asRecorded(both[0]), asRecorded(both[1])] : both;
}

/** As the record keeps it: nothing of what an agent may do. */
const asRecorded = ({ subject: { prompt, tools = [], params = {} }, ...side }: Side): Side => ({
  ...side,
  meta: {},
  subject: { prompt, tools, params },
});

/** A turn as it was told. */
const recordedSubject = ({ turn: { request } }: RecordedTurn): DiffSide => ({
  prompt: request.prompt,
  tools: request.tools as unknown as readonly OfferedTool[],
  params: request.params,
});
