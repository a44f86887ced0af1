import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fencesIn } from './markdown.js';
import { ROOT } from './root.js';
import { share } from './runs.js';
import { workspaces } from './workspaces.js';

const exec = promisify(execFile);
const inSoak = share(0, 1) === 1;
const STATE_FILE = join(ROOT, '.cache', 'pack.json');
const MAY_HOLD =
  /^(?:package\.json|README\.md|LICENSE|bin\/.+\.js|texts\/.+\.(?:md|json)|cluster\/.+\.yaml|chart\/.+\.(?:yaml|tpl)|page\/.+\.(?:html|css|js|svg)|dist\/.+\.(?:js|d\.ts)|(?:dist\/(?:bin|zod)|page)\/LICENSES\.txt)$/;

interface Packed {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly error: string;
}

// Packing and installing is the set-up of `npm test` (scripts/pack.mjs): it needs the network, tests do not.
const packed = existsSync(STATE_FILE)
  ? (JSON.parse(readFileSync(STATE_FILE, 'utf8')) as { packages: readonly Packed[] }).packages
  : [];
const title =
  packed.length > 0 ? 'packed and installed alone' : 'packed (skipped: nothing is packed; npm test does it)';

describe.skipIf(packed.length === 0).each(workspaces().filter(({ manifest }) => manifest.private !== true))(
  `$folder ${title}`,
  ({ folder, manifest }) => {
    const found = packed.find(({ name }) => name === manifest.name);
    const find = (): Packed => {
      expect(found, 'run npm test: this package is not packed yet').toBeDefined();
      expect(found?.error).toBe('');
      return found as Packed;
    };

    it('holds its built files, its licence and its README, and nothing else', () => {
      const { files } = find();
      expect(files.filter((file) => !MAY_HOLD.test(file))).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
      expect(files.filter((file) => file.startsWith('dist/')).length).toBeGreaterThan(0);
    });

    // Not all are installed in a test: `npm test` chooses some by the commit, a soak takes all.
    const isInstalled = inSoak || found?.folder !== '';
    if (!isInstalled) return;

    it('is installed outside this checkout', () => {
      const installed = realpathSync(join(find().folder, 'node_modules', manifest.name));
      expect(installed.startsWith(realpathSync(ROOT) + sep)).toBe(false);
    });

    if (folder.startsWith('packages/')) {
      it('runs the first snippet of its README, checked with the installed types only', async () => {
        const home = find().folder;
        const readme = readFileSync(join(home, 'node_modules', manifest.name, 'README.md'), 'utf8');
        const snippet = fencesIn(readme).find((fence) => fence.language === 'ts');
        expect(snippet, 'the README has a ts snippet').toBeDefined();
        await typeCheck(home, 'snippet', snippet?.code ?? '', ['node']);
        await exec(process.execPath, ['snippet.js'], { cwd: home });
      });
    }

    if (!readFileSync(join(ROOT, folder, 'tsconfig.json'), 'utf8').includes('"node"')) {
      it('type-checks where the types of Node are not', async () => {
        await typeCheck(find().folder, 'bare', `export * from '${manifest.name}';\n`, []);
      });
    }

    it.each(Object.keys(manifest.bin ?? {}))('gives the command %s', async (command) => {
      const { stdout } = await exec(join(find().folder, 'node_modules', '.bin', command), ['--help']);
      expect(stdout).toContain(command);
    });
  },
);

/** Compiles a file next to the installed package; a type error, in its types too, fails with the compiler's words. */
async function typeCheck(home: string, name: string, code: string, types: readonly string[]): Promise<void> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types,
  };
  rmSync(join(home, `${name}.js`), { force: true });
  writeFileSync(join(home, `${name}.ts`), code);
  writeFileSync(join(home, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const failure = await exec(process.execPath, [tsc, '-p', `${name}.json`], { cwd: home }).then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
  expect(failure).toBe('');
}
