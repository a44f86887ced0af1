import type { CallState } from '@cuebook/engine';
import { type CallNote, hasCall } from '../../call/scan.js';
import type { Made } from '../../graph/envelope.js';
import { artifactRef } from '../../graph/material.js';
import type { TurnResult } from '../../prompt/result.js';
import type { TurnClosed } from '../event.js';
import { madeBy } from '../made.js';
import { isLeft, type NodeWorkState } from '../state.js';

/** What the node of a turn is told of it in its next one. */
export function resultsOf(work: NodeWorkState, reason: TurnClosed['reason']): readonly TurnResult[] {
  const { outcome, flagged, verification } = work;
  const unheard = isLeft(work) ? work.native.filter(({ id }) => work.unheard?.includes(id)) : [];
  const calls = [...unheard, ...work.calls];
  const { code, message } = outcome?.end ?? {};
  const ending: TurnResult = {
    kind: 'ending',
    reason: reason === 'interrupted' ? 'interrupted' : (outcome?.end.reason ?? 'error'),
    message:
      reason === 'interrupted' ? 'A person interrupted the turn.' : (message ?? code ?? 'The turn failed.'),
  };
  const made = madeBy(work);
  return [
    ...(reason === 'done' ? [] : [ending]),
    ...calls.map((call): TurnResult => {
      const { id, given, name } = call;
      return { kind: 'call', call: id, given, tool: name, result: resultOf(call) };
    }),
    ...[...(outcome?.notes ?? []), ...printedCalls(work)].map((note): TurnResult => ({ kind: 'note', note })),
    ...(flagged.length === 0 ? [] : [flagOf(work)]),
    ...(made === undefined ? [] : [diffOf(made)]),
    ...(verification === undefined ? [] : [{ kind: 'verification', failure: verification } as const]),
  ];
}

const diffOf = ({ turn: _turn, ...made }: Made): TurnResult => ({ kind: 'diff', ...made });

function flagOf({ flagged, unsure, aside }: NodeWorkState): TurnResult {
  const ref = aside?.artifact === undefined ? {} : { ref: artifactRef(aside.artifact) };
  return { kind: 'flag', files: flagged, rule: unsure === null ? FLAGGED : STILL_THERE, ...ref };
}

const STILL_THERE = 'These files may not be changed by you in this mode. A person has looked at the changes.';
const FLAGGED = 'These files may not be changed by you in this mode. The changes were set aside, not kept.';

/** The agent's own tools printed calls: they are not run, and it is told. */
const printedCalls = ({ outcome }: NodeWorkState): readonly CallNote[] =>
  (outcome?.native ?? [])
    .filter(({ by, output }) => by === 'agent' && output !== undefined && hasCall(output))
    .map(({ name }) => ({ rule: 'output', line: 0, block: 0, sample: name, message: PRINTED }));

const PRINTED =
  'The output of a tool holds a tool_call. Write calls in your answer, on a line of their own; a command cannot make them.';

/** What a command prints is never a call: output with one in it is an error. */
export function resultOf({ name, result }: CallState) {
  const told = result ?? { status: 'stopped', code: 'E_TOOL_STOPPED', text: 'This call was not run.' };
  if (name !== 'command' || told.status !== 'ok' || !hasCall(told.text))
    return told as NonNullable<typeof result>;
  return {
    status: 'error',
    code: 'E_CALL_IN_OUTPUT',
    text: PRINTED,
  } as const;
}
