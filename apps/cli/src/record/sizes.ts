import { usage } from '../failure.js';

/** `30d`, `12h`, `45m` in milliseconds. */
export function requireAge(text: string): number {
  return requireAmount(text, '--older-than', { d: 86_400_000, h: 3_600_000, m: 60_000 }, '30d, 12h or 45m');
}

/** `1GB`, `200MB`, `64KB` in bytes. */
export function requireBytes(text: string): number {
  return requireAmount(text, '--max-size', { GB: 1e9, MB: 1e6, KB: 1e3, B: 1 }, '1GB, 200MB or 64KB');
}

function requireAmount(
  text: string,
  flag: string,
  units: Readonly<Record<string, number>>,
  such: string,
): number {
  const [, amount = '', unit = ''] = /^(\d{1,12})([A-Za-z]{1,2})$/.exec(text) ?? [];
  const size = Object.entries(units).find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1];
  if (amount === '' || size === undefined)
    throw usage(`${flag} takes an amount such as ${such}, not "${text}"`);
  return Number(amount) * size;
}

/** `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
