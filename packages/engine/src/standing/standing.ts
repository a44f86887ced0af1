import { guard } from '@cuebook/guard';
import type { ProjectionChange, ProjectionQuery, RunId, Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import { clipWords } from '../tool-loop/clip.js';

/** The name of the projection that says how each run stands, over all runs. The key is the run. */
export const STANDINGS_PROJECTION = 'standings';

/** How a run stands, as a list shows it. Small, whatever the run is about. Plain JSON. */
export type Standing = {
  /** As reports name it: `workflow`, `thread`. */
  readonly kind: string;
  /** What is run: `workflow:workflows/request`, `agent:counter`. */
  readonly target: string;
  /** `running`: work is open, whether or not a process does it just now. */
  readonly status: 'idle' | 'running' | 'waiting' | 'completed' | 'failed' | 'stopped';
  /** What a person is waited for. */
  readonly wait?: StandingWait;
};

export type StandingWait =
  /** The list of approvals has them. */
  | { readonly for: 'approval' }
  /** Nobody knows whether these were done when a process died. */
  | { readonly for: 'outcome'; readonly calls: readonly DoubtfulEffect[] }
  /** A word goes on (`input`, `loop`), or a higher budget. */
  | { readonly for: 'input' | 'loop' | 'budget'; readonly message: string };

export type DoubtfulEffect = {
  readonly effect: string;
  /** The tool that was called; empty for a turn. */
  readonly tool: string;
  /** What it was called with, as JSON that may be cut. */
  readonly input: string;
};

/** What a write changes in the list; undefined where nothing does. A run of the past has no row until it moves. */
export function standingChange(
  run: RunId,
  before: Standing | undefined,
  after: Standing | undefined,
): ProjectionChange | undefined {
  const value = after === undefined ? null : bounded(after);
  const was = before === undefined ? null : bounded(before);
  if (JSON.stringify(value) === JSON.stringify(was)) return undefined;
  const change = { name: STANDINGS_PROJECTION, key: run, value: value as JsonValue };
  return after !== undefined && isAtRest(after) ? { ...change, isAtRest: true } : change;
}

/** Nothing of it is open, and nobody is waited for. One that failed may go on. */
const isAtRest = ({ status, wait }: Standing): boolean =>
  wait === undefined && (status === 'completed' || status === 'stopped' || status === 'idle');

/** How the runs stand that say so, by run. `active`: without those of which nothing is open or waits. */
export const listStandings = async (
  store: Pick<Store, 'projections'>,
  query: ProjectionQuery = {},
): Promise<ReadonlyMap<string, Standing>> =>
  (await store.projections(STANDINGS_PROJECTION, query)) as unknown as ReadonlyMap<string, Standing>;

/** How one run stands, if it says so. */
export const findStanding = async (
  store: Pick<Store, 'projection'>,
  run: string,
): Promise<Standing | undefined> =>
  (await store.projection(STANDINGS_PROJECTION, run)) as unknown as Standing | undefined;

const MAX_TARGET = 300;
const MAX_NAME = 200;
const MAX_TEXT = 500;
const MAX_CALLS = 20;

/** What agents wrote is in the log as a whole; a list has the beginning of it. */
function bounded({ kind, target, status, wait }: Standing): Standing {
  return {
    kind,
    target: clip(target, MAX_TARGET),
    status,
    ...(wait === undefined ? {} : { wait: boundedWait(wait) }),
  };
}

function boundedWait(wait: StandingWait): StandingWait {
  if (wait.for === 'approval') return { for: 'approval' };
  if (wait.for !== 'outcome') return { for: wait.for, message: clip(wait.message, MAX_TEXT) };
  const calls = wait.calls.slice(0, MAX_CALLS).map(({ effect, tool, input }) => ({
    effect,
    tool: clip(tool, MAX_NAME),
    input: clip(input, MAX_TEXT),
  }));
  return { for: 'outcome', calls };
}

const clip = (text: string, max: number): string =>
  guard('standing.size', text.length > max) ? clipWords(text, max) : text;
