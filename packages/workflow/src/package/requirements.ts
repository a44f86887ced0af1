import { createHash } from 'node:crypto';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosticAt, type YamlSource } from '@cuebook/yaml';
import type { Manifest } from './schema.js';

/** The version that `minRuntimeVersion` of a package is held against; a test pins that it is the one of this package. */
export const RUNTIME_VERSION = '0.1.0';

/** What a manifest asks of whoever loads the package, held against what there is. */
export async function checkRequirements(
  source: TextSource,
  folder: string,
  manifest: Manifest,
  yaml: YamlSource,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  const wanted = manifest.runtime?.minRuntimeVersion;
  if (guard('package.runtime', wanted !== undefined && isOlder(RUNTIME_VERSION, wanted))) {
    const message = `The package needs Cuebook ${wanted} or later, and this is ${RUNTIME_VERSION}`;
    const problem = { code: 'E_PACKAGE_RUNTIME', severity: 'error', message } as const;
    found.push(diagnosticAt(yaml, ['runtime', 'minRuntimeVersion'], problem));
  }
  const stated = manifest.integrity?.sha256;
  if (stated === undefined) return found;
  const digest = await packageDigest(source, folder);
  const isSame = digest.ok && digest.value === stated.toLowerCase().replace(/^sha256:/, '');
  if (!guard('package.integrity', !isSame)) return found;
  const message = digest.ok
    ? `The files of the package have the sha256 ${digest.value}, and bmad.json says ${stated}`
    : `The files of the package cannot all be read (${digest.error}), so that its sha256 is not known`;
  const problem = { code: 'E_PACKAGE_INTEGRITY', severity: 'error', message } as const;
  return [...found, diagnosticAt(yaml, ['integrity', 'sha256'], problem)];
}

/**
 * The sha256 of a package, for `integrity` of its manifest: over a line `SHA256  PATH` for each file, sorted by path, as
 * `sha256sum` prints them. The manifest stands there without `integrity`, as JSON with sorted keys and no white space.
 */
export async function packageDigest(
  source: TextSource,
  folder = '.',
): Promise<{ readonly ok: true; readonly value: string } | { readonly ok: false; readonly error: string }> {
  const rows: (readonly [path: string, digest: string])[] = [];
  for await (const path of source.walk(folder)) {
    if (!path.ok) return { ok: false, error: path.error.code };
    const name = folder === '.' ? path.value : path.value.slice(folder.length + 1);
    const bytes = await source.readBytes(path.value);
    if (!bytes.ok) return { ok: false, error: bytes.error.code };
    rows.push([name, hex(name === 'bmad.json' ? withoutIntegrity(bytes.value) : bytes.value)]);
  }
  rows.sort(([a], [b]) => (a < b ? -1 : 1));
  return { ok: true, value: hex(rows.map(([path, digest]) => `${digest}  ${path}\n`).join('')) };
}

const hex = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

function withoutIntegrity(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  try {
    const { integrity: _, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify(sorted(rest));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** Whether a version comes before another, by the rules of semantic versions. */
export function isOlder(version: string, other: string): boolean {
  const [a, b] = [partsOf(version), partsOf(other)];
  for (let at = 0; at < 3; at += 1) {
    const [x = 0, y = 0] = [a.numbers[at], b.numbers[at]];
    if (x !== y) return x < y;
  }
  if (a.before.length === 0 || b.before.length === 0) return a.before.length > b.before.length;
  for (let at = 0; at < Math.max(a.before.length, b.before.length); at += 1) {
    const [x, y] = [a.before[at], b.before[at]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (isNumber && isOtherNumber) return Number(x) < Number(y);
    return isNumber === isOtherNumber ? x < y : isNumber;
  }
  return false;
}

function partsOf(version: string): {
  readonly numbers: readonly number[];
  readonly before: readonly string[];
} {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  const before = rest.join('-');
  return { numbers: core.split('.').map(Number), before: before === '' ? [] : before.split('.') };
}
