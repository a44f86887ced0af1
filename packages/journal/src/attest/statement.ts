import { createHash } from 'node:crypto';
import { isBelow, type JsonValue, type Prompt, type Span } from '@cuebook/prompt';
import { asJson } from '../json.js';
import { canonical } from '../turn/canonical.js';
import type { RebuiltTurn } from '../turn/rebuild.js';

/** An in-toto statement, version 1: what is spoken of, by name and sha256, and what is said about it. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly StatementSubject[];
  readonly predicateType: string;
  readonly predicate: JsonValue;
}

export interface StatementSubject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** A file as it was when a turn was told from it. */
export interface AttestedSource {
  /** `sha256:` and the hex digest of its bytes. */
  readonly hash: string;
  /** The commit that has it so, where it lies in a repository. */
  readonly commit?: string;
}

export const TURN_PREDICATE = 'urn:cuebook:attestation:turn:v1';
export const RUN_PREDICATE = 'urn:cuebook:attestation:run:v1';

/**
 * What a turn was told: the whole prompt and the very bytes that were sent as subjects; where its words came from, under
 * which labels, and how it came out. No word of the prompt is in it, only digests.
 */
export function turnStatement(
  turn: RebuiltTurn,
  { receipt, files }: { readonly receipt: string; readonly files: ReadonlyMap<string, AttestedSource> },
): Statement {
  const { run, lane, to, request, sends, end } = turn;
  const gone = new Set(turn.forgotten.map(({ part }) => part));
  const kept = request.prompt.blocks.filter((block) => !gone.has(block.name));
  const name = `${run}@${turn.turn}`;
  return statement(TURN_PREDICATE, {
    subject: [
      { name, digest: digestOf(request.prompt.hash) },
      ...sends.map(({ channel, ordinal, hash }) => ({
        name: `${name}/sent/${channel}/${ordinal}`,
        digest: digestOf(hash),
      })),
    ],
    predicate: {
      run,
      turn: turn.turn,
      lane,
      recordedAt: new Date(turn.at).toISOString(),
      receipt: digestOf(receipt),
      to: { ...to } as JsonValue,
      blocks: request.prompt.blocks.map(({ name: block, role, hash }) => ({
        name: block,
        role,
        digest: digestOf(hash),
      })),
      // Of words that were deleted on request nothing but their digest is left.
      forgotten: [...gone],
      sources: sourcesOf(kept, files),
      labels: labelsOf(kept),
      policy: policyOf(kept),
      tools: request.tools.map((tool) => ({ name: nameOf(tool), digest: sha256(canonical(tool)) })),
      params: { digest: sha256(canonical({ ...request.params })) },
      removed: [...request.removed],
      ...(end === undefined ? {} : { outcome: outcomeOf(end) }),
    },
  });
}

/** All turns of a run, in order, and the head of its chain. */
export function runStatement(given: {
  readonly run: string;
  readonly head: string;
  readonly events: number;
  readonly turns: readonly { readonly turn: string; readonly statement: Statement }[];
}): Statement {
  return statement(RUN_PREDICATE, {
    subject: [{ name: given.run, digest: digestOf(given.head) }],
    predicate: {
      run: given.run,
      events: given.events,
      turns: given.turns.map((each) => ({
        turn: each.turn,
        statement: sha256(canonical(asJson(each.statement))),
      })),
    },
  });
}

const statement = (
  predicateType: string,
  { subject, predicate }: { readonly subject: readonly StatementSubject[]; readonly predicate: JsonValue },
): Statement => ({ _type: 'https://in-toto.io/Statement/v1', subject, predicateType, predicate });

/** Each source once, in the order of its first words: how many bytes came from it, and the digest of them. */
function sourcesOf(blocks: Prompt['blocks'], files: ReadonlyMap<string, AttestedSource>): JsonValue {
  const sources = new Map<
    string,
    { kind: string; ref: string; bytes: number; hash: ReturnType<typeof createHash> }
  >();
  for (const { text, spans } of blocks) {
    const bytes = Buffer.from(text);
    for (const { start, end, origin } of spans) {
      const key = JSON.stringify([origin.kind, origin.ref]);
      const source = sources.get(key) ?? {
        kind: origin.kind,
        ref: origin.ref,
        bytes: 0,
        hash: createHash('sha256'),
      };
      sources.set(key, source);
      source.bytes += end - start;
      source.hash.update(bytes.subarray(start, end));
    }
  }
  return [...sources.values()].map(({ kind, ref, bytes, hash }) => ({
    ...{ kind, ref, bytes },
    digest: { sha256: hash.digest('hex') },
    ...(kind === 'file' || kind === 'value' ? fileOf(files.get(ref)) : {}),
  }));
}

const fileOf = (file: AttestedSource | undefined): { readonly [key: string]: JsonValue } =>
  file === undefined
    ? {}
    : { file: { ...digestOf(file.hash), ...(file.commit === undefined ? {} : { gitCommit: file.commit }) } };

/** The rules of the gates that labels can show, and whether what was told keeps them. */
function policyOf(blocks: Prompt['blocks']): JsonValue {
  const rules = { systemTrustAtLeast: 'operator', secrecyAtMost: 'confidential' } as const;
  const holds = blocks.every(({ role, spans }) =>
    spans.every(
      ({ trust, secrecy }) =>
        (role !== 'system' || !isBelow(trust, rules.systemTrustAtLeast)) && secrecy !== 'secret',
    ),
  );
  return { ...rules, holds };
}

/** How many bytes of the prompt stand under each label. */
function labelsOf(blocks: Prompt['blocks']): JsonValue {
  const count = (label: 'trust' | 'secrecy' | 'volatility'): { [name: string]: number } => {
    const sums: { [name: string]: number } = {};
    const add = ({ start, end, [label]: name }: Span) => {
      sums[name] = (sums[name] ?? 0) + end - start;
    };
    for (const { spans } of blocks) spans.forEach(add);
    return sums;
  };
  return { trust: count('trust'), secrecy: count('secrecy'), volatility: count('volatility') };
}

function outcomeOf(end: NonNullable<RebuiltTurn['end']>): JsonValue {
  const { reason, text, stop, usage } = end;
  return {
    reason,
    endedAt: new Date(end.at).toISOString(),
    ...(stop === undefined ? {} : { stop }),
    ...(usage === undefined ? {} : { usage: JSON.parse(JSON.stringify(usage)) as JsonValue }),
    ...(text === undefined ? {} : { answer: sha256(text) }),
  };
}

const nameOf = (tool: JsonValue): string => {
  const { name } = (tool ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
};

const sha256 = (text: string): { readonly sha256: string } => ({
  sha256: createHash('sha256').update(text).digest('hex'),
});

/** `sha256:` and hexadecimal digits as in-toto has it. */
const digestOf = (hash: string): { readonly sha256: string } => ({ sha256: hash.replace(/^sha256:/, '') });
