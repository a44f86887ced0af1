import type { RunEventView } from '@cuebook/api';
import type {
  Item,
  NoteItem,
  RunSpeaker,
  Story,
  StoryCall,
  StoryEdge,
  StoryStep,
  ToldState,
  TurnItem,
} from './story.js';

/** A story that events are added to. What is replaced is replaced whole, so that what was handed out stays as it was. */
export interface StoryDraft {
  seq: number;
  startedAt: number;
  at: number;
  goal: string | null;
  status: Story['status'];
  step: string | null;
  told: ToldState | null;
  readonly steps: Map<string, StoryStep>;
  rehearsal: boolean;
  readonly agents: Map<string, RunSpeaker>;
  readonly edges: Map<string, StoryEdge>;
  readonly items: Item[];
  /** Where a turn is among the items. */
  readonly turns: Map<string, number>;
  /** The turn that an agent began last. */
  readonly current: Map<string, string>;
  /** The turn that a call belongs to. */
  readonly calls: Map<string, string>;
  /** What effects are, by their id: a turn, a call, a look at changes. */
  readonly effects: Map<string, { readonly kind: string; readonly of: string }>;
  readonly approvals: Map<string, { readonly turn: string; readonly call: string }>;
}

export const newDraft = (): StoryDraft => ({
  ...{ seq: 0, startedAt: 0, at: 0, goal: null, status: 'idle', step: null, told: null, rehearsal: false },
  steps: new Map(),
  agents: new Map(),
  edges: new Map(),
  items: [],
  turns: new Map(),
  current: new Map(),
  calls: new Map(),
  effects: new Map(),
  approvals: new Map(),
});

/** Data of events, which this page does not have to know whole. */
export type Data = Readonly<Record<string, unknown>>;

export const dataOf = (value: unknown): Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
export const listOf = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.map(dataOf) : []);

export function addAgent(
  draft: StoryDraft,
  agent: Pick<RunSpeaker, 'id' | 'name' | 'about' | 'parent'>,
): void {
  const before = draft.agents.get(agent.id);
  const fresh = { status: 'idle', turns: 0, tokens: 0, usd: 0, last: '' } as const;
  draft.agents.set(agent.id, { ...fresh, ...before, ...agent });
}

export function changeAgent(draft: StoryDraft, id: string, change: Partial<RunSpeaker>): void {
  const before = draft.agents.get(id);
  if (before) draft.agents.set(id, { ...before, ...change });
}

export function changeTurn(
  draft: StoryDraft,
  id: string,
  change: (turn: TurnItem) => Partial<TurnItem>,
): void {
  const place = draft.turns.get(id);
  const before = place === undefined ? undefined : draft.items[place];
  if (place === undefined || before?.kind !== 'turn') return;
  draft.items[place] = { ...before, ...change(before) };
}

export const findTurn = (draft: StoryDraft, id: string): TurnItem | undefined => {
  const found = draft.items[draft.turns.get(id) ?? -1];
  return found?.kind === 'turn' ? found : undefined;
};

/** Changes a call; one that is not known yet is added to the turn. */
export function changeCall(
  draft: StoryDraft,
  turn: string,
  call: Partial<StoryCall> & { readonly id: string },
): void {
  draft.calls.set(call.id, turn);
  changeTurn(draft, turn, ({ calls }) => {
    const at = calls.findIndex(({ id }) => id === call.id);
    if (at !== -1) return { calls: calls.with(at, { ...(calls[at] as StoryCall), ...call }) };
    const fresh = { name: '', input: undefined, status: 'open', output: null, decision: null } as const;
    return { calls: [...calls, { ...fresh, ...call }] };
  });
}

export function note(
  draft: StoryDraft,
  event: RunEventView,
  text: string,
  more: Partial<NoteItem> = {},
): void {
  const { seq, at } = event;
  draft.items.push({ kind: 'note', id: `note ${seq}`, seq, at, agent: null, text, tone: 'plain', ...more });
}

/** The run uses other sources from here on. */
export function noteUpdate(draft: StoryDraft, { by, to }: Data, event: RunEventView): void {
  const { commit, machine } = dataOf(to);
  const name = typeof commit === 'string' ? `commit ${commit.slice(0, 12)}` : undefined;
  const checkedOut = name === undefined ? '' : ` (${name} checked out)`;
  const version = machine === null && name !== undefined ? name : `the folder as it was then${checkedOut}`;
  note(draft, event, `From here on the run uses other sources, by ${textOf(by)}: ${version}`);
}

/** The story so far. */
export function storyOf(draft: StoryDraft): Story {
  const agents = [...draft.agents.values()];
  const { seq, startedAt, at, goal, status, step, told, rehearsal } = draft;
  return {
    ...{ seq, startedAt, at, goal, status, step, told, rehearsal, agents },
    steps: [...draft.steps.values()],
    edges: [...draft.edges.values()],
    items: [...draft.items],
    tokens: agents.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: agents.reduce((sum, { usd }) => sum + usd, 0),
  };
}
