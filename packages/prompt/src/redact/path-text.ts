import type { Shadow } from './shadow.js';
import type { Hit } from './walk.js';

/** Where a path that matched at `start` really starts: `file://`, `\\?\` and mount prefixes belong to it. */
export function extendStart(text: string, start: number, floor: number): number {
  let at = start;
  for (let count = 0; count < 2; count += 1) {
    const before = text
      .slice(Math.max(floor, at - 48), at)
      .toLowerCase()
      .replaceAll('\\', '/');
    const prefix = PREFIXES.exec(before)?.[0];
    if (prefix === undefined) break;
    at -= prefix.length;
  }
  return at;
}

const PREFIX =
  'file:(?:/{0,2}localhost)?/{0,3}|/[?]/(?:unc(?=/))?|/private|/system/volumes/data|/host_mnt|/hostfs|/rootfs|' +
  '/wsl(?:[$]|[.]localhost)/[^/\\s"\']{1,32}|/localhost|vscode://file';
const PREFIXES = new RegExp(`(?:(?<![a-z])(?:${PREFIX}))$`);
const WHOLE_PREFIX = new RegExp(`^(?:${PREFIX})*$`);

/** True when all of a path before a known root only says how to get there. */
export const isPathPrefix = (text: string): boolean =>
  WHOLE_PREFIX.test(text.toLowerCase().replaceAll('\\', '/'));

/** The rest of an aliased path as it is told: separators are `/`, escapes undone, what was found in it masked. */
export function displayRest(shadow: Shadow, from: number, to: number, hits: readonly Hit[]): string {
  let shown = '';
  let at = from;
  for (const hit of hits) {
    shown += display(shadow.source.slice(shadow.startOf(at), shadow.startOf(hit.start))) + hit.text;
    at = hit.end;
  }
  return (
    shown + display(shadow.source.slice(at < to ? shadow.startOf(at) : shadow.endOf(to), shadow.endOf(to)))
  );
}

function display(source: string): string {
  const plain = decodePercent(source)
    .replace(/\\+u([0-9a-fA-F]{4})/g, (whole, hex: string) => safeChar(Number.parseInt(hex, 16)) ?? whole)
    .replace(/&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));/g, (whole, hex?: string, decimal?: string) => {
      return safeChar(hex ? Number.parseInt(hex, 16) : Number(decimal)) ?? whole;
    })
    .replace(/&sol;|&bsol;/g, '/')
    .replace(/\\+(?=[ ()[\]'&])/g, '')
    .replace(/[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u202a-\u202e]+/g, '')
    .replace(/[\\/\uff0f\uff3c\u2044\u2215]+/g, '/');
  return plain;
}

/** Percent escapes undone up to three times, but never a character that could break the text around. */
function decodePercent(source: string): string {
  let text = source;
  for (let round = 0; round < 3; round += 1) {
    const next = text.replace(/(?:%[0-9a-fA-F]{2})+/g, decodeRun);
    if (next === text) break;
    text = next;
  }
  return text;
}

const UNSAFE = /[\u0000-\u001f"'`<>\u007f]/;

function decodeRun(run: string): string {
  try {
    const decoded = decodeURIComponent(run);
    return UNSAFE.test(decoded) ? run : decoded;
  } catch {
    // Not UTF-8: the escapes stay as they are.
    return run;
  }
}

function safeChar(point: number): string | undefined {
  if (!(point >= 32 && point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff)) return undefined;
  const char = String.fromCodePoint(point);
  return UNSAFE.test(char) || char === '\\' ? (char === '\\' ? '/' : undefined) : char;
}
