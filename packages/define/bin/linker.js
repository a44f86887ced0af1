import { isBuiltin } from 'node:module';
import vm from 'node:vm';
import { DEFINERS } from './definers.js';
import { ImportFailure } from './failure.js';
import { loadStripper } from './stripper.js';
import { loadZod } from './zod.js';

/**
 * @typedef {object} Sources
 * @property {Map<string, string>} texts the project's files by path, as far as they are known
 * @property {(path: string) => Promise<string | undefined>} read asks for one that is not known yet
 * @property {string | undefined} folder the project's folder as a `file:` URL with a slash at its end
 */

/** @typedef {InstanceType<typeof vm.Module>} Module */

/**
 * Loads modules of a project from texts: types are stripped, relative imports stay inside the project, and
 * packages come from the project's own `node_modules` or, where it has none, from this command.
 *
 * @param {Sources} sources
 * @returns {(path: string) => Promise<Record<string, unknown>>} the namespace of the module at a path
 */
export function createLoader(sources) {
  /** @type {Map<string, Promise<Module>>} */
  const modules = new Map();

  /** @param {string} path */
  const moduleAt = (path) => remember(path, () => compile(path, sources, load));
  /** @param {string} specifier */
  const packageNamed = (specifier) => remember(`package ${specifier}`, () => openPackage(specifier, sources));

  /**
   * @param {string} key
   * @param {() => Promise<Module>} make
   */
  function remember(key, make) {
    const known = modules.get(key);
    if (known !== undefined) return known;
    const made = make();
    modules.set(key, made);
    return made;
  }

  /**
   * @param {string} specifier
   * @param {string} referrer
   */
  async function load(specifier, referrer) {
    try {
      if (!/^\.{0,2}\/|^file:/.test(specifier)) return await packageNamed(specifier);
      return await moduleAt(await locate(specifier, referrer, sources));
    } catch (error) {
      if (!(error instanceof ImportFailure) || error.cause !== undefined) throw error;
      throw new ImportFailure(error.message, { cause: { specifier, referrer } });
    }
  }

  /** A failed link leaves modules half linked, which cannot be linked again: they are made anew when asked for. */
  async function forgetUnlinked() {
    for (const [key, pending] of modules) {
      const module = await pending.catch(() => undefined);
      if (module === undefined || module.status === 'unlinked' || module.status === 'linking')
        modules.delete(key);
    }
  }

  /** One module is linked at a time: two that share an import would each find it half linked by the other. */
  let linking = Promise.resolve();

  /** @param {Module} module */
  async function link(module) {
    if (module.status !== 'unlinked') return;
    try {
      await module.link((specifier, { identifier }) => load(specifier, identifier));
    } catch (error) {
      await forgetUnlinked();
      throw error;
    }
  }

  /** @param {Module} module */
  async function evaluate(module) {
    if (module.status === 'unlinked' || module.status === 'linking') {
      const linked = linking.then(() => link(module));
      linking = linked.catch(() => undefined);
      await linked;
    }
    if (module.status === 'linked') await module.evaluate();
    if (module.status === 'errored') throw module.error;
    return module;
  }

  /**
   * @param {string} path
   * @param {Sources} from
   * @param {typeof load} open
   */
  async function compile(path, from, open) {
    const text = from.texts.get(path) ?? '';
    if (path.endsWith('.json')) return synthetic(path, { default: JSON.parse(text) });
    /** @param {string} code */
    const made = (code) =>
      new vm.SourceTextModule(code, {
        identifier: path,
        initializeImportMeta: (meta) => {
          meta.url = from.folder === undefined ? `cuebook:${path}` : new URL(path, from.folder).href;
        },
        importModuleDynamically: /** @type {any} */ (
          async (/** @type {string} */ specifier) => evaluate(await open(specifier, path))
        ),
      });
    if (!/\.m?ts$/.test(path)) return made(text);
    // Most definition files have no types in them, and stripping costs more than everything else.
    if (!text.includes('<')) {
      try {
        return made(text);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    return made(loadStripper()(text, path));
  }

  return async (path) => {
    try {
      const module = await evaluate(await moduleAt(path));
      return /** @type {Record<string, unknown>} */ (module.namespace);
    } catch (error) {
      modules.delete(path);
      throw error;
    }
  };
}

/**
 * The project's file that a relative specifier means: as written, or `.ts` where `.js` is written, or with the
 * ending that is left out.
 *
 * @param {string} specifier
 * @param {string} referrer
 * @param {Sources} sources
 */
async function locate(specifier, referrer, { texts, read }) {
  const base = new URL(referrer, 'cuebook://project/');
  const path = decodeURIComponent(new URL(specifier, base).pathname).slice(1);
  const depth = referrer.split('/').length - 1;
  const ups = /^(?:\.\.\/)*/.exec(specifier)?.[0].length ?? 0;
  if (/^(?:\/|file:)/.test(specifier) || ups / 3 > depth) {
    throw new ImportFailure(`The import "${specifier}" leads out of the project`);
  }
  const endings = ['', '.ts', '.mjs', '.js', '/index.ts', '/index.js'].map((ending) => `${path}${ending}`);
  const candidates = [path.replace(/\.(m?)js$/, '.$1ts'), ...endings].filter((each) =>
    /\.(?:m?[jt]s|json)$/.test(each),
  );
  for (const each of new Set([path, ...candidates])) {
    if (!/\.(?:m?[jt]s|json)$/.test(each)) continue;
    const text = texts.get(each) ?? (await read(each));
    if (text === undefined) continue;
    texts.set(each, text);
    return each;
  }
  throw new ImportFailure(`The import "${specifier}" names no file of the project`);
}

/**
 * @param {string} specifier
 * @param {Sources} sources
 */
async function openPackage(specifier, { folder }) {
  if (specifier === '@cuebook/define') return synthetic(specifier, DEFINERS);
  if (isBuiltin(specifier)) return synthetic(specifier, await import(specifier));
  const own = folder === undefined ? undefined : resolveFrom(specifier, folder);
  if (own !== undefined) return synthetic(specifier, await import(own));
  if (specifier === '@standardagents/spec') return synthetic(specifier, DEFINERS);
  if (specifier === 'zod') return synthetic(specifier, await loadZod());
  if (specifier.startsWith('zod/')) return synthetic(specifier, await import(specifier));
  throw new ImportFailure(`The package "${specifier}" is not installed in the project`);
}

/**
 * @param {string} specifier
 * @param {string} folder
 */
function resolveFrom(specifier, folder) {
  try {
    return import.meta.resolve(specifier, `${folder}definition.js`);
  } catch {
    // Not there: the caller knows what else it could be.
    return undefined;
  }
}

/**
 * @param {string} identifier
 * @param {Readonly<Record<string, unknown>>} namespace
 */
function synthetic(identifier, namespace) {
  const names = Object.keys(namespace);
  return new vm.SyntheticModule(
    names,
    function () {
      for (const name of names) this.setExport(name, namespace[name]);
    },
    { identifier },
  );
}
