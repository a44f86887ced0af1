import type { RunView, TurnSummaryView } from '@cuebook/api';
import { type Act, must, ofType, played, type ServerStand, start, team, until } from './server-stand.js';

/** One node and what it does in its turns; it is asked when the run begins. */
export interface PlayedCase {
  readonly alias: string;
  readonly turns: readonly (readonly Act[])[];
  readonly node?: Readonly<Record<string, unknown>>;
  /** False: nobody speaks to it first. */
  readonly asked?: boolean;
}

/** What came of a call. */
export interface CallResult {
  readonly name: string;
  readonly given: string;
  readonly status: string;
  readonly code?: string;
  readonly text: string;
}

/** Nodes that played side by side in one run, and all that is known of each. */
export interface PlayedNodes {
  readonly run: string;
  readonly view: RunView;
  turns(alias: string): readonly TurnSummaryView[];
  /** What came of the calls of a node, in the order of its answers. */
  results(alias: string): readonly CallResult[];
  /** What was almost a call: the rule and the sentence. */
  notes(alias: string): readonly { readonly rule: string; readonly message: string }[];
  /** The full prompt of a turn of a node, counted from 0. */
  prompt(alias: string, turn: number): Promise<string>;
  events(type: string): readonly Readonly<Record<string, unknown>>[];
}

/** Nodes that may change nothing, so that they need not take turns in the folder. */
export const HARMLESS = { writeCode: false, writeDocs: false, runCommands: false };

/** Plays all of them in one run; with `until` to another point than to where nothing goes on. */
export async function playNodes(
  stand: ServerStand,
  cases: readonly PlayedCase[],
  more: { readonly team?: object; readonly until?: (view: RunView) => boolean } = {},
): Promise<PlayedNodes> {
  stand.script(Object.fromEntries(cases.map(({ alias, turns }) => [alias, turns])));
  const nodes = cases.map(({ alias, node = {} }) => ({ alias, capabilities: HARMLESS, ...node }));
  const run = await start(stand, team(nodes, { limits: { parallel: 16, nodes: 100 }, ...more.team }));
  for (const { alias, node, asked = true } of cases)
    if (asked && node?.role !== 'orchestrator')
      await stand.client.messageNode({ run, node: alias, text: `Your turn, ${alias}.` });
  if (more.until) await until(stand, run, more.until);
  return lookAt(stand, run, more.until === undefined);
}

/** All that is known of a run now, or when nothing goes on in it. */
export async function lookAt(stand: ServerStand, run: string, isQuiet = true): Promise<PlayedNodes> {
  if (isQuiet) await until(stand, run, ({ quiet }) => quiet);
  const { view, events, turns } = await played(stand, run, isQuiet);
  const idOf = (alias: string): string => view.nodes.find((node) => node.alias === alias)?.id ?? alias;
  const turnsOf = (alias: string) => turns.filter(({ node }) => node === idOf(alias));
  return {
    run,
    view,
    turns: turnsOf,
    results: (alias) =>
      ofType(events, 'turn.closed')
        .filter(({ node }) => node === idOf(alias))
        .flatMap(
          ({ results }) =>
            results as unknown as { kind: string; tool: string; given: string; result: CallResult }[],
        )
        .filter(({ kind }) => kind === 'call')
        .map(({ tool, given, result }) => ({ ...result, name: tool, given })),
    notes(alias) {
      const ids = new Set(turnsOf(alias).map(({ turn }) => turn));
      return ofType(events, 'effect.settled')
        .filter(({ id }) => ids.has(String(id)))
        .flatMap(
          ({ outcome }) =>
            (outcome as { output?: { notes?: { rule: string; message: string }[] } }).output?.notes ?? [],
        );
    },
    async prompt(alias, turn) {
      const id = turnsOf(alias)[turn]?.turn;
      if (id === undefined) throw new Error(`${alias} has no turn ${turn}`);
      return must(await stand.client.getTurn({ run, turn: id })).full.text;
    },
    events: (type) => ofType(events, type),
  };
}
