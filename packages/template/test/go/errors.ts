import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaseData } from './data.js';

/** A way a template fails: how to recognise Go's text, and snippets that provoke it. */
export interface ErrorKind {
  readonly name: string;
  readonly pattern: RegExp;
  /** Snippets; `§` stands for any short expression. */
  readonly snippets: readonly string[];
  /** Where the snippet stands: at the end when it takes in all that follows, at the top when it must not be nested. */
  readonly place: 'anywhere' | 'top' | 'end';
  /** The data that the snippets need; without any, all data will do. */
  readonly data?: CaseData;
  readonly missingKey?: string;
}

/** The kind of a failure by Go's text, or undefined for a text that no kind knows. */
export function errorKindOf(text: string): string | undefined {
  const cause = text.replace(/(?: in action)? started at [^:]*:\d+$/, '');
  return ERROR_KINDS.find(({ pattern }) => pattern.test(cause))?.name;
}

const DATA: Readonly<Record<string, CaseData>> = {
  mixed: {
    member: 'data',
    root: {
      kind: 'map',
      json: '{"n":1,"z":null,"f":1.5,"s":"abc","b":true,"xs":[1,2,3],"m":{"a":1},"e":[]}',
      fields: { n: { kind: 'int', json: '1' }, z: { kind: 'nil', json: 'null' } },
    },
  },
  agent: {
    member: 'ctx',
    root: {
      kind: 'struct',
      json: '{"AgentName":"k8s","AgentNamespace":"d","Description":"é <b>","ToolNames":["a","b"],"SkillNames":null}',
    },
  },
  null: { member: 'data', root: { kind: 'nil', json: 'null' } },
};

const nested = (open: number, close: number) => `{{${'('.repeat(open)}1${')'.repeat(close)}}}`;

const TOO_DEEP: ErrorKind = {
  name: 'max expression depth',
  pattern: /max expression depth exceeded$/,
  snippets: [nested(10_001, 10_001), nested(10_001, 0), nested(10_050, 10_050)],
  place: 'anywhere',
};

/** Every way to fail that a template and its data can bring about, more specific ones first. */
export const ERROR_KINDS: readonly ErrorKind[] = [...readKinds(), TOO_DEEP];

interface Row {
  readonly name: string;
  readonly pattern: string;
  readonly snippets: readonly string[];
  readonly place?: ErrorKind['place'];
  readonly data?: string;
  readonly missingKey?: string;
}

function readKinds(): readonly ErrorKind[] {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'errors.jsonl');
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { pattern, data, place = 'anywhere', ...row } = JSON.parse(line) as Row;
      const found = data === undefined ? undefined : DATA[data];
      return { ...row, place, pattern: new RegExp(pattern, 's'), ...(found ? { data: found } : {}) };
    });
}
