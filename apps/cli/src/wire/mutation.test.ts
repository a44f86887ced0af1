import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTargets } from '@cuebook/profile';
import type { WireDocument } from '@cuebook/prompt/wire';
import { turnBody } from '@cuebook/provider';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { randomOf } from '../../../../test/random.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it, itInSoak, SEED, share } from '../../../../test/runs.js';
import { judge, type Verdict } from '../../test/mutation.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { openBenchAt } from '../project/bench.js';
import { manifestsOn } from '../project/manifests.js';
import { requireProviders } from '../project/providers.js';
import { composeWith, requireTarget } from '../project/target.js';
import { workflowBench } from '../project/workflows.js';

/** Sources of one example that are composed together: the kinds of targets, and the files that they are made of. */
interface Sources {
  readonly example: string;
  readonly kinds: readonly string[];
  readonly files: RegExp;
  /** Loading them starts a process, so fewer are tried. */
  readonly isSlow?: true;
}

const DEFINITIONS = {
  kinds: ['prompt', 'agent'],
  files: /^agents\/(?!types).*(?<!test)\.ts$/,
  isSlow: true,
} as const;
const SOURCES: readonly Sources[] = [
  { example: 'day-in-the-life', kinds: ['scenario'], files: /^cards\// },
  { example: 'manifests', kinds: [], files: /\.yaml$/ },
  { example: 'requests', kinds: ['workflow'], files: /^workflows\// },
  { example: 'review-desk', kinds: ['sheet'], files: /^(sheets|texts)\// },
  { example: 'team-rehearsal', kinds: ['team'], files: /^team\.yaml$/ },
  ...['basic', 'hooks', 'includes', 'reasoning', 'tools'].map((name) => ({
    example: `definitions-${name}`,
    ...DEFINITIONS,
  })),
  { example: 'review-desk', ...DEFINITIONS },
];

let top = '';
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-mutation-')));
  for (const { example: name } of SOURCES)
    cpSync(join(ROOT, 'examples', name), join(top, name), { recursive: true });
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const filesOf = ({ example, files }: Sources): readonly string[] =>
  readdirSync(join(top, example), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(top, example).length + 1))
    .filter((path) => files.test(path))
    .sort();

const GIVEN = new Map<string, unknown>();

/** The bodies of all targets of an example, by name; undefined when one does not compose. */
async function bodiesOf({ example, kinds }: Sources): Promise<ReadonlyMap<string, WireDocument> | undefined> {
  const folder = join(top, example);
  const io = { cwd: folder, env: {}, err: () => undefined } as unknown as Io;
  const bodies = new Map<string, WireDocument>();
  try {
    const opened = await openBenchAt(folder, io, kinds);
    const outer = example === 'manifests' ? await manifestsOn(opened, ['.'], io) : opened;
    const config = await requireProviders(outer.files);
    for (const name of await findTargets(outer)) {
      const { bench } = name.startsWith('workflow:')
        ? await workflowBench(outer, name, io)
        : { bench: outer };
      const called = await requireTarget(bench, name);
      // What is handed in is no source: it is the same before and after.
      const id = `${example} ${name}`;
      if (!GIVEN.has(id)) {
        const loaded = await called.profile.load(bench.project, called.target.name);
        GIVEN.set(id, loaded.ok ? called.profile.sample(loaded.value) : undefined);
      }
      const { request } = await composeWith(called, GIVEN.get(id));
      const model = typeof request.params.model === 'string' ? request.params.model : 'claude-sonnet-4-5';
      const body = await turnBody({ provider: 'anthropic', config, model, request });
      if (!body.ok) return undefined;
      bodies.set(name, body.value);
    }
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
  return bodies;
}

/** Changes bytes of sources until so many changes have loaded, counts how the bodies follow, and prints what is not exact. */
async function tryChanges(sources: readonly Sources[], wanted: number): Promise<typeof NOTHING> {
  const pool = sources.map((source) => ({
    source,
    places: filesOf(source).flatMap((file) => {
      const text = readFileSync(join(top, source.example, file), 'utf8');
      return Array.from({ length: text.length }, (_, at) => ({ file, text, at }));
    }),
  }));
  const [fast, slow] = [
    pool.filter(({ source }) => !source.isSlow),
    pool.filter(({ source }) => source.isSlow),
  ];
  const whole = new Map<Sources, ReadonlyMap<string, WireDocument>>();
  const counts = { ...NOTHING };
  const bySource: Record<string, Readonly<Record<Verdict, number>>> = {};
  let broken = 0;
  const told: string[] = [];
  const random = randomOf(SEED);
  for (let loaded = 0; loaded < wanted; ) {
    const group = slow.length > 0 && random(SLOW_SHARE) === 0 ? slow : fast;
    const { source, places } = group[random(group.length)] as (typeof pool)[number];
    const { file, text, at } = places[random(places.length)] as (typeof places)[number];
    const [old, char] = [text[at] as string, String.fromCharCode(32 + random(95))];
    if (old === char || old > '~') continue;
    const before = whole.get(source) ?? (await bodiesOf(source)) ?? new Map();
    whole.set(source, before);
    const path = join(top, source.example, file);
    const changed = text.slice(0, at) + char + text.slice(at + 1);
    writeFileSync(path, changed);
    const after = await bodiesOf(source);
    writeFileSync(path, text);
    if (after === undefined || [...before.keys()].some((target) => !after.has(target))) {
      broken += 1;
      continue;
    }
    loaded += 1;
    const mutation = { file, before: text, after: changed, at };
    const all = [...before].map(([target, each]) => ({
      target,
      ...judge(each, after.get(target) as WireDocument, mutation),
    }));
    const worst =
      (['stray', 'inside', 'exact', 'none'] as const).find((each) =>
        all.some(({ verdict }) => verdict === each),
      ) ?? 'none';
    counts[worst] += 1;
    const name = `${source.example} ${source.kinds.join(' ')}`;
    const own = bySource[name] ?? NOTHING;
    bySource[name] = { ...own, [worst]: own[worst] + 1 };
    if (worst === 'inside' || worst === 'stray') {
      const one = all.find(({ verdict }) => verdict === worst);
      told.push(
        `${worst} ${one?.target} ${source.example}/${file}:${placeAt(text, at)} ${JSON.stringify(text.slice(Math.max(0, at - 20), at))}${old}→${char} ${one?.seen.slice(0, 2).join(' | ')}`,
      );
    }
  }
  console.log([...told, JSON.stringify({ ...counts, broken }), JSON.stringify(bySource)].join('\n'));
  return counts;
}

const NOTHING: Readonly<Record<Verdict, number>> = { none: 0, exact: 0, inside: 0, stray: 0 };

/** No change is stray, and of those that reach a body nineteen of twenty are exact; a small sample may have some more. */
function requireExact({ exact, inside, stray }: Readonly<Record<Verdict, number>>): void {
  expect(stray).toBe(0);
  expect(inside).toBeLessThanOrEqual(Math.max(4, (exact + inside) * 0.05));
}

/** `line:column` of a character. */
function placeAt(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `${lines.length}:${[...(lines.at(-1) ?? '')].length + 1}`;
}

describe('a changed byte of a source', () => {
  it('changes the bytes that come from it, and no other', async () => {
    const fast = SOURCES.filter(({ isSlow }) => !isSlow);
    requireExact(await tryChanges(fast, share(30, 1_000)));
  });

  itInSoak('does so in definitions too', async () => {
    requireExact(await tryChanges(SOURCES, share(30, 2_000)));
  });
});

/** One in so many changes is one of definitions. */
const SLOW_SHARE = 10;
