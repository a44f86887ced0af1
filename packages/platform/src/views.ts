import { basePrompt, promptView, type Scenario, syncTrust, type TrustError } from '@cuebook/bundle';
import type { Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import type { TemplateLibrary } from './library/library.js';
import type { TemplateRecord } from './library/record.js';
import type { AgentRecord, Published } from './record.js';

/** A card as its owner and its reviewer see it: what models will read because of it, made from the draft as it is now. */
export interface CardRecord {
  readonly agent: string;
  readonly owner: string;
  readonly cardVersion: number;
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly reason?: string;
  readonly decidedBy?: string;
  /** Whether a reviewer signed this version: without it nothing is published. */
  readonly signed: boolean;
  readonly draft: AgentRecord['review']['draft'];
  readonly promptView: string;
  readonly basePrompt: string;
  readonly admission: AgentRecord['admission']['status'];
  readonly published?: Omit<Published, 'stored'>;
  /** The review as some have signed it, for the next reviewer to sign: fewer have than must agree. */
  readonly openReview?: string;
}

export function viewCard(record: AgentRecord): CardRecord {
  const { agent, review, signedReview, openReview, admission, published } = record;
  const { owner, cardVersion, status, reason, decidedBy, draft } = review;
  const view = promptView(draft);
  return {
    agent,
    owner,
    cardVersion,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(decidedBy === undefined ? {} : { decidedBy }),
    signed: signedReview?.cardVersion === cardVersion,
    draft,
    // A draft whose view is too long is not saved.
    promptView: view.ok ? view.value : '',
    basePrompt: basePrompt(draft),
    admission: admission.status,
    ...(published === undefined ? {} : { published: viewPublished(published) }),
    ...(openReview?.cardVersion === cardVersion ? { openReview: openReview.metadata } : {}),
  };
}

/** What is published, without what only the platform needs to know of it. */
export function viewPublished({ stored: _, ...published }: Published): Omit<Published, 'stored'> {
  return published;
}

/** A scenario as it is assigned now. */
export interface ScenarioView {
  readonly id: string;
  readonly version: number;
  readonly side: Scenario['side'];
  readonly preset: Scenario['preset'];
  readonly placeholders: readonly string[];
}

/** Every scenario: those that agents are assigned, and those in which the platform itself speaks. */
export const viewScenarios = ({ active }: Pick<PlatformParts, 'active'>): readonly ScenarioView[] =>
  active.map(({ id, version, side, preset, placeholders }) => ({
    id,
    version,
    side,
    preset,
    placeholders: placeholders.map(({ name }) => name),
  }));

/** A version of a scenario on its way through the library, and who has it. */
export interface VersionView extends ScenarioView {
  readonly summary: string;
  readonly template: string;
  readonly output: Scenario['output'];
  readonly status: TemplateRecord['status'];
  /** It goes with the next signature. */
  readonly retiring: boolean;
  /** Who wrote it, and who decided on it. */
  readonly by: string;
  readonly at: number;
  readonly decidedBy?: string;
  readonly reason?: string;
  /** Assigned where no experiment says otherwise. */
  readonly active: boolean;
  /** Agents it is published for. */
  readonly agents: readonly string[];
}

/** Every version on record, by scenario, the newest first. */
export function viewVersions(
  library: TemplateLibrary,
  records: readonly AgentRecord[],
): readonly VersionView[] {
  return library.record.templates
    .map((template) => viewVersion(library, template, records))
    .sort((a, b) => (a.id === b.id ? b.version - a.version : a.id < b.id ? -1 : 1));
}

function viewVersion(
  { active }: TemplateLibrary,
  { scenario, status, retiring = false, by, at, decidedBy, reason }: TemplateRecord,
  records: readonly AgentRecord[],
): VersionView {
  const { id, version, side, preset, placeholders, summary, template, output } = scenario;
  return {
    ...{ id, version, side, preset, summary, template, output, status, retiring, by, at },
    placeholders: placeholders.map(({ name }) => name),
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(reason === undefined ? {} : { reason }),
    active: active.some((each) => each.id === id && each.version === version),
    agents: records.flatMap(({ agent, published }) => (published?.scenarios[id] === version ? [agent] : [])),
  };
}

/** What an agent would find in the store now, checked as the agent checks it, from the root on. */
export async function verifyPublished(
  { objects, trust, name, now }: Pick<PlatformParts, 'objects' | 'trust' | 'name' | 'now'>,
  agent: string,
): Promise<Result<VerifiedView, TrustError>> {
  const synced = await syncTrust({ agent, root: trust.root.bytes, log: name, objects, now: now() });
  if (!synced.ok) return synced;
  const { card, bundle, scenarios } = synced.value.accepted;
  return {
    ok: true,
    value: {
      cardVersion: card.card_version,
      bundleVersion: bundle.bundle_version,
      promptView: card.prompt_view,
      basePrompt: bundle.base_prompt,
      cohorts: bundle.cohorts,
      scenarios: [...scenarios.values()].map(({ id, version, preset }) => ({ id, version, preset })),
    },
  };
}

/** What verified, with the words that the agent takes from it. */
export interface VerifiedView {
  readonly promptView: string;
  readonly basePrompt: string;
  readonly cardVersion: number;
  readonly bundleVersion: number;
  readonly cohorts: Readonly<Record<string, string>>;
  readonly scenarios: readonly Pick<Scenario, 'id' | 'version' | 'preset'>[];
}
