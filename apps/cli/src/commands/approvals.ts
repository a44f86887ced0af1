import type { ApprovalView, Client, JsonValue } from '@cuebook/api';
import { nearest } from '@cuebook/profile';
import { type Call, flagValue, type Handler, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import { readNamedFile } from '../project/named-file.js';
import { follow } from '../run/team/run.js';
import { type Connected, withServer } from '../team/connect.js';
import { requireAnswer } from '../team/require.js';
import { approvalLine, approvalText } from '../team/text/approval-text.js';
import { screenValue } from '../team/text/screen-value.js';

/**
 * `cuebook approvals [list|show|allow|deny|change]`: what waits for a person, and the answer. Where no server is up the
 * run goes on in this process, until it waits again.
 */
export const run: Handler = async (call) => {
  const [action = 'list', id] = call.args;
  if (!ACTIONS.includes(action)) {
    const near = nearest(action, ACTIONS);
    const hint = near === undefined ? `There are ${ACTIONS.join(', ')}` : `Did you mean ${near}?`;
    throw usage(`No action is called "${action}". ${hint}`);
  }
  if (action !== 'list' && id === undefined)
    throw usage(`Name what to ${action}: cuebook approvals lists it`);
  const decision = action === 'list' || action === 'show' ? undefined : await readDecision(call, action);
  return withServer(
    call,
    async (connected) => {
      if (action === 'list') return list(call, connected.client);
      const approval = await requireApproval(connected.client, id ?? '');
      if (decision === undefined) return show(call, approval);
      return resolve(call, connected, approval, decision);
    },
    { idle: decision === undefined },
  );
};

const ACTIONS: readonly string[] = ['list', 'show', 'allow', 'deny', 'change'];

async function list({ flags, io }: Call, client: Client): Promise<number> {
  const { approvals } = requireAnswer(await client.listApprovals({}));
  if (isOn(flags, 'json')) {
    await printJson(io, { approvals });
    return 0;
  }
  const style = styleFor(io, 'out');
  if (approvals.length === 0) await io.out('Nothing waits for you.\n');
  for (const each of approvals) {
    const shown = screenValue(each, io);
    await io.out(`${style.bold(shown.id)}  ${style.dim(shown.run)}  ${approvalLine(shown)}\n`);
  }
  return 0;
}

async function show({ flags, io }: Call, approval: ApprovalView): Promise<number> {
  if (isOn(flags, 'json')) await printJson(io, approval);
  else await io.out(approvalText(screenValue(approval, io), styleFor(io, 'out'), Number.POSITIVE_INFINITY));
  return 0;
}

type Decision =
  | { readonly decision: 'allow'; readonly grant?: boolean }
  | { readonly decision: 'deny'; readonly message?: string }
  | { readonly decision: 'change'; readonly input: JsonValue };

async function readDecision({ flags, io }: Call, action: string): Promise<Decision> {
  const message = flagValue(flags, 'message');
  const input = flagValue(flags, 'with');
  if (isOn(flags, 'grant') && action !== 'allow') throw usage('--grant goes with allow');
  if (message !== undefined && action !== 'deny') throw usage('--message goes with deny');
  if (input !== undefined && action !== 'change') throw usage('--with goes with change');
  if (action === 'allow') return { decision: 'allow', ...(isOn(flags, 'grant') ? { grant: true } : {}) };
  if (action === 'deny') return { decision: 'deny', ...(message === undefined ? {} : { message }) };
  if (input === undefined) throw usage('change needs --with JSON, or --with @FILE');
  const text = input.startsWith('@') ? await readNamedFile(io.cwd, input.slice(1)) : input;
  try {
    return { decision: 'change', input: JSON.parse(text) as JsonValue };
  } catch {
    throw usage('What --with holds is not JSON');
  }
}

async function resolve(
  call: Call,
  connected: Connected,
  { run: of, id }: ApprovalView,
  decision: Decision,
): Promise<number> {
  const { client, isOwn } = connected;
  const before = requireAnswer(await client.getRun({ run: of }));
  requireAnswer(await client.resolveApproval({ run: of, approval: id, ...decision }));
  if (isOwn) return follow(call, connected, of, { after: before.seq });
  if (isOn(call.flags, 'json'))
    await printJson(call.io, { approval: id, run: of, decision: decision.decision });
  else call.io.err(`${DONE[decision.decision]} ${id}\n`);
  return 0;
}

const DONE = { allow: 'Allowed', deny: 'Denied', change: 'Changed and allowed' } as const;

/** By its id or the beginning of it, among what waits; an answered one is looked for in its run. */
async function requireApproval(client: Client, named: string): Promise<ApprovalView> {
  const { approvals } = requireAnswer(await client.listApprovals({}));
  const found = approvals.filter(
    ({ id }) => id === named || id.startsWith(named) || id.startsWith(`apr_${named}`),
  );
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1)
    throw new Failure('E_APPROVAL_UNKNOWN', `${found.length} approvals begin with "${named}"`);
  const near = nearest(
    named,
    approvals.map(({ id }) => id),
  );
  const hint = near === undefined ? '`cuebook approvals` lists what waits.' : `Did you mean ${near}?`;
  throw new Failure('E_APPROVAL_UNKNOWN', `Nothing that waits is called "${named}". ${hint}`);
}
