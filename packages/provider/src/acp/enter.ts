import { type Fields, fieldsOf, isFields, textOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { failedEnd, TurnStop } from '../stream/turn-error.js';
import type { SessionOptions } from '../turn.js';
import { findPlanMode, modelsOf, modesOf } from './choices.js';
import { requestError } from './failure.js';
import type { AcpLink } from './link.js';
import type { Offer } from './offer.js';
import type { AcpOptions } from './options.js';
import type { Quiet } from './quiet.js';

export interface EnterOptions {
  readonly link: AcpLink;
  readonly agent: AcpOptions & { readonly meta?: Fields };
  readonly options: SessionOptions;
  /** A session to go on with; undefined for a new one. */
  readonly sessionId: string | undefined;
  readonly turn: LiveTurn;
  readonly offer: Offer;
  readonly quiet: Quiet;
}

/** Makes or finds the session, with our tools, and puts it into the mode and on the model that were asked for. */
export async function enterSession(enter: EnterOptions): Promise<string> {
  const { link, agent, options, sessionId, turn, offer } = enter;
  const hasTools = turn.input.request.tools.length > 0;
  const mcpServers = hasTools ? await offer.servers(link.capabilities) : [];
  const meta = agent.meta === undefined || !hasTools ? {} : { _meta: agent.meta };
  const params = { cwd: options.cwd ?? process.cwd(), mcpServers, ...meta };
  const found =
    sessionId === undefined ? await makeSession(enter, params) : await findSession(enter, sessionId, params);
  const id = sessionId ?? textOf(found.sessionId);
  if (id === '') throw new TurnStop(failedEnd('E_PROVIDER_REJECTED', 'The agent gave its session no id.'));
  await chooseMode(enter, id, found);
  await chooseModel(enter, id, found);
  return id;
}

/** An agent that wants to be signed in to says so here; then once more. */
async function makeSession({ link, agent }: EnterOptions, params: Fields): Promise<Fields> {
  try {
    return await link.request('session/new', params);
  } catch (thrown) {
    if (agent.authMethod === undefined || requestError(thrown).code !== 'E_PROVIDER_AUTH') throw thrown;
    await link.request('authenticate', { methodId: agent.authMethod });
    return link.request('session/new', params);
  }
}

/** `resume` where the agent has it: `load` says all that was said once more, and we do not need it. */
async function findSession(enter: EnterOptions, sessionId: string, params: Fields): Promise<Fields> {
  const { link, turn, quiet } = enter;
  const { sessionCapabilities, loadSession } = link.capabilities;
  const canResume = isFields(fieldsOf(sessionCapabilities).resume);
  if (!canResume && loadSession !== true) {
    throw new TurnStop(failedEnd('E_PROVIDER_SESSION', CANNOT_GO_ON));
  }
  try {
    const method = canResume ? 'session/resume' : 'session/load';
    const found = await link.request(method, { ...params, sessionId });
    if (!canResume) await quiet.wait(turn.signal);
    return found;
  } catch (thrown) {
    const { code, message } = requestError(thrown);
    if (code === 'E_PROVIDER_AUTH' || !link.isOpen()) throw thrown;
    // Never a new session instead: it would have forgotten what the words refer to.
    const why = `The agent did not find the session. ${message}`;
    throw new TurnStop(failedEnd('E_PROVIDER_SESSION', why, { retryable: true }));
  }
}

const CANNOT_GO_ON = 'The agent cannot go on with a session of an earlier process.';

async function chooseMode(
  { link, agent, options: { access } }: EnterOptions,
  sessionId: string,
  found: Fields,
): Promise<void> {
  if (access === undefined) return;
  const modes = modesOf(found);
  const wanted = agent.modes?.[access] ?? (access === 'plan' && modes ? findPlanMode(modes) : undefined);
  if (access === 'plan' && (wanted === undefined || modes === undefined)) {
    const message = 'The agent offers no mode that only reads, so it cannot be asked to plan.';
    throw new TurnStop(failedEnd('E_PROVIDER_PLAN', message));
  }
  if (wanted === undefined || modes === undefined || wanted === modes.current) return;
  await link.request(...modes.request(sessionId, wanted));
}

async function chooseModel(
  { link, agent, options: { model }, turn }: EnterOptions,
  sessionId: string,
  found: Fields,
): Promise<void> {
  if (model === undefined || agent.modelFlag !== undefined) return;
  const models = modelsOf(found);
  if (models?.current === model) return;
  if (models?.offered.some(({ value }) => value === model)) {
    await link.request(...models.request(sessionId, model));
    return;
  }
  const text = `The agent does not offer the model ${model}; it uses its own.`;
  turn.emit({ type: 'log', level: 'warning', text });
}
