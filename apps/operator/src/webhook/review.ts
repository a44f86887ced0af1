import { type KubeObject, keyOf } from '@cuebook/controller';
import { checkAgent, collectManifests, plainObject, referencesOf } from '@cuebook/manifest';
import type { Diagnostic } from '@cuebook/prompt';
import { type FindSource, planAgent } from '../plan/plan.js';

/** What is said of an object before it is stored. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  /** Why not. */
  readonly message?: string;
  /** What whoever applies it is told all the same. */
  readonly warnings: readonly string[];
}

/** What the reviews know of the cluster. */
export interface ReviewView {
  readonly find: FindSource;
  /** The Agents that name a ConfigMap or Secret. */
  readonly agentsOf: (kind: 'ConfigMap' | 'Secret', key: string) => readonly KubeObject[];
}

/**
 * An Agent before it is stored. Refused is what only an edit of the Agent itself can fix; what is missing yet, and may
 * come a moment later in the same apply, is a warning.
 */
export function reviewAgent(object: KubeObject, { find }: Pick<ReviewView, 'find'>): ReviewAnswer {
  const key = keyOf(object);
  const own = plainObject(`Agent ${key}`, object, { byLine: true });
  const alone = collectManifests([own]);
  const named = alone.agents.get(key) ?? alone.partial.get(key);
  const shape = alone.problems.map(({ diagnostic }) => diagnostic);
  const found = named === undefined ? [] : referencesOf(named).flatMap((each) => sourceOf(find, each));
  const { agents, texts } = collectManifests([
    own,
    ...found.map((each) => plainObject(`${each.kind} ${keyOf(each)}`, each)),
  ]);
  const agent = agents.get(key);
  const checked = agent === undefined ? [] : checkAgent(agent, texts);
  const all = [...shape, ...checked];
  const refused = all.find((each) => each.severity === 'error' && !isMissing(each));
  if (refused !== undefined) return { allowed: false, message: lineOf(refused), warnings: [] };
  const missing = all.filter(isMissing);
  const plan = missing.length > 0 ? undefined : planAgent(object, { find, image: 'default' });
  if (plan?.type === 'wrong') return { allowed: false, message: plan.message, warnings: [] };
  return {
    allowed: true,
    warnings: [
      ...missing.map((each) => `Not accepted until this is there: ${lineOf(each)}`),
      ...all.filter(({ severity }) => severity === 'warning').map(lineOf),
    ].slice(0, MAX_WARNINGS),
  };
}

/** A source or a key that is not there, or not yet. */
const isMissing = ({ code, message, severity }: Diagnostic): boolean =>
  severity === 'error' &&
  (code === 'E_INCLUDE_PATH' || /failed to find |not found in (?:ConfigMap|Secret) /.test(message));

const sourceOf = (
  find: FindSource,
  each: { kind: 'ConfigMap' | 'Secret'; namespace: string; name: string },
) => {
  const source = find(each.kind, `${each.namespace}/${each.name}`);
  return source === undefined ? [] : [source];
};

const lineOf = ({ code, message, line, column }: Diagnostic): string =>
  `${message}${line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`} [${code}]`;

/**
 * A ConfigMap before it is stored: which Agents get new words, and which could not be resolved any more. It is never
 * refused: an Agent that cannot be resolved keeps its words.
 */
export function reviewSource(object: KubeObject, view: ReviewView): ReviewAnswer {
  const key = keyOf(object);
  const agents = view.agentsOf('ConfigMap', key);
  const after: FindSource = (kind, at) => (kind === 'ConfigMap' && at === key ? object : view.find(kind, at));
  const broken: string[] = [];
  const changed: string[] = [];
  for (const agent of agents.slice(0, MAX_AGENTS)) {
    const [old, now] = [view.find, after].map((find) => planAgent(agent, { find, image: 'default' }));
    if (now?.type === 'wrong' && old?.type === 'agent') broken.push(`${keyOf(agent)} (${now.message})`);
    if (now?.type === 'agent' && (old?.type !== 'agent' || old.configHash !== now.configHash))
      changed.push(keyOf(agent));
  }
  const more = agents.length > MAX_AGENTS ? ` of the first ${MAX_AGENTS} of ${agents.length}` : '';
  return {
    allowed: true,
    warnings: [
      ...(broken.length === 0
        ? []
        : [
            `${counted(broken.length)}${more} cannot be resolved with it and keep their words: ${list(broken)}`,
          ]),
      ...(changed.length === 0
        ? []
        : [`${counted(changed.length)}${more} get new words, and their pods roll: ${list(changed)}`]),
    ],
  };
}

const counted = (number: number): string => `${number} Agent${number === 1 ? '' : 's'}`;
const list = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ' …' : ''}`;

/** An answer has to come within seconds, and a warning is a line. */
const MAX_AGENTS = 500;
const MAX_NAMED = 10;
const MAX_WARNINGS = 10;
