import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Metadata, TargetFile, Targets } from '@tufjs/models';
import { type Card, cardSchema } from '../card/schema.js';
import { keepBytes } from '../card/words.js';
import { verifyObject } from '../cert/verify.js';
import { KEYS, TARGETS } from '../ids.js';
import { publicKeyOf, type SignerKeys } from '../key/key.js';
import type { Scenario } from '../scenario/scenario.js';
import { type Bundle, bundleScenarios, bundleSchema, reviewBytes, templateBytes } from './bundle.js';
import type { TrustError } from './error.js';
import { type DelegatedRole, digestOf } from './metadata.js';

/** What an agent acts on: nothing of it was taken on anything less than every check. */
export interface Accepted {
  readonly card: Card;
  readonly bundle: Bundle;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** The keys that certify what else the platform tells: cards of others, topics, tasks, feedback. */
  readonly keys: SignerKeys;
  /** What is in use, to be told to the platform. */
  readonly applied: {
    readonly objects: readonly {
      readonly object: string;
      readonly version: number;
      readonly sha256: string;
    }[];
    /** The versions of the metadata behind it. */
    readonly roles: Readonly<Record<string, number>>;
  };
}

/** The roles of one agent's repository, their signatures checked. */
export interface TrustRoles {
  readonly targets: Metadata<Targets>;
  readonly library: Metadata<Targets>;
  readonly reviews: Metadata<Targets>;
  readonly assignment: Metadata<Targets>;
}

export interface AcceptInput {
  readonly agent: string;
  readonly roles: TrustRoles;
  readonly card: Uint8Array;
  readonly bundle: Uint8Array;
  /** What was accepted last. */
  readonly before?: { readonly card: number; readonly bundle: number } | undefined;
  /** Left out for what was accepted before. */
  readonly now?: number | undefined;
}

/** Checks a card and a bundle against the roles and against each other. Pure. */
export function acceptSet({
  agent,
  roles,
  card,
  bundle,
  before,
  now,
}: AcceptInput): Result<Accepted, TrustError> {
  const cardKey = KEYS.card(agent);
  const bundleKey = KEYS.bundle(agent);
  const unlisted =
    listedProblem(roles, 'assignment', cardKey, card) ??
    listedProblem(roles, 'assignment', bundleKey, bundle);
  if (unlisted !== undefined) return fail(unlisted);
  const keys = delegatedKeys(roles.targets, 'assignment');
  const bind = (kind: string, objectKey: string, floor?: number) => ({
    keys,
    expect: { kind, subject: agent, objectKey },
    floor,
    now,
  });
  const verifiedCard = verifyObject(card, bind('agent_card', cardKey, before?.card));
  if (!verifiedCard.ok) return verifiedCard;
  const verifiedBundle = verifyObject(bundle, bind('prompt_bundle', bundleKey, before?.bundle));
  if (!verifiedBundle.ok) return verifiedBundle;
  const parsedCard = cardSchema.safeParse(verifiedCard.value.object);
  const parsedBundle = bundleSchema.safeParse(verifiedBundle.value.object);
  if (!parsedCard.success) return refuse('schema', cardKey);
  const scenarios = parsedBundle.success ? bundleScenarios(parsedBundle.data) : undefined;
  if (!parsedBundle.success || scenarios === undefined) return refuse('schema', bundleKey);
  const { cert: _, ...words } = verifiedCard.value.object;
  const problem = wordsProblem(roles, agent, words, parsedCard.data, parsedBundle.data, scenarios);
  if (problem !== undefined) return fail(problem);
  keepBytes(parsedCard.data, card);
  return ok({
    card: parsedCard.data,
    bundle: parsedBundle.data,
    scenarios: new Map(scenarios.map((scenario) => [scenario.id, scenario])),
    keys,
    applied: {
      objects: [
        appliedObject(cardKey, card, verifiedCard.value.cert.version),
        appliedObject(bundleKey, bundle, verifiedBundle.value.cert.version),
      ],
      roles: Object.fromEntries(
        (['targets', 'library', 'reviews', 'assignment'] as const).map((role) => [
          role,
          roles[role].signed.version,
        ]),
      ),
    },
  });
}

const appliedObject = (object: string, bytes: Uint8Array, version: number) => ({
  object,
  version,
  sha256: digestOf(bytes).hashes.sha256,
});

/** The server's key assigns; it cannot write. Every word comes from the library or from a review. */
function wordsProblem(
  roles: TrustRoles,
  agent: string,
  words: Readonly<Record<string, unknown>>,
  card: Card,
  bundle: Bundle,
  scenarios: readonly Scenario[],
): TrustError | undefined {
  const linked = bundle.card_version === card.card_version && bundle.self_prompt_view === card.prompt_view;
  if (guard('trust.card-link', !linked)) return refuse('mixed', KEYS.bundle(agent)).error;
  const review = TARGETS.review(agent, card.card_version);
  const unreviewed = listedProblem(roles, 'reviews', review, reviewBytes(words, bundle.base_prompt));
  if (guard('trust.review', unreviewed !== undefined)) return refuse('not-reviewed', review).error;
  const stray = scenarios.find((scenario) => {
    const path = TARGETS.template(scenario.id, scenario.version);
    return (
      scenario.side !== 'agent' ||
      listedProblem(roles, 'library', path, templateBytes(scenario)) !== undefined
    );
  });
  if (guard('trust.template', stray !== undefined))
    return refuse('not-in-library', `${stray?.id}@v${stray?.version}`).error;
  return undefined;
}

/** What a role says of a path, if the path is one that was handed to the role. */
export function findListed(
  roles: TrustRoles,
  role: Exclude<DelegatedRole, 'log'>,
  path: string,
): TargetFile | undefined {
  const delegated = roles.targets.signed.delegations?.roles?.[role];
  const isItsOwn = delegated?.isDelegatedPath(path) === true;
  if (guard('trust.delegated-path', !isItsOwn)) return undefined;
  const { targets } = roles[role].signed;
  return Object.hasOwn(targets, path) ? targets[path] : undefined;
}

function listedProblem(
  roles: TrustRoles,
  role: Exclude<DelegatedRole, 'log'>,
  path: string,
  bytes: Uint8Array,
): TrustError | undefined {
  const listed = findListed(roles, role, path);
  if (listed === undefined) return refuse('not-listed', path).error;
  const { length, hashes } = digestOf(bytes);
  const isIt = listed.length === length && listed.hashes.sha256 === hashes.sha256;
  return guard('trust.target', !isIt) ? refuse('mixed', path).error : undefined;
}

/** The keys of a delegated role, which also sign what belongs to the role outside of the metadata. */
export function delegatedKeys(targets: Metadata<Targets>, role: DelegatedRole): SignerKeys {
  const { keys = {}, roles = {} } = targets.signed.delegations ?? {};
  const named = (roles?.[role]?.keyIDs ?? []).map((id) => [
    id,
    publicKeyOf(keys[id]?.keyVal.public ?? '')?.object,
  ]);
  return new Map(named.filter(([, key]) => key !== undefined) as [string, never][]);
}

const refuse = (reason: Extract<TrustError, { code: 'E_TRUST' }>['reason'], at: string) =>
  fail<TrustError>({ code: 'E_TRUST', reason, at });
