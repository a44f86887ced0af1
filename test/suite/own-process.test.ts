import { describe, expect, it } from 'vitest';
import { ruleFor, whyOwnProcess, withItsSupport } from './own-process.js';
import { changedIn, processState } from './process-state.js';
import { testFiles } from './test-files.js';

describe('the rule of who gets a process of its own', () => {
  it.each([
    `${'vi'}.mock('./x.js')`,
    `${'vi'}.useFakeTimers()`,
    `${'vi'}.stubEnv('HOME', '/x')`,
    `${'process'}.env.HOME = '/x'`,
    `${'process'}.env['HOME'] = '/x'`,
    `delete ${'process'}.env.HOME`,
    `Object.assign(${'process'}.env, {})`,
    `${'process'}.chdir('/')`,
    `${'process'}.umask(0)`,
    `${'process'}.on('exit', end)`,
    `${'globalThis'}.fetch = own`,
    `Object.defineProperty(${'globalThis'}, 'fetch', own)`,
    `${'process'}.cpuUsage()`,
    `${'growth'}(run, 10)`,
  ])('sees what changes or measures the process: %s', (text) => {
    expect(ruleFor(`const a = 1;\n${text};\n`)).toBeDefined();
  });

  it.each([
    "const env = { ...process.env, HOME: '/x' };",
    "if (process.env.HOME === '/x') return;",
    'process.kill(pid, 0);',
    'const { pid } = process;',
    'const seen = globalThis.seen;',
    'const fetch: typeof globalThis.fetch = own;',
    "spawn(process.execPath, ['-e', 'process.exit(3)']);",
  ])('lets others share: %s', (text) => {
    expect(ruleFor(text)).toBeUndefined();
  });

  it('follows what a test file imports from test folders, and not what it imports as types', () => {
    const support = withItsSupport('packages/prompt/src/gates.test.ts');
    expect(support).toContain('test/growth.ts');
    expect(whyOwnProcess('packages/prompt/src/gates.test.ts')).toBe('measures the process');
    expect(withItsSupport('packages/journal/test/places.ts')).not.toContain('test/shared-postgres.ts');
  });

  it('leaves most files to share', () => {
    const files = testFiles();
    const own = files.filter((file) => whyOwnProcess(file) !== undefined);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length / files.length).toBeLessThan(0.25);
  });
});

describe('what a test file leaves behind', () => {
  const before = processState();
  const changes = (): readonly string[] => changedIn(before, processState());

  it('is nothing when it undoes what it does', () => {
    expect(changes()).toEqual([]);
  });

  it.each<readonly [name: string, change: () => void, undo: () => void]>([
    ['the variable CUEBOOK_LEFT', () => setVariable('1'), () => setVariable(undefined)],
    ['setTimeout', () => setGlobal('setTimeout', () => 0), () => setGlobal('setTimeout', timer)],
    ['leftOver', () => setGlobal('leftOver', 1), () => Reflect.deleteProperty(globalThis, 'leftOver')],
    ['listeners of SIGHUP', () => process.on('SIGHUP', nothing), () => process.off('SIGHUP', nothing)],
    ['Math.random', () => setRandom(() => 0), () => setRandom(random)],
    [
      'Object.prototype.left',
      () => Reflect.defineProperty(Object.prototype, 'left', { value: 1, configurable: true }),
      () => Reflect.deleteProperty(Object.prototype, 'left'),
    ],
  ])('is found: %s', (name, change, undo) => {
    change();
    const found = changes();
    undo();
    expect(found).toEqual([name]);
    expect(changes()).toEqual([]);
  });
});

const timer = globalThis.setTimeout;
const random = Math.random;
const nothing = (): void => undefined;

function setVariable(value: string | undefined): void {
  if (value === undefined) delete process.env.CUEBOOK_LEFT;
  else process.env.CUEBOOK_LEFT = value;
}

function setGlobal(name: string, value: unknown): void {
  Reflect.set(globalThis, name, value);
}

function setRandom(value: () => number): void {
  Math.random = value;
}
