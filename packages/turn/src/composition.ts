import type { PortError } from '@cuebook/engine';
import type { Ground } from '@cuebook/host';
import {
  type BlockInput,
  composeRequest,
  describeRefusal,
  fail,
  type GatedRequest,
  type JsonValue,
  type OfferedTool,
  ok,
  type Result,
} from '@cuebook/prompt';

/** The request of a run that another process began: gated anew, and the same words or none. */
export function requestOf(
  composition: JsonValue,
  hash: string,
  ground: Pick<Ground, 'hash' | 'redactor'>,
): Result<GatedRequest, PortError> {
  const kept = composition as unknown as {
    readonly blocks: readonly BlockInput[];
    readonly tools: readonly OfferedTool[];
    readonly params: Readonly<Record<string, unknown>>;
  };
  const request = composeRequest({ ...kept, hash: ground.hash, redactor: ground.redactor });
  if (!request.ok) {
    const [first] = request.error;
    return fail({
      code: first?.code ?? 'E_TURN_CHANGED',
      message: first === undefined ? 'Refused.' : describeRefusal(first),
    });
  }
  if (request.value.prompt.hash === hash) return ok(request.value);
  return fail({
    code: 'E_TURN_CHANGED',
    message: 'What is private here has changed since the run began, so its prompt would be another one.',
  });
}
