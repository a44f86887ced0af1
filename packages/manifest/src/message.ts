import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import { ledBy } from './led-by.js';
import type { Texts } from './manifests.js';
import { type AgentObject, type Fragment, MANIFEST_LABELS, placedFragment, TEXT_KINDS } from './object.js';
import { missingHint, notFound } from './source.js';

/** The system message before any template is executed, or why there is none. */
export type RawMessage =
  | { readonly ok: true; readonly value: Fragment }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** `systemMessage`, or the key that `systemMessageFrom` names in the namespace of the Agent. */
export function readMessage(agent: AgentObject, texts: Texts): RawMessage {
  const { systemMessage, systemMessageFrom: from } = agent.spec.declarative ?? {};
  const path = (...below: readonly PropertyKey[]) => ['spec', 'declarative', ...below];
  const refuse = (below: readonly PropertyKey[], message: string): RawMessage => {
    const problem = { code: 'E_SYSTEM_MESSAGE', severity: 'error', message } as const;
    return { ok: false, diagnostic: diagnosticAt(agent.yaml, below, problem) };
  };
  if (guard('message.both', typeof systemMessage === 'string' && Boolean(from))) {
    return refuse(path('systemMessageFrom'), 'systemMessage and systemMessageFrom are mutually exclusive');
  }
  if (!from) {
    if (systemMessage) return { ok: true, value: ownMessage(agent, systemMessage) };
    return refuse(
      path(),
      'at least one system message source (SystemMessage or SystemMessageFrom) must be specified',
    );
  }
  const { namespace } = agent;
  const kind = TEXT_KINDS.find((each) => each === from.type);
  if (kind === undefined) {
    return refuse(path('systemMessageFrom', 'type'), `unknown value source type: ${from.type}`);
  }
  const object = texts.find(kind, namespace, from.name);
  if (object === undefined) {
    const missing = notFound(kind, namespace, from.name) + missingHint(kind, namespace, from.name, texts);
    return refuse(path('systemMessageFrom', 'name'), missing);
  }
  const fragment = object.fragments.get(from.key);
  if (fragment !== undefined) {
    const via = [agent.yaml.place(path('systemMessageFrom'))];
    const pieces = () => fragment.pieces().map((piece) => ledBy(piece, via));
    return { ok: true, value: { ...fragment, pieces } };
  }
  const why = object.hidden.get(from.key);
  const hint = why === undefined ? '' : `. The key is there, but ${why}`;
  return refuse(
    path('systemMessageFrom', 'key'),
    `key ${from.key} not found in ${kind} ${namespace}/${from.name}${hint}`,
  );
}

const ownMessage = ({ yaml, namespace, name }: AgentObject, text: string): Fragment =>
  placedFragment(yaml, ['spec', 'declarative', 'systemMessage'], text, {
    ...MANIFEST_LABELS,
    subject: `Agent ${namespace}/${name} systemMessage`,
  });
