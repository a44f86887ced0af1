import { type Mutant, rows } from './rows.js';

/** The guards of `packages/files`. */
export const FILES_MUTANTS: readonly Mutant[] = [
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
  ...rows('packages/files', 'src/disk/mount.test.ts', {
    'files.ignored': 'is left out of git where it is made, and one that was there stays as it was',
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
  ...rows('packages/files', 'src/withhold/withhold.test.ts', {
    'withhold.home': 'a home that is not there yet, or is reached through a link, is withheld all the same',
    'withhold.name': 'a name is taken as the most forgiving file system takes it',
    'withhold.moved': 'is withheld where the open file really is, when its folder is moved meanwhile',
    'withhold.repository': 'is not written, removed or made, and neither is anything below it',
    'write.withheld': 'is not written, removed or made, and neither is anything below it',
    'withhold.other-name': 'for a person it is CUEBOOK_HOME alone',
    'withhold.kept': 'is a file that git keeps, too, when name and words both tell of a secret',
    'withhold.content': 'is read and searched by no spelling and through no link',
    'withhold.ignored': 'is read and searched by no spelling and through no link',
  }),
  ...rows('packages/files', 'src/withhold/sign-ins.test.ts', {
    'withhold.sign-in': 'for all passwords of letters and a digit, whatever stands around the line',
  }),
  ...rows('packages/files', 'src/inside/held.test.ts', {
    'inside.ebcdic': 'EBCDIC without a line end',
    'inside.embedded-packed': 'that nobody opens here are refused: a package of Debian',
    'inside.levels': 'and nobody is led through encodings without an end',
  }),
  ...rows('packages/files', 'src/inside/inside.test.ts', {
    'inside.bomb': 'a zip of zeros',
    'inside.encrypted': 'a PDF that is encrypted',
    'inside.embedded': 'a pack of git',
    'inside.tries': 'what could be a stream everywhere',
  }),
  ...rows('packages/files', 'src/disk/tree.test.ts', {
    'write.tree': 'stays where a mount is read-only or protects a part',
  }),
];
