import { templateContext } from './context.js';
import { executeMessage } from './execute.js';
import type { Texts } from './manifests.js';
import { readMessage } from './message.js';
import type { AgentObject, ObjectName, TextKind } from './object.js';
import type { Resolved } from './resolved.js';
import { resolveSources, sourceKind, sourcesOf } from './source.js';

/**
 * Resolves the system message as a controller does: the raw message, the sources in order, the template. What
 * is not executed is not complained about; `checkAgent` looks into every branch. Pure and deterministic.
 */
export function resolveAgent(agent: AgentObject, texts: Texts): Resolved {
  const raw = readMessage(agent, texts);
  if (!raw.ok) return raw;
  const message = raw.value;
  if (!isTemplate(agent)) return { ok: true, text: message.text, pieces: message.pieces() };
  const { fragments, entries, diagnostics } = resolveSources(agent, texts);
  const diagnostic = diagnostics.find(({ severity }) => severity === 'error');
  if (diagnostic !== undefined) return { ok: false, diagnostic };
  return executeMessage({ message, fragments, entries, context: templateContext(agent), agent });
}

/** Whether the system message is a template: `promptTemplate` is there, with sources or without. */
export const isTemplate = (agent: AgentObject): boolean => Boolean(agent.spec.declarative?.promptTemplate);

/** A ConfigMap or Secret that an Agent names. */
export interface Reference extends ObjectName {
  readonly kind: TextKind;
}

/** Every object that the system message of an Agent may depend on, each once. */
export function referencesOf(agent: AgentObject): readonly Reference[] {
  const { namespace } = agent;
  const from = agent.spec.declarative?.systemMessageFrom;
  const named = [
    ...(from ? [{ kind: from.type === 'Secret' ? 'Secret' : 'ConfigMap', name: from.name } as const] : []),
    ...sourcesOf(agent).flatMap((source) => {
      const kind = sourceKind(source);
      return kind === undefined ? [] : [{ kind, name: source.name }];
    }),
  ];
  const unique = new Map(named.map(({ kind, name }) => [`${kind} ${name}`, { kind, namespace, name }]));
  return [...unique.values()];
}
