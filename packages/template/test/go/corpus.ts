import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoAnswer } from './ask.js';
import type { GeneratedCase } from './cases.js';
import { errorKindOf } from './errors.js';

/** A case with Go's answer, for machines without Go. */
export interface RecordedCase {
  readonly tmpl: string;
  /** The line as generated, with the answer under `expect`. */
  readonly line: string;
  readonly answer: GoAnswer;
}

/** The recorded cases. */
export function readCorpus(): readonly RecordedCase[] {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { id, tmpl, expect } = JSON.parse(line) as { id: string; tmpl: string; expect: Partial<GoAnswer> };
    return { tmpl, line, answer: { id, ok: false, out: null, err: null, ...expect } };
  });
}

/** Picks and writes the corpus: about as many of each feature and of each way to fail, short ones only. */
export function recordCorpus(cases: readonly GeneratedCase[], answers: readonly GoAnswer[]): number {
  const pairs = cases.flatMap((one, index) => {
    const answer = answers[index];
    return answer && !answer.limit ? [{ one, answer, line: recorded(one, answer) }] : [];
  });
  const counts = new Map<string, number>();
  const picked = pairs.filter(({ one, answer, line }) => {
    const kind = answer.err === null ? undefined : (errorKindOf(answer.err) ?? 'other');
    const features = kind === undefined ? [...one.used] : [`error ${kind}`];
    const isNews = features.some((feature) => (counts.get(feature) ?? 0) < (kind ? PER_ERROR : PER_FEATURE));
    if (!isNews || (line.length > MAX_LINE && (counts.get(features[0] ?? '') ?? 0) > 0)) return false;
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    return true;
  });
  writeFileSync(FILE, picked.map(({ line }) => `${line}\n`).join(''));
  return picked.length;
}

const FILE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'go-corpus.jsonl');

const PER_ERROR = 20;
const PER_FEATURE = 60;
const MAX_LINE = 900;

function recorded({ line }: GeneratedCase, { ok, out, err, bytes }: GoAnswer): string {
  const expect = ok ? { ok, out, ...(bytes === undefined ? {} : { bytes }) } : { ok, err };
  return `${line.slice(0, -1)},"expect":${JSON.stringify(expect)}}`;
}
