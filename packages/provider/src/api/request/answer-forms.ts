import type { TurnEnd } from '../../turn.js';
import type { ApiName } from '../vendor.js';
import type { CallOptions } from '../wire/model.js';
import type { ApiCall } from './call.js';

/**
 * What a server takes that speaks somebody else's API: a schema of the answer, JSON without one, or only words. It
 * is asked for the most, and what it refused once is not asked of it again.
 */
export interface AnswerForms {
  /** The options of a call as far as this server takes them. */
  fit(call: ApiCall): CallOptions;
  /** Asks for less next time, and says so; undefined when that is not what was refused, or there is no less. */
  refused(call: ApiCall, end: Omit<TurnEnd, 'type'>): string | undefined;
}

type Form = 'schema' | 'json' | 'words';

export function createAnswerForms(vendor: ApiName): AnswerForms {
  /** By model: what is left to ask for. */
  const known = new Map<string, Form>();
  const formOf = ({ model }: ApiCall): Form => known.get(model) ?? 'schema';
  return {
    fit(call) {
      const { responseFormat, ...rest } = call.options;
      const form = formOf(call);
      if (responseFormat?.type !== 'json' || form === 'schema') return call.options;
      return form === 'json' ? { ...rest, responseFormat: { type: 'json' } } : rest;
    },
    refused(call, { error }) {
      const asked = call.options.responseFormat;
      if (vendor !== 'compatible' || asked?.type !== 'json' || error?.code !== 'E_PROVIDER_REJECTED')
        return undefined;
      if (!FORM_WORDS.test(error.message)) return undefined;
      const before = formOf(call);
      if (before === 'words') return undefined;
      const next: Form = before === 'schema' && asked.schema !== undefined ? 'json' : 'words';
      known.set(call.model, next);
      return next === 'json'
        ? 'The server does not take a schema of the answer: it is asked for JSON, and the answer is checked here.'
        : 'The server does not take a form of the answer: it is asked without one, and the answer is checked here.';
    },
  };
}

/** What servers name when it is the form of the answer that they do not take. */
const FORM_WORDS =
  /response_?format|json_?schema|json_?object|json mode|structured[_ ]?outputs?|guided|grammar/i;
