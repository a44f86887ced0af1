import { fail, type GatedRequest, ok, type Result } from '@cuebook/prompt';
import { createAnswerForms } from '../api/request/answer-forms.js';
import { type ApiCall, prepareCall } from '../api/request/call.js';
import { createThoughtMemory } from '../api/request/thoughts.js';
import { type ApiName, VENDORS } from '../api/vendor.js';
import { loadModel } from '../api/wire/load-model.js';
import type { ConversationKey, TurnError } from '../turn.js';

export interface ApiBodyOptions {
  readonly api: ApiName;
  readonly model?: string | undefined;
  readonly conversation?: ConversationKey | undefined;
}

/** The body that a model API is sent for a request. Nothing is sent, and no key is needed. */
export async function apiBody(
  request: GatedRequest,
  { api, model, conversation }: ApiBodyOptions,
): Promise<Result<string, TurnError>> {
  const call = prepareCall(request, {
    vendor: VENDORS[api],
    thoughts: createThoughtMemory(),
    ...(model !== undefined && { model }),
    ...(conversation !== undefined && { conversation: `${conversation.run} ${conversation.lane}` }),
  });
  return call.ok ? ok(await bodyOf(api, call.value)) : fail(call.error);
}

async function bodyOf(api: ApiName, call: ApiCall): Promise<string> {
  let body: string | undefined;
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    body = String(init?.body ?? '');
    throw new TypeError('nothing is sent');
  };
  const at = { baseUrl: 'http://127.0.0.1', key: 'none', headers: {}, fetch };
  const model = await loadModel(api, { ...at, model: call.model });
  try {
    await model.doStream(createAnswerForms(api).fit(call));
  } catch (thrown) {
    if (body === undefined) throw thrown;
  }
  return body ?? '';
}
