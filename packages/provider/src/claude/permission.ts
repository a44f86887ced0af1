import { guard } from '@cuebook/guard';
import { asFields, asText, type Fields, jsonOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { Access, ApprovalAnswer, ApprovalRequest } from '../turn.js';

export interface ClaudeRights {
  readonly access: Access | undefined;
  readonly ask: boolean;
  /** Whether a tool, as the model names it, is one of ours. */
  readonly isOurs: (tool: string) => boolean;
}

/**
 * Answers Claude Code, which asks before it does what its mode leaves out. An allowed input is not sent back:
 * it names places of this machine, and Claude Code has it.
 */
export async function answerPermission(
  id: string,
  request: Fields,
  turn: LiveTurn,
  { access, ask, isOurs }: ClaudeRights,
): Promise<Fields> {
  const tool = asText(request.tool_name) ?? '';
  // Whoever runs our tools decides about them, in planning too.
  if (isOurs(tool)) return ALLOW;
  // In planning it asks too, and an answer of "allow" would be carried out.
  if (guard('claude.plan', access === 'plan')) return deny('The session may only read.');
  if (!ask) return access === 'full' ? ALLOW : deny(NOT_ALLOWED);
  const { onApproval } = turn.input;
  const callId = asText(request.tool_use_id);
  const asked: ApprovalRequest = {
    type: 'approval.request',
    id,
    tool,
    input: jsonOf(request.input),
    ...(callId === undefined ? {} : { callId }),
  };
  turn.emit(asked);
  const answer = (await onApproval?.(asked)) ?? { decision: 'deny' };
  return behaviour(answer);
}

const NOT_ALLOWED = 'This is not allowed in this session.';

/** An empty input means the one that was asked about. */
const ALLOW: Fields = { behavior: 'allow', updatedInput: {} };

function behaviour(answer: ApprovalAnswer): Fields {
  if (answer.decision === 'allow') return ALLOW;
  if (answer.decision === 'deny') return deny(answer.message ?? NOT_ALLOWED);
  const input = asFields(answer.input);
  // Nothing, or what is no object, would be carried out as the input that somebody wanted changed.
  if (guard('claude.change', input === undefined || Object.keys(input).length === 0)) {
    return deny('The input was changed to nothing.');
  }
  return { behavior: 'allow', updatedInput: input };
}

const deny = (message: string): Fields => ({ behavior: 'deny', message });
