import { openFolder } from '@cuebook/files';
import type { RebuiltTurn } from '@cuebook/journal';
import type { GatedRequest } from '@cuebook/prompt';
import { maskWire, type WireDocument } from '@cuebook/prompt/wire';
import { defaultProvider, turnBody } from '@cuebook/provider';
import { type Call, flagValue, isOn } from '../command.js';
import { Failure } from '../failure.js';
import type { Bench } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';
import { requireProviders } from '../project/providers.js';
import { composeCalled, openCalled, requireTarget } from '../project/target.js';
import { isWorkflow } from '../project/workflow-folder.js';
import { type SaidIn, withSaid } from '../record/said-in.js';
import { isTurnName } from '../record/turn-name.js';

/** The body of a target, or of a turn on record. */
export interface CalledWire {
  readonly target: string;
  /** The project's folder. */
  readonly folder: string;
  /** The git revision that the words are of, where it is not the working tree. */
  readonly revision?: string | undefined;
  readonly document: WireDocument;
  /** Of a turn on record. */
  readonly turn?: RebuiltTurn;
  /** Of a turn on record: whether these are the very bytes that were sent, by their hash. */
  readonly isSent?: boolean;
}

/** The body that a call means, as it may be shown. */
export async function calledWire(call: Call): Promise<CalledWire> {
  const wire = isTurnName(call.args[0]) ? await recordedWire(call, call.args[0]) : await targetWire(call);
  return isOn(call.flags, 'reveal') ? wire : { ...wire, document: maskWire(wire.document) };
}

/** The body of a target, on a bench of its own unless one is open. */
export async function targetWire(
  call: Pick<Call, 'args' | 'flags' | 'io'>,
  bench?: Bench,
): Promise<CalledWire> {
  const { flags, io, args } = call;
  const [text] = args;
  const isOpen = bench !== undefined && text !== undefined && !isWorkflow(text);
  const called = await (isOpen ? requireTarget(bench, text) : openCalled(call));
  const { request, target } = await composeCalled(called, flags, io);
  const config = await requireProviders(called.bench.files);
  const provider = flagValue(flags, 'provider') ?? defaultProvider(config);
  const named = typeof request.params.model === 'string' ? request.params.model : undefined;
  const document = await requireBody({
    provider,
    config,
    model: flagValue(flags, 'model') ?? named,
    request,
  });
  const { folder } = called.bench;
  return { target, folder, revision: called.target.revision, document };
}

async function recordedWire(call: Call, name: string): Promise<CalledWire> {
  const { requireSaid } = await import('../record/recorded-turn.js');
  const { turn, folder, name: target, said, number } = await requireSaid(call, name);
  return { target, folder, turn, ...(await turnWire(turn, { folder, said, number })) };
}

interface TurnPlace {
  /** The project's folder. */
  readonly folder: string;
  readonly said: SaidIn;
  /** The number of the turn, from 1. */
  readonly number: number;
}

/** The body of a turn on record, and whether it is what was sent. */
export async function turnWire(
  turn: RebuiltTurn,
  { folder, said, number }: TurnPlace,
): Promise<{ readonly document: WireDocument; readonly isSent: boolean }> {
  const config = await requireProviders(requireFile(await openFolder(folder, { access: 'ro' }), folder));
  const { provider, model } = turn.to;
  const document = await requireBody({
    provider,
    config,
    model,
    conversation: { run: turn.run, lane: turn.lane },
    request: asGated(turn.request),
    ...(turn.delta && { delta: asGated(turn.delta) }),
  });
  const isSent = turn.sends.some(({ hash }) => hash === document.hash);
  return { document: withSaid(document, turn.request.prompt, said, number), isSent };
}

/** What the record holds has passed the gates; it is looked at and not sent. */
const asGated = (request: RebuiltTurn['request']): GatedRequest => request as unknown as GatedRequest;

async function requireBody(options: Parameters<typeof turnBody>[0]): Promise<WireDocument> {
  const body = await turnBody(options);
  if (!body.ok) throw new Failure(body.error.code, body.error.message);
  return body.value;
}
