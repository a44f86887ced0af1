import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { createRedactor, type Replacement } from './redactor.js';

/** Nothing of this context occurs in other people's documentation. */
const redactor = createRedactor({
  roots: [['@project', '/home/zebulonquist/projects/harpsichord']],
  private: ['/home/zebulonquist', 'C:\\Users\\Zebulon Quist', '/private/var/folders/qx/7kz/T'],
  names: ['zebulonquist', 'Zebulon Quist', 'QUIST-MBP.local', 'root', 'node', 'app'],
});

const WANTED =
  /\.(?:md|markdown|txt|ts|mts|cts|tsx|js|mjs|cjs|json|css|html|py|sh|yml|yaml|c|h|cc|cpp|go|rs|java|rb|php|lua|toml)$/i;
const GOAL = 8 << 20;
const FILE_MAX = 256 << 10;

const find = (text: string) =>
  redactor.find(text).map((each) => ({ ...each, was: text.slice(each.start, each.end) }));

/** What the packages installed in the workspace ship, documentation first. */
function corpus(): readonly { readonly name: string; readonly text: string }[] {
  const root = new URL('../../../../node_modules', import.meta.url).pathname;
  const files: { path: string; size: number }[] = [];
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && WANTED.test(entry.name) && !/\.map$|\.min\./.test(entry.name)) {
        const real = realpathSync(path);
        const { size } = statSync(path);
        if (!seen.has(real) && size <= FILE_MAX) files.push({ path, size });
        seen.add(real);
      }
    }
  };
  visit(root);
  const isDocument = (path: string): boolean => /\.(?:md|markdown|txt)$/i.test(path);
  const ranked = files.sort(
    (a, b) => Number(isDocument(b.path)) - Number(isDocument(a.path)) || a.path.localeCompare(b.path),
  );
  const texts: { name: string; text: string }[] = [];
  let total = 0;
  // Code of every package in turn, so that no single one fills the corpus.
  const step = Math.max(1, Math.floor(ranked.reduce((sum, file) => sum + file.size, 0) / GOAL));
  for (const [index, file] of ranked.entries()) {
    if (total >= GOAL) break;
    if (!isDocument(file.path) && index % step !== 0) continue;
    total += file.size;
    texts.push({ name: file.path.slice(root.length + 1), text: readFileSync(file.path, 'utf8') });
  }
  return texts;
}

/** Written apart from the rules under test: what a person would agree is a home, a temp file, a disk or a key. */
const TRUE_FIND: readonly RegExp[] = [
  /^(?:file:\/*)?[\\/]+(?:Users|home|root|tmp|private|Volumes|media|mnt|srv|scratch|nfs|workspaces|builds)[\\/]+[\w.\-@ ]/,
  /^(?:file:\/*)?\/var\/(?:folders|tmp|home|www|lib\/jenkins)\//,
  /^\/(?:run\/user|opt\/[\w.-]+|export\/home|usr\/home|github\/workspace|cygdrive|c\/Users)\//,
  /^(?:file:\/*)?[A-Za-z]:[\\/]+\w/,
  /^\\\\+[\w.$?-]+\\+\w/,
  /^\/\/[A-Za-z0-9-]*[A-Z0-9][A-Za-z0-9-]*\/\w+\/[\w.]/,
  // The device paths of Windows, with either slash.
  /^\/\/[?.]\/(?:[A-Za-z]:|UNC)\/\w/,
  /^file:\/\/\S/,
  /^~[a-z][\w.-]*\//,
  /^(?:sk-|ghp_|gho_|AKIA|xox|eyJ|npm_|AIza|-----BEGIN)/,
];

/** The same for credentials: samples of documentation that look real. */
const TRUE_SECRET = /EXAMPLE|^somepassword$|^VERYLONGSECRET|^ao(?:al|rv)[\w-]{80}|^1w41l63U0xa8/;

test('ordinary text comes out unchanged but for true finds', () => {
  const files = corpus();
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  const finds = files.flatMap(({ name, text }) => find(text).map((each) => ({ name, ...each })));
  const byKind = countBy(finds);
  const distinct = [...new Map(finds.map((each) => [each.was, each])).values()];
  console.log(
    `corpus: ${files.length} files, ${(size / 1048576).toFixed(1)} MB, ${finds.length} finds ${JSON.stringify(byKind)}`,
  );
  for (const { name, kind, was } of distinct.slice(0, 40))
    console.log(`  ${kind} ${JSON.stringify(was.slice(0, 120))} in ${name}`);
  expect(size).toBeGreaterThan(5 << 20);
  expect(finds.filter((each) => each.known)).toEqual([]);
  const doubtful = finds.filter(
    ({ kind, was }) => kind !== 'credential' && !TRUE_FIND.some((rule) => rule.test(was)),
  );
  expect(doubtful.map(({ name, was }) => `${name}: ${was}`)).toEqual([]);
  const secrets = finds.filter((each) => each.kind === 'credential');
  expect(secrets.length).toBeLessThan(size / 300_000);
  expect(
    secrets.filter(({ was }) => !TRUE_SECRET.test(was)).map(({ name, was }) => `${name}: ${was}`),
  ).toEqual([]);
});

function countBy(finds: readonly Replacement[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of finds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
