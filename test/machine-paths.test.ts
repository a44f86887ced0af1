import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describePart } from './part.js';
import { ROOT } from './root.js';

/** Text that would tell where somebody worked on this repository. */
const TELLTALES: readonly RegExp[] = [
  literal(`${ROOT}/`),
  ...(homedir().length > '/root'.length ? [literal(homedir())] : []),
  /(?<![\w.@~-])\/work\/\w/,
  /(?<![\w.@~-])\/root\/[\w.]/,
  /(?<![\w.@~-])\/tmp\/(?:briefs|bash_jobs)/,
  /https?:\/\/[\w.-]*(?:registry|artifactory|verdaccio|nexus)[\w.-]*/,
];

/** Files whose subject is private paths: their strings are made up. */
const ABOUT_PATHS =
  /^(?:test\/data\/|packages\/prompt\/(?:test|src\/redact)\/|packages\/prompt\/src\/leak|packages\/files\/src\/.*\.test\.ts$)/;

describePart('git', 'committed files', (git) => {
  it('name no path of the machine they were written on', () => {
    const listed = execFileSync(git.path, ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT });
    const files = listed
      .toString()
      .split('\0')
      .filter((file) => file !== '' && !ABOUT_PATHS.test(file));
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap(telltalesIn)).toEqual([]);
  });

  // Put together here, because this file is read too.
  const caught = [
    ['see ', 'work', 'somewhere'],
    ['"', 'root', '.config'],
    ['https:', '', 'registry.example'],
  ];
  it.each(caught.map((parts) => parts.join('/')))('would be caught: %s', (text) => {
    expect(TELLTALES.some((pattern) => pattern.test(text))).toBe(true);
  });

  it.each(['src/work/a', 'https://example.com/work/a', 'the /root of a tree'])('may say: %s', (text) => {
    expect(TELLTALES.some((pattern) => pattern.test(text))).toBe(false);
  });
});

function telltalesIn(file: string): readonly string[] {
  const path = join(ROOT, file);
  // Listed but deleted in the working tree, or a link to somewhere: nothing to read.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    TELLTALES.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1}`] : [],
  );
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
