import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PathRules, parsePath, privatePlaces } from './path.js';

const POSIX: PathRules = { aliases: new Set(['@project', '@state']), windows: false, hidden: [] };
const WINDOWS: PathRules = { ...POSIX, windows: true };
const FOLDER: PathRules = { ...POSIX, aliases: null };

/** A clean path, or `! reason`. */
function parse(path: string, rules = POSIX, intent: 'read' | 'write' = 'read'): string {
  const result = parsePath(path, rules, intent);
  if (result.ok) return result.value.text;
  return result.error.code === 'E_SANDBOX_VIOLATION' ? `! ${result.error.reason}` : result.error.code;
}

describe('a mount path', () => {
  const cases: readonly (readonly [path: string, expected: string])[] = [
    ['@project', '@project'],
    ['@project/', '@project'],
    ['@project/a.md', '@project/a.md'],
    ['@project/./a.md', '@project/a.md'],
    ['@project/a.md/', '@project/a.md'],
    ['@project/a//b.md', '@project/a/b.md'],
    ['@project/a/../b.md', '@project/b.md'],
    ['@project\\a\\b.md', '@project/a/b.md'],
    ['@project/..foo/x', '@project/..foo/x'],
    ['@project/.../x', '@project/.../x'],
    ['@project/%2e%2e/x', '@project/%2e%2e/x'],
    ['@project/a\uff0f..\uff0fb', '@project/a\uff0f..\uff0fb'],
    ['@project/..', '! dotdot'],
    ['@project/../x', '! dotdot'],
    ['@project/a/../../x', '! dotdot'],
    ['@project/a\\..\\..\\x', '! dotdot'],
    ['@foo/x', '! unknown-mount'],
    ['@Project/x', '! unknown-mount'],
    ['@', '! unknown-mount'],
    ['a.md', '! no-mount'],
    ['', '! no-mount'],
    ['~/a.md', '! no-mount'],
    ['/etc/passwd', '! absolute'],
    ['\\\\host\\share\\x', '! absolute'],
    ['@project//etc/passwd', '! absolute'],
    ['C:\\x', '! drive'],
    ['c:x', '! drive'],
    ['@project/C:\\x', '! drive'],
    ['@project/./a/../C:x', '! drive'],
    ['@project/a\0b', '! control'],
    ['@project/a\nb', '! control'],
    ['@project/a\u0085b', '! control'],
    ['@project/a\u2028b', '! control'],
    ['@project/\ud800', '! malformed'],
    ['@project/.cuebook-0123456789abcdef0123456789abcdef.tmp', '! reserved'],
    ['@project/.CUEBOOK-0123456789ABCDEF0123456789ABCDEF.TMP', '! reserved'],
  ];
  it.each(cases)('%j gives %j', (path, expected) => {
    expect(parse(path)).toBe(expected);
  });
});

it.each([
  ['a name of 256 bytes', `@project/${'x'.repeat(256)}`],
  ['a name of 128 characters of two bytes', `@project/${'\u00e9'.repeat(128)}`],
  ['a path of 6,000 characters', `@project/${'a/'.repeat(3000)}`],
])('%s is too long', (_what, path) => {
  expect(parse(path)).toBe('! too-long');
});

describe('a folder path', () => {
  it.each([
    ['.', '.'],
    ['', '.'],
    ['a/../', '.'],
    ['@scope/pkg', '@scope/pkg'],
    ['..', '! dotdot'],
    ['a/../../b', '! dotdot'],
    ['/a', '! absolute'],
    ['C:/a', '! drive'],
  ])('%j gives %j', (path, expected) => {
    expect(parse(path, FOLDER)).toBe(expected);
  });
});

describe('names that Windows misreads', () => {
  const cases: readonly (readonly [name: string, reason: string])[] = [
    ['a.md:stream', 'stream'],
    ['a.md::$DATA', 'stream'],
    ['NUL', 'device'],
    ['nul.txt', 'device'],
    ['CON', 'device'],
    ['com1.log', 'device'],
    ['LPT\u00b9', 'device'],
    ['conin$', 'device'],
    ['a.md.', 'trailing'],
    ['a.md ', 'trailing'],
    ['.. ', 'trailing'],
  ];
  it.each(cases)('%j is refused as %s on Windows and for writing, and read elsewhere', (name, reason) => {
    expect(parse(`@project/d/${name}`, WINDOWS)).toBe(`! ${reason}`);
    expect(parse(`@project/${name}/x`, WINDOWS)).toBe(`! ${reason}`);
    expect(parse(`@project/d/${name}`, POSIX, 'write')).toBe(`! ${reason}`);
    expect(parse(`@project/d/${name}`, POSIX)).toBe(`@project/d/${name}`);
  });

  it.each(['console.md', 'nullable.ts', 'com.md', 'auxiliary', 'com10.log'])(
    '%j is an ordinary name',
    (name) => {
      expect(parse(`@project/${name}`, WINDOWS, 'write')).toBe(`@project/${name}`);
    },
  );
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        '@project',
        '@state',
        ':',
        '\0',
        'C:',
        '%2e',
        'a',
        ' ',
        'NUL',
        '\n',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('for every input', () => {
  it('a path that passes has only plain names, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('@project/', '@state\\', ''), (rest, prefix) => {
        const result = parsePath(prefix + rest, POSIX, 'read');
        if (!result.ok) return;
        const { segments, text } = result.value;
        for (const name of segments) {
          expect(['', '.', '..']).not.toContain(name);
          expect(name).not.toMatch(/[/\\\0\n]/);
        }
        expect(parse(text)).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });

  it('a refused path is named by a known form of alias and nothing else', () => {
    fc.assert(
      fc.property(hostile, (path) => {
        const result = parsePath(path, POSIX, 'write');
        if (!result.ok) expect(result.error.path).toMatch(/^(?:@[A-Za-z0-9][\w-]{0,31}|\(path\))$/);
      }),
      { numRuns: 5000 },
    );
  });
});

it('private places are folded, and those of one part name nobody', () => {
  expect(privatePlaces(['/Users/Quinn/', 'C:\\Users\\Quinn', '/root', '/'])).toEqual(['users/quinn']);
});
