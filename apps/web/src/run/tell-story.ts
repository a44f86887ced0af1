import type { JsonValue, RunEventView } from '@cuebook/api';
import type { Story, StoryCall, StoryStep } from './story.js';
import {
  addAgent,
  changeAgent,
  changeCall,
  changeTurn,
  type Data,
  dataOf,
  findTurn,
  listOf,
  newDraft,
  note,
  noteUpdate,
  numberOf,
  type StoryDraft,
  storyOf,
  textOf,
} from './story-draft.js';

/** The story of the events of a run, or of the first of them. */
export function tellStory(events: readonly RunEventView[]): Story {
  const draft = newDraft();
  for (const event of events) takeEvent(draft, event);
  return storyOf(draft);
}

/** Adds what happened. Events that a reader need not see change nothing but the time. */
export function takeEvent(draft: StoryDraft, event: RunEventView): void {
  if (event.seq <= draft.seq) return;
  draft.seq = event.seq;
  draft.at = event.at;
  if (draft.startedAt === 0) draft.startedAt = event.at;
  if (Object.hasOwn(TELLERS, event.type)) TELLERS[event.type]?.(draft, dataOf(event.data), event);
}

type Teller = (draft: StoryDraft, data: Data, event: RunEventView) => void;

const WORKFLOW = 'workflow';

const TELLERS: Readonly<Record<string, Teller>> = {
  // Beginnings and ends.
  'run.started': (draft, { goal }) => {
    draft.goal = textOf(dataOf(goal).text) || null;
    draft.status = 'running';
  },
  'thread.started': (draft) => {
    draft.status = 'running';
  },
  'workflow.started': (draft, { workflow, activeAgentId, graph }) => {
    draft.status = 'running';
    const { nodes, edges } = dataOf(graph);
    for (const { id, type } of listOf(nodes)) addStep(draft, textOf(id), { type: textOf(type) });
    for (const { from, to } of listOf(edges)) addWay(draft, textOf(from), textOf(to));
    const about = textOf(activeAgentId);
    addAgent(draft, { id: WORKFLOW, name: textOf(workflow) || WORKFLOW, about, parent: null });
  },
  'run.paused': (draft, { message, kind, by }, event) => {
    draft.status = 'paused';
    note(draft, event, textOf(message) || `Paused by ${textOf(by) || textOf(kind)}`, { tone: 'wait' });
  },
  'run.resumed': resumed,
  'thread.paused': paused,
  'thread.resumed': resumed,
  'agent.paused': paused,
  'agent.resumed': resumed,
  'run.finished': (draft, { ok, summary }, event) => {
    draft.status = ok === true ? 'completed' : 'failed';
    note(draft, event, textOf(summary), { tone: ok === true ? 'good' : 'bad' });
  },
  'run.unfinished': (draft, { why }, event) => note(draft, event, `Not done yet: ${textOf(why)}`),
  'run.stopped': stopped,
  'thread.stopped': stopped,
  'agent.stopped': stopped,
  'session.ended': (draft, { frame, outcome }) => {
    const { status } = dataOf(outcome);
    changeAgent(draft, textOf(frame), { status: status === 'failed' ? 'failed' : 'idle' });
    if (textOf(frame) === 'main') draft.status = status === 'failed' ? 'failed' : 'completed';
  },
  // Who takes part.
  'node.added': (draft, { node }) => addNode(draft, dataOf(node)),
  'node.configured': (draft, { after }) => addNode(draft, dataOf(after)),
  'frame.opened': (draft, { id, agent, prompt, name, parent, kind }) =>
    addAgent(draft, {
      id: textOf(id),
      name: textOf(name) || textOf(agent) || textOf(prompt) || textOf(id),
      about: textOf(kind),
      parent: typeof parent === 'string' ? parent : null,
    }),
  'edge.added': (draft, { edge }) => {
    const { id, from, to, type } = dataOf(edge);
    draft.edges.set(textOf(id), {
      ...{ id: textOf(id), from: textOf(from), to: textOf(to), isReport: type === 'report', usedAt: 0 },
    });
  },
  'edge.removed': (draft, { edge }) => void draft.edges.delete(textOf(edge)),
  'run.updated': noteUpdate,
  // What is said to agents.
  'node.told': (draft, { node, message }, event) => {
    const { text, by, id } = dataOf(message);
    say(draft, event, { agent: textOf(node), by: textOf(by), text: textOf(text), id: textOf(id) });
  },
  'message.told': (draft, { frame, message }, event) => {
    const { text, role, from, id } = dataOf(message);
    if (role === 'user')
      say(draft, event, { agent: textOf(frame), by: textOf(from), text: textOf(text), id: textOf(id) });
  },
  'agent.told': (draft, { text, by, id }, event) =>
    say(draft, event, { agent: WORKFLOW, by: textOf(by), text: textOf(text), id: textOf(id) }),
  'envelope.sent': (draft, { id, fromNodeId, toNodeId, payload }, { seq, at }) => {
    const [agent, to] = [textOf(fromNodeId), textOf(toNodeId)];
    const text = textOf(dataOf(payload).message);
    draft.items.push({ kind: 'handoff', id: textOf(id), seq, at, agent, to, text });
    for (const edge of draft.edges.values()) {
      const isAlong = edge.from === agent && edge.to === to;
      if (isAlong || (edge.from === to && edge.to === agent))
        draft.edges.set(edge.id, { ...edge, usedAt: seq });
    }
    changeAgent(draft, agent, { last: `asked ${draft.agents.get(to)?.name ?? to}` });
  },
  // Turns.
  'turn.started': (draft, { effect, node, turn, cause, kind }, event) => {
    // A run of one turn begins with an event of the same name, which is not a turn yet.
    if (effect === undefined) {
      draft.status = 'running';
      return;
    }
    beginTurn(draft, event, { id: textOf(effect), agent: textOf(node) });
    changeTurn(draft, textOf(effect), () => ({
      number: numberOf(turn),
      cause: textOf(cause) || null,
      prompt: dataOf(kind).kind === 'delta' ? 'delta' : 'full',
    }));
  },
  'effect.intended': (draft, { id, kind, lane, input }, event) => {
    const [effect, what] = [textOf(id), textOf(kind)];
    if (what === 'node.turn' || what === 'model.turn') {
      const agent = textOf(lane).replace(/^node\//, '');
      draft.effects.set(effect, { kind: 'turn', of: effect });
      beginTurn(draft, event, { id: effect, agent });
    } else if (what === 'tool.call') {
      draft.effects.set(effect, { kind: 'call', of: textOf(dataOf(input).call) });
    } else {
      const agent = textOf(dataOf(input).node) || textOf(lane).replace(/^node\//, '');
      draft.effects.set(effect, { kind: what, of: draft.current.get(agent) ?? '' });
    }
  },
  'effect.settled': (draft, { id, outcome }, event) => {
    const effect = draft.effects.get(textOf(id));
    if (effect !== undefined) settle(draft, effect, dataOf(outcome), event);
  },
  'turn.recorded': (draft, { turn }) => changeTurn(draft, textOf(turn), () => ({ isRecorded: true })),
  'turn.judged': (draft, { node, calls }) => planned(draft, textOf(node), calls),
  'step.judged': (draft, { frame, calls }) => planned(draft, textOf(frame), calls),
  'agent.judged': (draft, { calls, verdict }, event) => {
    planned(draft, WORKFLOW, calls);
    if (verdict === 'done') draft.status = 'completed';
    if (verdict === 'fail') note(draft, event, 'The turn failed.', { agent: WORKFLOW, tone: 'bad' });
  },
  'native.called': (draft, { node, call, ...own }) =>
    planned(draft, typeof node === 'string' ? node : WORKFLOW, [call ?? own]),
  'call.settled': (draft, { call, result }) => {
    const { status, text } = dataOf(result);
    const id = textOf(call);
    changeCall(draft, draft.calls.get(id) ?? '', { id, status: statusOf(status), output: textOf(text) });
  },
  'turn.closed': (draft, { node, reason }, { at }) => {
    const agent = textOf(node);
    const isFailed = reason === 'failed';
    changeTurn(draft, draft.current.get(agent) ?? '', (turn) => ({
      reason: textOf(reason),
      endedAt: turn.endedAt ?? at,
    }));
    changeAgent(draft, agent, { status: isFailed ? 'failed' : 'idle' });
  },
  'agent.worked': (draft) => changeAgent(draft, WORKFLOW, { status: 'idle' }),
  'changes.flagged': (draft, { node, files }) =>
    changeTurn(draft, draft.current.get(textOf(node)) ?? '', () => ({ flagged: stringsOf(files) })),
  'budget.spent': (draft, { hold, tokens, usd }) => {
    const turn = findTurn(draft, textOf(hold));
    const agent = turn && draft.agents.get(turn.agent);
    if (turn === undefined || agent === undefined) return;
    changeTurn(draft, turn.id, () => ({ tokens: numberOf(tokens), usd: numberOf(usd) }));
    changeAgent(draft, agent.id, {
      tokens: agent.tokens + numberOf(tokens),
      usd: agent.usd + numberOf(usd),
    });
  },
  'workflow.composed': (draft, { nodeId, effect, state = draft.told?.state }, event) => {
    if (state !== undefined) draft.told = { turn: textOf(effect), state: state as JsonValue };
    const step = textOf(nodeId) || null;
    if (step !== null && step !== draft.step) {
      note(draft, event, `Step: ${step}`, { agent: WORKFLOW });
      reachStep(draft, step);
    }
    draft.step = step;
  },
  // People.
  'approval.requested': (draft, { id, about, tool, input }) => {
    const named = textOf(about);
    const native = /^native\/(.+)$/.exec(named)?.[1];
    const call = native === undefined ? named : textOf(id);
    const turn = native ?? draft.calls.get(call) ?? '';
    draft.approvals.set(textOf(id), { turn, call });
    changeCall(draft, turn, { id: call, status: 'asked', name: textOf(tool), input: input as JsonValue });
    changeAgent(draft, findTurn(draft, turn)?.agent ?? '', {
      status: 'waiting',
      last: `asks: ${textOf(tool)}`,
    });
  },
  'approval.resolved': (draft, { id, decision, by, message, input }) => {
    const asked = draft.approvals.get(textOf(id));
    if (asked === undefined) return;
    const words = [`${DECISIONS[textOf(decision)] ?? textOf(decision)} by ${textOf(by)}`, textOf(message)];
    const isNo = decision === 'deny' || decision === 'expire';
    changeCall(draft, asked.turn, {
      id: asked.call,
      status: isNo ? 'denied' : 'open',
      decision: words.filter(Boolean).join(': '),
      ...(input !== undefined && { input: input as JsonValue }),
    });
    const turn = findTurn(draft, asked.turn);
    if (turn && turn.reason === null) changeAgent(draft, turn.agent, { status: 'running' });
  },
  'node.held': (draft, { node, hold }, event) => {
    const agent = textOf(node);
    changeAgent(draft, agent, { status: 'held' });
    note(draft, event, textOf(dataOf(hold).message) || 'Held', { agent, tone: 'wait' });
  },
  'node.resumed': (draft, { node }) => changeAgent(draft, textOf(node), { status: 'idle' }),
};

/** A workflow came to a step, from the one before. */
function reachStep(draft: StoryDraft, id: string): void {
  const before = draft.steps.get(draft.step ?? '');
  if (before !== undefined && !before.taken.includes(id)) {
    addWay(draft, before.id, id);
    addStep(draft, before.id, { taken: [...before.taken, id] });
  }
  addStep(draft, id, { visits: (draft.steps.get(id)?.visits ?? 0) + 1 });
}

function addWay(draft: StoryDraft, from: string, to: string): void {
  const next = draft.steps.get(from)?.next ?? [];
  if (!next.includes(to)) addStep(draft, from, { next: [...next, to] });
}

function addStep(draft: StoryDraft, id: string, change: Partial<StoryStep>): void {
  const fresh = { id, type: '', visits: 0, next: [], taken: [] };
  draft.steps.set(id, { ...fresh, ...draft.steps.get(id), ...change });
}

function resumed(draft: StoryDraft, { by }: Data, event: RunEventView): void {
  draft.status = 'running';
  note(draft, event, `Resumed by ${textOf(by)}`);
}

function paused(draft: StoryDraft, data: Data, event: RunEventView): void {
  draft.status = 'paused';
  const agent = draft.agents.has(WORKFLOW) ? WORKFLOW : 'main';
  changeAgent(draft, agent, { status: 'held' });
  note(draft, event, textOf(data.message) || `Waits: ${textOf(data.for) || textOf(data.kind)}`, {
    tone: 'wait',
  });
}

function stopped(draft: StoryDraft, { by }: Data, event: RunEventView): void {
  draft.status = 'stopped';
  note(draft, event, textOf(by) === '' ? 'Stopped' : `Stopped by ${textOf(by)}`);
}

function addNode(draft: StoryDraft, { id, alias, label, role, provider, model, parent }: Data): void {
  if (textOf(provider) === 'rehearsal') draft.rehearsal = true;
  addAgent(draft, {
    id: textOf(id),
    name: textOf(alias) || textOf(label),
    about: [textOf(role), textOf(model) || textOf(provider)].filter(Boolean).join(' · '),
    parent: typeof parent === 'string' ? parent : null,
  });
}

function say(
  draft: StoryDraft,
  { seq, at }: RunEventView,
  {
    agent,
    by,
    text,
    id,
  }: { readonly agent: string; readonly by: string; readonly text: string; readonly id: string },
): void {
  draft.items.push({ kind: 'message', id: id || `message ${seq}`, seq, at, agent, by, text });
}

/** The same turn is told twice: by the kind of run, and by the engine. */
function beginTurn(
  draft: StoryDraft,
  { seq, at }: RunEventView,
  { id, agent }: { readonly id: string; readonly agent: string },
): void {
  if (draft.turns.has(id)) return;
  const turns = (draft.agents.get(agent)?.turns ?? 0) + 1;
  if (!draft.agents.has(agent)) addAgent(draft, { id: agent, name: agent, about: '', parent: null });
  draft.turns.set(id, draft.items.length);
  draft.current.set(agent, id);
  draft.items.push({
    ...{ kind: 'turn', id, agent, seq, at, number: turns, cause: null, prompt: null, endedAt: null },
    isRecorded: false,
    ...{ reason: null, text: '', reasoning: '', calls: [], error: null, diff: null, flagged: [] },
    ...{ tokens: 0, usd: 0 },
  });
  changeAgent(draft, agent, { status: 'running', turns, last: 'speaks' });
}

function settle(
  draft: StoryDraft,
  { kind, of }: { readonly kind: string; readonly of: string },
  { ok, output, error }: Data,
  event: RunEventView,
): void {
  const said = dataOf(output);
  if (kind === 'turn') settleTurn(draft, of, { said, error: ok === true ? undefined : dataOf(error) }, event);
  else if (kind === 'call') {
    const text =
      ok === true ? (typeof output === 'string' ? output : resultText(said)) : textOf(dataOf(error).message);
    const status = ok === true && said.isError !== true ? 'ok' : 'error';
    changeCall(draft, draft.calls.get(of) ?? '', { id: of, status, output: text });
  } else if (kind === 'diff.take' && ok === true) {
    const artifact = typeof said.artifact === 'string' ? said.artifact : null;
    changeTurn(draft, of, () => ({ diff: { artifact, files: stringsOf(said.files) } }));
  } else if (kind === 'verify.run' && typeof said.failure === 'string') {
    const agent = findTurn(draft, of)?.agent ?? null;
    note(draft, event, `The checks fail: ${said.failure}`, { agent, tone: 'bad' });
  }
}

function settleTurn(
  draft: StoryDraft,
  id: string,
  { said, error }: { readonly said: Data; readonly error: Data | undefined },
  { at }: RunEventView,
): void {
  const end = dataOf(said.end);
  if (said.rehearsal === true) draft.rehearsal = true;
  const problem = error ?? (end.code === undefined ? undefined : end);
  changeTurn(draft, id, () => ({
    text: textOf(said.text),
    reasoning: textOf(said.reasoning),
    endedAt: at,
    reason: error === undefined ? textOf(end.reason) || 'done' : 'failed',
    error: problem ? { code: textOf(problem.code), message: textOf(problem.message) } : null,
  }));
  for (const use of listOf(said.native))
    changeCall(draft, id, nativeCall(findTurn(draft, id)?.calls ?? [], use));
  const turn = findTurn(draft, id);
  if (turn === undefined) return;
  const first = textOf(said.text).trim().split('\n', 1)[0] ?? '';
  changeAgent(draft, turn.agent, {
    status: problem ? 'failed' : 'idle',
    ...(first !== '' && { last: first }),
  });
}

/** What an agent did by itself; where a person was asked about it, it is the same call. */
function nativeCall(calls: readonly StoryCall[], { id, name, output, isError }: Data): StoryCall {
  const asked = calls.find((call) => call.name === name && call.decision !== null && call.output === null);
  const fresh = { id: textOf(id), input: undefined, decision: null };
  return {
    ...(asked ?? fresh),
    name: textOf(name),
    status: asked?.status === 'denied' ? 'denied' : isError === true ? 'error' : 'ok',
    output: typeof output === 'string' ? output : '',
  };
}

function planned(draft: StoryDraft, agent: string, calls: unknown): void {
  const turn = draft.current.get(agent) ?? '';
  for (const call of listOf(calls)) {
    const { id, name, input, plan, result } = call;
    const refused = plan === 'refuse' ? dataOf(result) : undefined;
    changeCall(draft, turn, {
      ...{ id: textOf(id), name: textOf(name), input: input as JsonValue },
      ...(refused && { status: 'refused', output: textOf(refused.text) }),
    });
  }
}

const resultText = (said: Data): string =>
  typeof said.text === 'string' ? said.text : JSON.stringify(said, null, 2);
const stringsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const statusOf = (value: unknown): StoryCall['status'] =>
  STATUSES.find((status) => status === value) ?? 'unknown';
const STATUSES = ['ok', 'error', 'refused', 'denied', 'expired', 'stopped', 'unknown'] as const;
const DECISIONS: Readonly<Record<string, string>> = {
  allow: 'Allowed',
  deny: 'Denied',
  change: 'Changed',
  expire: 'Not answered in time',
  withdraw: 'Withdrawn',
};
