import { execFile } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiReport } from '../scripts/publish/api-report.mjs';
import { BUGS, HOMEPAGE, PAGES, PUBLIC, REPOSITORY } from '../scripts/publish/cut.mjs';
import { openRegistry } from '../scripts/registry/registry.mjs';
import { fencesIn } from './markdown.js';
import { type Packed, packState } from './packed.js';
import { ROOT } from './root.js';
import { describeInSoak, itInTurn, sampled } from './runs.js';
import { workspaces } from './workspaces.js';

const exec = promisify(execFile);
const MAY_HOLD =
  /^(?:package\.json|README\.md|LICENSE|bin\/.+\.js|texts\/.+\.(?:md|json)|dist\/.+\.(?:js|d\.ts)|dist\/(?:bin\/|zod\/)?LICENSES\.txt|parts\/[a-z]+\/(?:texts\/.+\.(?:md|json)|page\/.+\.(?:html|css|js|svg|txt)|cluster\/.+\.yaml|chart\/.+\.(?:yaml|tpl)))$/;
/** The most that an installation of the command may take without optional parts, in bytes on the disk. */
const INSTALLED_LIMIT = 60_000_000;

const state = packState();
const title = state ? '' : ' (skipped: nothing is published; npm test does it)';
const packages = PUBLIC.map((pack) => ({ ...pack, pack }));
// The compiler of the check takes seconds to load: each commit looks at one package, a soak at all of them.
const checkedWhole = sampled(PUBLIC, 1).map(({ name }) => name);

describe('what is published', () => {
  it('is in the list, and every other workspace is private', () => {
    const open = workspaces().filter(({ manifest }) => manifest.private !== true);
    expect(open.map(({ manifest }) => manifest.name).sort()).toEqual(PUBLIC.map(({ name }) => name).sort());
  });

  it('has the version of all workspaces', () => {
    const versions = new Set(
      workspaces().map(({ folder }) => readJson(join(ROOT, folder, 'package.json')).version),
    );
    expect([...versions]).toHaveLength(1);
  });
});

describe.skipIf(state === undefined).each(packages)(`$name published${title}`, ({ name, pack }) => {
  const find = (): Packed => {
    const found = state?.packages.find((each) => each.name === name);
    expect(found, 'run npm test: this package is not published yet').toBeDefined();
    expect(found?.error).toBe('');
    return found as Packed;
  };
  const installed = (): string => join(find().folder, 'node_modules', name);

  it('holds its built files, its licence and its README, and nothing else', () => {
    const { files } = find();
    expect(files.filter((file) => !MAY_HOLD.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
  });

  it('names no workspace, no folder of this checkout and no test helper', () => {
    const texts = find().files.map((file) => ({ file, text: readFileSync(join(installed(), file), 'utf8') }));
    const here = texts.filter(({ text }) => text.includes(ROOT)).map(({ file }) => file);
    const manifest = readJson(join(installed(), 'package.json'));
    const ours = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((each) =>
      each.startsWith('@cuebook/'),
    );
    expect({ here, ours: ours.filter((each) => !PUBLIC.some((known) => known.name === each)) }).toEqual({
      here: [],
      ours: [],
    });
    const imported = texts
      .filter(({ file }) => /^dist\/.*\.(?:js|d\.ts)$/.test(file))
      .flatMap(({ text }) =>
        [...text.matchAll(/\b(?:from |import\()["'](@cuebook\/[a-z]+)/g)].map(([, one]) => one),
      );
    expect([...new Set(imported)].filter((one) => !pack.ours.includes(one as string))).toEqual([]);
  });

  it('says where it comes from and whom it is for', () => {
    const manifest = readJson(join(installed(), 'package.json'));
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      homepage: HOMEPAGE,
      bugs: BUGS,
      repository: { ...REPOSITORY, directory: pack.folder },
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
    });
    expect(manifest.keywords?.length).toBeGreaterThan(3);
    expect(Object.keys(manifest.exports)).toContain('.');
    expect(manifest.scripts).toBeUndefined();
  });

  it('is clean by publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed(), pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  if (checkedWhole.includes(name)) {
    itInTurn('has types that every resolution of ES modules finds', async () => {
      const store = state as NonNullable<typeof state>;
      const bytes = readFileSync(join(store.registry, name.replace('/', '+'), find().tarball));
      const checked = await checkPackage(createPackageFromTarballData(bytes));
      // It is a package of ES modules: an old CommonJS resolution is told so by Node too.
      const problems = (checked.types === false ? [{ kind: 'no types' }] : checked.problems).filter(
        (problem) =>
          !('resolutionKind' in problem && problem.resolutionKind === 'node10') &&
          problem.kind !== 'CJSResolvesToESM',
      );
      expect(problems).toEqual([]);
    });
  }

  it('is no larger than its limit', async () => {
    const bytes = sizeOf(installed(), (stat) => stat.size);
    expect(bytes / 1000).toBeLessThan(pack.unpackedKb);
    if (pack.shippedKb === undefined) return;
    const work = await rolldown({ input: join(installed(), 'dist', 'index.js'), platform: 'browser' });
    const { output } = await work.generate({ format: 'esm', minify: true, codeSplitting: false });
    await work.close();
    expect(brotliCompressSync(output[0].code).length / 1000).toBeLessThan(pack.shippedKb);
  });

  it('exports what its report says', async () => {
    const report = join(ROOT, 'test', 'api', `${name.replace(/^@/, '').replace('/', '-')}.txt`);
    await expect(apiReport(installed())).toMatchFileSnapshot(report);
  });

  it('is installed outside this checkout', () => {
    expect(realpathSync(installed()).startsWith(realpathSync(ROOT) + sep)).toBe(false);
  });

  if (!checkedWhole.includes(name)) return;

  itInTurn('runs the first snippet of its README, checked with the installed types only', async () => {
    const home = find().folder;
    const readme = readFileSync(join(installed(), 'README.md'), 'utf8');
    const snippet = fencesIn(readme).find((fence) => fence.language === 'ts');
    expect(snippet, 'the README has a ts snippet').toBeDefined();
    await typeCheck(home, 'snippet', snippet?.code ?? '', { types: ['node'] });
    // A snippet of the command is about the project that the lines before it make.
    const cwd = pack.isCommand ? join(home, 'desk') : home;
    rmSync(join(home, 'desk'), { recursive: true, force: true });
    if (pack.isCommand)
      await exec(join(home, 'node_modules', '.bin', 'cuebook'), ['init', 'desk'], { cwd: home });
    await exec(process.execPath, [join(home, 'snippet.js')], { cwd });
  });

  if (pack.platform === 'neutral') {
    it('type-checks where the types of Node are not, by both resolutions', async () => {
      const code = `export * from '${name}';\n`;
      await typeCheck(find().folder, 'bare', code, { types: [] });
      await typeCheck(find().folder, 'bundled', code, {
        types: [],
        module: 'esnext',
        moduleResolution: 'bundler',
      });
    });
  }
});

describe.skipIf(state === undefined)(`the command installed from a registry${title}`, () => {
  const project = (): string => state?.packages.find(({ name }) => name === 'cuebook')?.folder ?? '';
  const bin = (folder: string): string => join(folder, 'node_modules', '.bin', 'cuebook');

  it('takes less than 60 MB with all that it brings, and runs no install script', () => {
    const modules = join(project(), 'node_modules');
    const bytes =
      sizeOf(modules, (stat) => stat.blocks * 512) -
      sizeOf(join(modules, '@types'), (stat) => stat.blocks * 512);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(INSTALLED_LIMIT);
    const lock = readJson(join(modules, '.package-lock.json')) as unknown as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    expect(Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript)).toEqual([]);
  });

  itInTurn(
    'counts tokens, keeps records in a file and calls a model API with nothing else installed',
    async () => {
      const cwd = mkdtempSync(join(tmpdir(), 'cuebook-installed-'));
      const env = { PATH: process.env.PATH, HOME: cwd };
      const call = (...args: string[]) =>
        exec(bin(project()), args, { cwd: args[0] === 'init' ? cwd : join(cwd, 'desk'), env });
      await call('init', 'desk');
      const { stdout } = await call('render', 'sheet:review', '--json');
      expect(JSON.parse(stdout).tokens.total).toBeGreaterThan(0);
      await call('run', 'sheet:review');
      expect((await call('verify')).stdout).toContain('✓');
      // Nobody listens there: the provider was loaded, and its call failed.
      const asked = await exec(bin(project()), ['run', 'sheet:review', '--provider', 'openai', '--json'], {
        cwd: join(cwd, 'desk'),
        env: { ...env, OPENAI_API_KEY: 'sk-none', OPENAI_BASE_URL: 'http://127.0.0.1:9' },
      }).catch((error: { stdout: string; stderr: string }) => error);
      expect(asked.stdout + asked.stderr).not.toMatch(/Cannot find|E_INTERNAL/);
      rmSync(cwd, { recursive: true, force: true });
    },
  );

  it('names pages of the documentation by an address, as nobody who installed it has the files', async () => {
    const { stdout } = await exec(bin(project()), ['help', 'E_SHEET']);
    expect(stdout).toContain(`${PAGES}docs/user/sheets.md`);
    const folder = join(project(), 'node_modules', 'cuebook', 'dist');
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll(`${PAGES}docs/user/`, ''));
    expect(texts.filter((text) => text.includes('docs/user/'))).toEqual([]);
  });

  itInTurn('is called from CommonJS, and from a bundle that it is left out of', async () => {
    const cwd = mkdtempSync(join(project(), 'called-'));
    const env = { PATH: process.env.PATH, HOME: cwd };
    await exec(bin(project()), ['init', 'desk'], { cwd, env });
    const desk = join(cwd, 'desk');
    const call =
      "prompt('sheet:review', { change: '+' }).then((made) => console.log(made.openai().messages.length));";
    writeFileSync(join(desk, 'required.cjs'), `const { prompt } = require('cuebook');\n${call}\n`);
    writeFileSync(join(desk, 'imported.mjs'), `import { prompt } from 'cuebook';\n${call}\n`);
    const work = await rolldown({
      input: join(desk, 'imported.mjs'),
      platform: 'node',
      external: ['cuebook'],
    });
    for (const [format, file] of [
      ['esm', 'bundle.mjs'],
      ['cjs', 'bundle.cjs'],
    ] as const)
      await work.write({ format, file: join(desk, file) });
    await work.close();
    for (const file of ['required.cjs', 'imported.mjs', 'bundle.mjs', 'bundle.cjs'])
      expect((await exec(process.execPath, [file], { cwd: desk, env })).stdout, file).toBe('2\n');
    rmSync(cwd, { recursive: true, force: true });
  });

  itInTurn('has types for modules of every kind', async () => {
    const code =
      "import { prompt } from 'cuebook';\nexport const made = prompt('sheet:review', { change: '+' });\n";
    for (const options of [
      { module: 'node16', moduleResolution: 'node16' },
      { module: 'nodenext', moduleResolution: 'nodenext' },
      { module: 'esnext', moduleResolution: 'bundler' },
    ])
      await typeCheck(project(), 'kinds', code, { types: ['node'], ...options });
  });

  it('says which package records in Postgres need, and how to install it', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'cuebook-installed-'));
    writeFileSync(join(cwd, 'cuebook.yaml'), '{}\n');
    const failed = await exec(bin(project()), ['runs', '--json'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, CUEBOOK_DATABASE_URL: 'postgres://cuebook@127.0.0.1:9/work' },
    }).catch((error: { code: number; stdout: string }) => error);
    expect(failed).toMatchObject({ code: 3 });
    expect(JSON.parse(failed.stdout).error).toEqual({
      code: 'E_JOURNAL_PART',
      message:
        'The package pg is not installed, and the records of this project cannot be opened without it. Install it: npm install graphile-worker pg',
    });
    rmSync(cwd, { recursive: true, force: true });
  });

  describeInSoak('with other versions of Node', () => {
    let registry: Awaited<ReturnType<typeof openRegistry>>;
    beforeAll(async () => {
      registry = await openRegistry({ folder: state?.registry ?? '' });
    });
    afterAll(() => registry?.close());

    it.each(Object.entries(state?.nodes ?? {}))(
      'runs the lines of its README in an empty folder with Node %s',
      async (_, program) => {
        const cwd = mkdtempSync(join(tmpdir(), 'cuebook-readme-'));
        const lines = fencesIn(readFileSync(join(ROOT, 'apps/cli/README.md'), 'utf8')).find(
          ({ language }) => language === 'sh',
        )?.code;
        const script = `set -e\nnpm init -y >/dev/null\n${lines}`;
        const { stdout } = await exec('bash', ['-c', script], {
          cwd,
          env: {
            PATH: `${join(program, '..')}:${process.env.PATH}`,
            HOME: cwd,
            npm_config_registry: registry.url,
            npm_config_cache: join(cwd, '.npm'),
            // npm would ask for its own newest version.
            npm_config_update_notifier: 'false',
          },
        });
        expect(stdout).toContain('labels');
        expect(registry.missing).toEqual([]);
        rmSync(cwd, { recursive: true, force: true });
      },
    );
  });
});

interface Published {
  readonly version: string;
  readonly keywords?: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly scripts?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const readJson = (file: string): Published => JSON.parse(readFileSync(file, 'utf8')) as Published;

function sizeOf(folder: string, measure: (stat: { size: number; blocks: number }) => number): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + measure(lstatSync(join(folder, file))), 0);
}

/** Compiles a file next to the installed package; a type error, in its types too, fails with the compiler's words. */
async function typeCheck(home: string, name: string, code: string, options: object): Promise<void> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    ...options,
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
