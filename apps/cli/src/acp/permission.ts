import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { askedParts, type WaitView } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import { patchDiffs, said, shownAs } from './calls.js';

/** What a person's choice means to the host. */
export type PermissionReply =
  | { readonly decision: 'allow'; readonly grant?: true }
  | { readonly decision: 'deny' }
  | { readonly texts: string[] };

/** Whether something that waits is asked by a request for a permission. Everything else is asked in words. */
export const asksPermission = ({ for: what, answers }: WaitView): boolean =>
  (what === 'approval' || what === 'outcome') && answers.length > 0;

/** The request that puts something that waits to the person at the client. */
export function permissionOf(
  wait: WaitView,
  about: { readonly sessionId: string; readonly call: string; readonly folder: string },
): RequestPermissionRequest {
  const { tool, input, name, reason, changes = [] } = wait;
  const diffs = patchDiffs(changes, about.folder);
  const { rest } = askedParts({ input, changes });
  const shown = shownAs({ tool: tool === '' ? 'turn' : tool, input, name: name ?? undefined });
  return {
    sessionId: about.sessionId,
    toolCall: {
      toolCallId: about.call,
      ...shown,
      status: 'pending',
      content: [
        ...diffs,
        ...(rest === undefined ? [] : [said(JSON.stringify(rest, null, 2))]),
        ...(reason === null ? [] : [said(reason)]),
      ],
    },
    options: offeredFor(wait).map(({ reply: _, ...option }) => option),
  };
}

/**
 * What the person chose. Undefined: nobody has decided. Only the very option that was offered counts, so nothing else
 * that a client may answer lets a call through.
 */
export function replyOf(
  wait: Pick<WaitView, 'for' | 'claimed'>,
  { outcome }: RequestPermissionResponse,
): PermissionReply | undefined {
  if (outcome.outcome !== 'selected') return undefined;
  const chosen = offeredFor(wait).find(({ optionId }) => optionId === outcome.optionId);
  if (guard('acp.option', chosen === undefined)) return undefined;
  return chosen?.reply ?? { decision: 'allow' };
}

type Offered = PermissionOption & { readonly reply: PermissionReply };

function offeredFor({ for: what, claimed }: Pick<WaitView, 'for' | 'claimed'>): readonly Offered[] {
  if (what === 'outcome') return OUTCOMES;
  return claimed ? APPROVALS.filter(({ optionId }) => optionId !== 'grant') : APPROVALS;
}

const APPROVALS: readonly Offered[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once', reply: { decision: 'allow' } },
  {
    optionId: 'grant',
    name: 'Allow this tool for the rest of the run',
    kind: 'allow_always',
    reply: { decision: 'allow', grant: true },
  },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once', reply: { decision: 'deny' } },
];

const OUTCOMES: readonly Offered[] = [
  {
    optionId: 'not-done',
    name: 'It was not done: do it again',
    kind: 'allow_once',
    reply: { texts: ['not-done'] },
  },
  {
    optionId: 'unknown',
    name: 'Nobody knows: tell the agent so',
    kind: 'reject_once',
    reply: { texts: ['unknown'] },
  },
];
