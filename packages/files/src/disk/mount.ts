import { constants } from 'node:fs';
import { mkdir, open, readlink, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { guard } from '@cuebook/guard';
import { fromSystem } from '../error.js';
import { isAlias } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { type Withheld, type WithholdRules, withheldBelow } from '../withhold/withhold.js';

export interface MountSpec {
  /** `@` and up to 32 letters, digits, `_` or `-`. */
  readonly alias: string;
  readonly root: string;
  readonly access: 'rw' | 'ro';
  /**
   * Paths relative to the root that can be read and not changed, with all that is below them: an audit log
   * inside a writable mount. Compared without letter case, after symbolic links are followed.
   */
  readonly protect?: readonly string[];
  /**
   * What cannot be reached below the root: not read, searched, written or named in a list, and not through a link
   * either. Left out: nothing is withheld, for folders that Cuebook itself chose.
   */
  readonly withhold?: WithholdRules;
  /** Creates a missing root, with mode 0700. `ignored`: with a file by which git leaves out all that is in it. */
  readonly create?: boolean | 'ignored';
}

/** An opened root. */
export interface Mount {
  readonly alias: string;
  /** The root with all symbolic links followed, once, when it was opened. */
  readonly real: string;
  /** The root as given, made absolute: the other spelling that an absolute link inside it may use. */
  readonly given: string;
  readonly access: 'rw' | 'ro';
  readonly protect: readonly string[];
  readonly withheld: Withheld | undefined;
  /**
   * Whether a child can be named through the descriptor of its directory (`/proc/self/fd`). Then no path is
   * ever looked up twice and swapped directories cannot mislead; otherwise every use is verified after it.
   */
  readonly anchored: boolean;
}

/** Opens a root. The error names the alias. `alias` is `''` for the one unnamed root of a folder. */
export async function openMount(
  spec: MountSpec,
  options: { readonly portable: boolean },
): Promise<FileResult<Mount>> {
  const shown = spec.alias || '.';
  if (spec.alias !== '' && !isAlias(spec.alias)) {
    return fail({ code: 'E_SANDBOX_VIOLATION', path: '(path)', reason: 'unknown-mount' });
  }
  try {
    const given = resolve(spec.root);
    if (spec.create !== undefined && spec.create !== false) {
      const made = await mkdir(given, { recursive: true, mode: 0o700 });
      // A folder that was there may hold files of other people, and what git knows of them is theirs to say.
      if (guard('files.ignored', spec.create === 'ignored' && made !== undefined))
        await writeFile(join(given, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
    }
    const real = await realpath(given);
    const handle = await open(real, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)).catch(keepUnopenable);
    const anchored = handle !== undefined && !options.portable && (await isAnchored(handle.fd, real));
    await handle?.close();
    const protect = (spec.protect ?? []).map(foldProtected);
    const { alias, access, withhold } = spec;
    const withheld = withhold && withheldBelow(real, withhold);
    return ok({ alias, real, given, access, protect, withheld, anchored });
  } catch (thrown) {
    return fail(fromSystem(shown, thrown));
  }
}

/** Whether a change at these segments, symbolic links followed, touches a protected part. */
export function isProtected(mount: Mount, segments: readonly string[]): boolean {
  const place = `${foldProtected(segments.join('/'))}/`;
  return mount.protect.some((prefix) => place.startsWith(`${prefix}/`));
}

function foldProtected(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^\.?\/+|\/+$/g, '')
    .normalize('NFC')
    .toLowerCase();
}

async function isAnchored(descriptor: number, real: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const named = await readlink(`/proc/self/fd/${descriptor}`).catch(() => undefined);
  return named === real;
}

/** Windows cannot open a directory; there the portable way needs no descriptor. */
function keepUnopenable(thrown: unknown): undefined {
  if (process.platform === 'win32') return undefined;
  throw thrown;
}
