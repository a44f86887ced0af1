/** A guard and the test that fails when the guard is switched off. */
export interface Mutant {
  readonly guard: string;
  /** The folder of the package whose `src/guard.ts` names the guard. */
  readonly package: string;
  /** The test file, from the top of the checkout. */
  readonly file: string;
  /** The title of the test as it is reported, without the titles of its suites. */
  readonly test: string;
}

/** One row for every guard of every package. `npm run mutants` tries each; `-- --find GUARD` finds its tests. */
export const MUTANTS: readonly Mutant[] = [
  ...rows('packages/prompt', 'src/compose.test.ts', {
    'gate.secrecy': 'a secret span is refused and not echoed',
    'gate.trust': 'user text in a system block',
    'gate.forgery': 'a header made of two spans',
    'gate.leak': 'what survives redaction is refused by the leak gate',
    'gate.unicode': 'half a character is refused',
  }),
  ...rows('packages/prompt', 'src/request.test.ts', {
    'gate.beside':
      'refuses what the redactor leaves standing in tools and parameters, and says only what kind',
  }),
  ...rows('packages/prompt', 'src/include.test.ts', {
    'include.cycle': 'a cycle is refused with its path',
    'include.depth': 'a chain of 1,000 resolves, a deeper one is refused',
    'include.steps': 'texts that double each other end with an error, not with the memory',
  }),
  ...rows('packages/prompt', 'src/shell/shell.test.ts', {
    'shell.escape.backslash': 'an escape in a body is escaped and read back as text',
    'shell.escape.header': 'a header in a body is escaped and read back as text',
    'shell.escape.field': 'a field in a body is escaped and read back as text',
    'shell.escape.item': 'a list item below the fields in a body is escaped and read back as text',
    'shell.escape.role': 'a role marker in a body is escaped and read back as text',
    'shell.escape.tool-call': 'a tool call in a body is escaped and read back as text',
    'shell.escape.fold': 'a header in full-width letters in a body is escaped and read back as text',
    'shell.break.unicode': 'a header behind NEL in a body is escaped and read back as text',
    'shell.value.quote': 'a value that could be misread is quoted',
  }),
  ...rows('packages/prompt', 'src/visible.test.ts', {
    'visible.tag': 'tag characters are shown',
    'visible.bidi': 'a bidi override are shown',
    'visible.zero-width': 'a zero-width space at the edge of a word are shown',
  }),
  ...rows('packages/prompt', 'src/redact/redactor.test.ts', {
    'redact.root': 'runtime-store-space is cleaned',
    'redact.private': 'mac-tmp is cleaned',
    'redact.name': 'base64-name is cleaned',
    'redact.shape': 'root-home is cleaned',
    'redact.credential': 'token-github is cleaned',
    'redact.boundary': 'root-longer-name is cleaned',
    'redact.key': 'linux-home is cleaned',
    'redact.encoded': 'win-drive is cleaned',
    'redact.json': 'path-with-space is cleaned',
    'redact.base64': 'base64-home is cleaned',
    'leak.gate': 'a short name inside a home path is a leak, alone it is not',
  }),
  ...rows('packages/prompt', 'src/redact/value.test.ts', {
    'redact.leaf': 'a path that cannot be told from its leaf goes whole',
  }),
  ...rows('packages/files', 'src/path.test.ts', {
    'resolve.mount': '"@foo/x" gives "! unknown-mount"',
    'resolve.absolute': '"/etc/passwd" gives "! absolute"',
    'resolve.drive': '"@project/C:\\\\x" gives "! drive"',
    'resolve.nul': '"@project/a\\u0000b" gives "! control"',
    'resolve.malformed': '"@project/\\ud800" gives "! malformed"',
    'resolve.length': 'a name of 256 bytes is too long',
    'resolve.dotdot': '"@project/a/../../x" gives "! dotdot"',
    'resolve.stream': '"a.md:stream" is refused as stream on Windows and for writing, and read elsewhere',
    'resolve.device': '"nul.txt" is refused as device on Windows and for writing, and read elsewhere',
    'resolve.trailing': '"a.md." is refused as trailing on Windows and for writing, and read elsewhere',
    'resolve.reserved': '"@project/.cuebook-0123456789abcdef0123456789abcdef.tmp" gives "! reserved"',
  }),
  ...rows('packages/files', 'src/error.test.ts', {
    'error.hide': 'an error spells neither the real root nor the home',
  }),
  ...rows('packages/files', 'src/disk/resolve.test.ts', {
    'resolve.symlink': "to 'a file outside, absolute'",
    'write.symlink': "to 'nothing outside'",
    'resolve.loop': 'in a chain is followed forty times and no more',
    'resolve.steps': 'that climbs and descends without end costs bounded work',
    'resolve.root': 'in the place of the root is noticed',
  }),
  ...rows('packages/files', 'src/disk/race.test.ts', {
    'resolve.race': "'read': a directory 'swapped for a link out of the root'",
  }),
  ...rows('packages/files', 'src/disk/read.test.ts', {
    'read.limit': 'refuses a file over the limit by its size alone',
    'read.special': 'refuses what is no regular file, without waiting',
    'read.utf8': 'refuses bytes that are not UTF-8, with the offset of the first',
  }),
  ...rows('packages/files', 'src/source/source.test.ts', {
    'list.limit': 'lists in order, with kinds, up to the limit',
  }),
  ...rows('packages/files', 'src/disk/write.test.ts', {
    'write.read-only': 'changes nothing where that is not allowed',
    'write.protected': 'changes nothing where that is not allowed',
    'write.special': 'replaces regular files only',
    'write.if-match': 'must hold, or nothing changes',
    'write.if-absent': 'anchored: a name taken at the last moment is not replaced',
    'write.well-formed': 'refuses half of a surrogate pair and names its place',
  }),
  ...rows('packages/template', 'test/limits.test.ts', {
    'limit.output': 'output past its bound ends the render',
    'limit.text': 'a text that doubles is stopped before the memory is full',
    'limit.steps': 'rounds and calls are steps',
    'limit.depth': 'a lower bound on depth is our own error',
    'limit.time': 'time is that of the clock handed in',
    'limit.nesting': 'control structures nest up to a bound, by closures',
  }),
  ...rows('packages/template', 'src/template.test.ts', {
    'map.own-key': 'a key is the own key of an object',
  }),
  ...rows('packages/manifest', 'src/manifests.test.ts', {
    'manifest.twice': 'a ConfigMap told twice is reported with its place',
    'manifest.unicode': 'half a character is reported with its place',
    'secret.base64': 'a Secret that is not base64 is reported with its place',
  }),
  ...rows('packages/manifest', 'src/profile.test.ts', {
    'secret.computed': 'quoted is masked',
  }),
  ...rows('packages/manifest', 'src/resolve.test.ts', {
    'message.both': 'is refused: that is there twice',
  }),
  ...rows('packages/manifest', 'src/check.test.ts', {
    'secret.error': 'is not quoted when it does not parse',
    'source.kind': 'of an unknown kind',
    'source.collision': 'that collide, all of them',
    'source.missing': 'that are not there, and nothing about their keys',
    'check.include': 'every problem comes at once',
    'check.field': 'every problem comes at once',
  }),
  ...rows('apps/cli', 'src/commands/manifests.test.ts', {
    'manifests.limit': 'reads no more than 64 MiB in all',
  }),
  ...rows('apps/cli', 'src/run.test.ts', {
    'argv.unicode': "with 'a lone high surrogate' is refused",
  }),
  ...rows('apps/cli', 'src/input/lines.test.ts', {
    'stdin.utf8': 'bytes decode when they are UTF-8, and to nothing else',
    'line.limit': 'lines are the same wherever the stream is cut',
  }),
  ...rows('apps/cli', 'src/commands/bad-input.test.ts', {
    'stdin.limit': 'redact refuses standard input that is not text, and too much of it',
  }),
  ...rows('apps/cli', 'src/commands/redact.test.ts', {
    'line.unicode': 'answers a bad line in its place, goes on, and exits 1',
    'redact.leak': 'refuses a line from which something private survives: "a secret"',
  }),
  ...rows('apps/cli', 'src/commands/project.test.ts', {
    'init.overwrite': 'overwrites nothing: one file in the way and nothing is written',
    'explain.mask': 'masks confidential words around the place',
    'diff.mask': 'says that confidential text changed, and not what it says',
  }),
  ...rows('apps/cli', 'src/git/git.test.ts', {
    'git.revision': 'that starts with a dash never reaches git',
    'git.blob-limit': 'refuses bytes that are no text and blobs past the limit',
    'git.utf8': 'refuses bytes that are no text and blobs past the limit',
  }),
];

/** The rows of guards whose tests stand in one file. */
function rows(folder: string, file: string, tests: Readonly<Record<string, string>>): readonly Mutant[] {
  return Object.entries(tests).map(([guard, test]) => ({
    guard,
    package: folder,
    file: `${folder}/${file}`,
    test,
  }));
}
