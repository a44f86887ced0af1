import {
  createRunPorts,
  type Driver,
  type EffectIntent,
  type Outcome,
  type PerformContext,
  type RunPort,
  takeTurn,
} from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { type ComposeMemo, createComposeMemo, fail, ok, type Redactor, type Result } from '@cuebook/prompt';
import { createRehearsalProvider, DEFAULT_LIMITS, type Provider, type Session } from '@cuebook/provider';
import { accessOf, mayTouch } from '../capability/access.js';
import type { TeamNode } from '../graph/node.js';
import { inFolder } from '../graph/workspace.js';
import type { TeamCommand } from '../run/command.js';
import type { NodeTurnOutcome } from '../run/outcome.js';
import type { NodeWorkState, TeamState } from '../run/state.js';
import { composeTurn } from '../run/turn-words.js';
import { asOutput, nodeAnswer } from './answer.js';
import { keepSession } from './carried-session.js';
import { inHeldFolder } from './held-folder.js';
import { TEAM_LOOK } from './look.js';
import { materialsOf } from './material.js';
import { type SettledTurn, settleSession } from './moved-session.js';
import { nativeWords } from './native-words.js';
import { observeTurn } from './observe.js';
import { sweepWorkspace } from './sweep.js';
import type { NodeTurnParts, RunParts } from './turn-parts.js';
import type { VoiceError } from './voices.js';
import { workspaceRedactors } from './workspace-redactor.js';

/** Does `node.turn`: one node, one turn, from the composed words to the answer. */
export function createNodeTurnDriver(parts: NodeTurnParts): Driver {
  const kept: Kept = {
    memo: createComposeMemo(),
    redactorOf: workspaceRedactors(parts.redactor),
    ports: createRunPorts(parts.engine, parts.store),
  };
  return {
    beginsLate: true,
    timeoutMs: (parts.limits.totalMs ?? DEFAULT_LIMITS.totalMs) + MARGIN_MS,
    async perform(effect, context) {
      const outcome = await takeNodeTurn({ ...parts, ...kept }, effect, context);
      await parts.fault('turn.taken');
      await parts.after(context.run as RunId);
      return outcome;
    },
    observe: (effect, context) => observeTurn(parts, effect, context),
  };
}

/** The provider ends a turn by itself first, with what was said so far. */
const MARGIN_MS = 60_000;

/** What turns leave for those after them. */
interface Kept {
  readonly memo: ComposeMemo;
  readonly redactorOf: (folder: string) => Redactor;
  readonly ports: (run: RunId) => RunPort<TeamState, TeamCommand>;
}

async function takeNodeTurn(
  parts: NodeTurnParts & Kept,
  effect: EffectIntent,
  context: PerformContext,
): Promise<Outcome> {
  const run = context.run as RunId;
  const { node: id } = effect.input as { readonly node: string };
  await parts.servers.look(run, id, `${effect.id} ${context.attempt}`);
  const { state } = await parts.engine().read(run);
  const found = Object.hasOwn(state.nodes, id) ? state.nodes[id] : undefined;
  if (!found?.work || found.work.effect !== effect.id) return refused(STALE);
  return inHeldFolder(parts, { run, node: found.node, context }, async () => {
    const settled = await settleSession(parts, effect, { run, state, found });
    return settled.ok ? speak(parts, effect, context, settled.value) : refused(settled.error);
  });
}

/** The turn itself, in a folder that is as it was left. */
async function speak(
  parts: NodeTurnParts & Kept,
  effect: EffectIntent,
  context: PerformContext,
  { state, found, machine }: SettledTurn,
): Promise<Outcome> {
  const run = context.run as RunId;
  const { work } = found;
  if (!work) return refused(STALE);
  const { id } = found.node;
  const node = work.fallback === undefined ? found.node : { ...found.node, model: work.fallback.model };
  const provider = parts.voices.find(node.provider);
  if (!provider.ok) return refused(provider.error);
  const redactor = parts.redactorOf(parts.workspaces.folderOf(run, inFolder(node)));
  const composed = composeTurn(state, id, {
    config: parts.config,
    redactor,
    hash: parts.hash,
    memo: parts.memo,
    limits: parts.limits,
    offersTools: provider.value.capabilities.nativeTools,
    structured: provider.value.kind === 'api' && provider.value.capabilities.nativeTools,
    materials: await materialsOf(parts.artifacts, run, work.taken, state.artifacts ?? {}),
  });
  if (!composed.ok) return refused(composed.error);
  const notes = await parts.notes(run);
  const { signal } = context;
  const folder = await readyFolder(parts, { run, node, work, setup: notes.setup, context });
  if (!folder.ok) return refused(folder.error);
  const key = sessionKey(run, id);
  const opened = await openSession(parts, key, {
    ...{ provider: provider.value, node, work, notes, redactor },
    ...{ effect: effect.id, cwd: folder.value, turn: context },
    goesOn: work.kind.kind === 'delta' ? found.session.id : null,
  });
  if (!opened.ok) return refused(opened.error);
  await parts.fault('turn.composed');
  // Making a workspace takes long enough to lose the lane to another process: then that one speaks.
  if (signal.aborted) return refused(ABORTED);

  let answer: NodeTurnOutcome | undefined;
  let heard: readonly string[] = [];
  const { parts: stable, ...words } = composed.value;
  const outcome = await takeTurn<TeamState>(
    {
      recorder: parts.recorder,
      redactor,
      port: parts.ports,
      look: TEAM_LOOK,
      publish: (event) => parts.publish({ run, node: id, effect: effect.id }, event),
      answer: (turn, said) => {
        const isLeft = parts.isStopping() && signal.aborted;
        heard = said;
        answer = nodeAnswer(turn, said, { redactor, parts: stable, isLeft, machine });
        return asOutput(answer);
      },
    },
    {
      effect,
      context,
      composed: words,
      session: opened.value,
      voice: { provider: node.provider, ...(node.model === undefined ? {} : { model: node.model }) },
      words: nativeWords({ run, node, workspaces: parts.workspaces }),
    },
  );
  // A session that broke cannot be relied on: the next turn begins another with the whole prompt.
  const isBroken = answer === undefined || BROKEN.has(answer.end.reason);
  if (isBroken) await parts.sessions.close(key);
  else parts.sessions.rest(key, answer?.sessionId);
  const agent = isBroken || machine === undefined ? undefined : provider.value.sessionFiles;
  if (agent !== undefined && parts.shared !== undefined && answer?.sessionId !== undefined)
    await keepSession(parts.shared, agent, {
      ...{ run, node: id, provider: node.provider, session: answer.sessionId, turn: work.turn },
      ...{ cwd: folder.value, token: context.fence.token, said: heard },
    });
  return outcome;
}

const BROKEN: ReadonlySet<string> = new Set(['error', 'timeout', 'refused']);
/** The folder of a node, ready for its turn. One that only looks at the project's folder needs nothing made ready. */
async function readyFolder(
  { workspaces, config }: NodeTurnParts,
  at: {
    readonly run: RunId;
    readonly node: TeamNode;
    readonly work: NodeWorkState;
    readonly setup: string | undefined;
    readonly context: PerformContext;
  },
): Promise<Result<string, VoiceError>> {
  const { run, work, setup, context } = at;
  const node = inFolder(at.node);
  const acts = config.acts?.(at.node.provider) ?? false;
  if (node.workspace === 'shared' && !mayTouch(at.node, work.globalMode, acts))
    return ok(workspaces.folderOf(run, node));
  const ready = await workspaces.prepare({ run, node, turn: work.turn }, { setup, signal: context.signal });
  if (!ready.ok) return ready;
  const { folder, kind } = ready.value;
  if (context.attempt > 1 && kind === 'own') await sweepWorkspace(folder);
  return ok(folder);
}

const ABORTED = { code: 'E_EFFECT_ABORTED', message: 'The turn was ended before it was sent.' };
const STALE = { code: 'E_NODE_IDLE', message: 'The turn is over.' };

const refused = (error: { readonly code: string; readonly message: string }): Outcome => ({
  ok: false,
  error: { code: error.code, message: error.message },
});

/** The key of a node's session. */
export const sessionKey = (run: RunId, node: string): string => `${run}/${node}`;

interface Opening {
  readonly provider: Provider;
  readonly node: TeamNode;
  readonly work: NodeWorkState;
  readonly notes: RunParts;
  readonly redactor: Redactor;
  readonly effect: string;
  readonly cwd: string;
  readonly goesOn: string | null;
  readonly turn: PerformContext;
}

/** The rehearsal has no session of its own: each turn is the step of the script that belongs to it. */
async function openSession(
  { sessions, workspaces }: NodeTurnParts,
  key: string,
  { provider, node, work, notes, redactor, effect, cwd, goesOn, turn }: Opening,
): Promise<Result<Session, VoiceError>> {
  const { model, alias } = node;
  const names = [...(alias === undefined ? [] : [alias]), node.label];
  const { approves } = provider.capabilities;
  const { editRunsCommands } = provider;
  const { access, ask } = accessOf(node, work.globalMode, { approves, editRunsCommands });
  const { home } = workspaces;
  const options = { redactor, cwd, home, access, ask, names, ...(model === undefined ? {} : { model }) };
  if (provider.kind !== 'rehearsal') return ok(await sessions.open(key, { provider, options, goesOn, turn }));
  if (notes.script === undefined) return ok(provider.open(options));
  const { script, lanes, catchUp } = notes.script;
  await catchUp();
  const place = lanes.take(model === undefined ? names : [...names, model], effect);
  if (place === undefined)
    return fail({
      code: 'E_SCRIPT_LANE',
      message: `The script has no lane for ${names.join(' or ')}, and none for everybody.`,
    });
  const { lane, isModel, resume = isModel === true ? (goesOn ?? undefined) : undefined } = place;
  const played = createRehearsalProvider({ script });
  return ok(played.open({ ...options, names: [lane], ...(resume === undefined ? {} : { resume }) }));
}
