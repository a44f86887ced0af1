import { createHash } from 'node:crypto';
import { callParams, composeScenario, type Scenario } from '@cuebook/bundle';
import { compose, createRedactor, type Piece, type Prompt } from '@cuebook/prompt';
import { type DiffSide, diffPrompts, type PromptDiff } from '@cuebook/prompt/diff';
import type { AgentRecord } from '../record.js';
import { versionName } from './record.js';

/** How two versions differ: by obligation and the rest of what is told, and by reach. */
export interface VersionDiff {
  readonly before: string;
  readonly after: string;
  readonly diff: PromptDiff;
  readonly reach: VersionReach;
}

/** Which agents have a version of the scenario now, by what would become of them if `after` were assigned. */
export interface VersionReach {
  readonly scenario: string;
  /** They would get other words. */
  readonly agents: readonly string[];
  /** They have `after` already. */
  readonly have: readonly string[];
  /** An experiment decides for them: `agent` and its `EXPERIMENT/ARM`. */
  readonly onTrial: Readonly<Record<string, string>>;
}

/** Compares two versions, each filled with its own examples. Pure. */
export function compareVersions(
  before: Scenario,
  after: Scenario,
  records: readonly AgentRecord[],
): VersionDiff {
  return {
    before: versionName(before),
    after: versionName(after),
    diff: diffPrompts(sideOf(before), sideOf(after)),
    reach: reachOf(after, records),
  };
}

function reachOf({ id, version }: Scenario, records: readonly AgentRecord[]): VersionReach {
  const agents: string[] = [];
  const have: string[] = [];
  const onTrial: Record<string, string> = {};
  for (const { agent, published } of records) {
    if (published === undefined) continue;
    const arm = Object.hasOwn(published.cohorts, id) ? published.cohorts[id] : undefined;
    const own = Object.hasOwn(published.scenarios, id) ? published.scenarios[id] : undefined;
    if (arm !== undefined) onTrial[agent] = arm;
    else if (own === version) have.push(agent);
    else agents.push(agent);
  }
  return { scenario: id, agents, have, onTrial };
}

/** The words with examples in place of what is filled in, and beside them the parameters and the contract. */
function sideOf(scenario: Scenario): DiffSide {
  const values = Object.fromEntries(scenario.placeholders.map(({ name, example }) => [name, example]));
  const blocks = composeScenario({ scenario, values, words: [wordsOf(scenario)] });
  const composed = compose({ blocks: blocks.ok ? blocks.value : [], redactor: REDACTOR, hash });
  return {
    prompt: composed.ok ? composed.value : EMPTY,
    params: { ...callParams(scenario.preset), output: scenario.output, summary: scenario.summary },
  };
}

/** Both under one name, so that lines that stayed are told as such. */
const wordsOf = ({ id, template }: Scenario): Piece => ({
  text: template,
  origin: { kind: 'shipped', ref: `scenario:${id}` },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'deploy',
});

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const REDACTOR = createRedactor({ roots: [], private: [], names: [] });
const EMPTY: Prompt = { blocks: [], text: '', hash: hash(''), redactions: [] };
