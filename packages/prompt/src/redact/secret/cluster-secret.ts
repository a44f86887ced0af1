import { signOf } from '../sign.js';
import { holds } from '../survey.js';
import { isPlaceholder, SAMPLES, type SecretRange } from './secret-value.js';

const KIND = 'kind: ';
const SIGN = 'Secret';
const WHOLE = signOf(KIND + SIGN);
/** A list of keys and values below `data:` or `stringData:`. */
const BLOCK =
  /^([ \t]*)(data|stringData):[ \t]*\r?\n((?:\1[ \t]+(?:["']?[\w.-]+["']?:[^\n]*|#[^\n]*)(?:\n|$))+)/gm;
const ENTRY = /^[ \t]+["']?[\w.-]+["']?:[ \t]+(["']?)([^\s"'#|>&*{[][^\n"']*?)\1[ \t]*\r?$/gm;
/** The longest manifest of one Secret. */
const NEAR = 20_000;
const SPLIT = /^---[ \t]*$/m;

/** What a Secret of Kubernetes holds, whatever its keys are: all of it was put there to be kept. */
export function clusterSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  if (!holds(text, WHOLE)) return found;
  for (let at = text.indexOf(SIGN), last = 0; at !== -1; at = text.indexOf(SIGN, at + 1)) {
    if (!text.startsWith(KIND, at - KIND.length) || /\w/.test(text.charAt(at + SIGN.length))) continue;
    if (at < last) continue;
    const [start, end] = documentAround(text, at, last);
    last = end;
    for (const { 2: section, 3: list = '', 0: whole, index } of text.slice(start, end).matchAll(BLOCK)) {
      const from = start + index + whole.length - list.length;
      for (const { 0: entry, 1: quote = '', 2: value = '', index: place } of list.matchAll(ENTRY)) {
        const plain = section === 'data' ? decoded(value) : value;
        if (
          plain === undefined ||
          plain.length < 3 ||
          isPlaceholder(plain) ||
          SAMPLES.has(plain.toLowerCase())
        )
          continue;
        const begin = from + place + entry.lastIndexOf(value, entry.length - quote.length);
        found.push({ start: begin, end: begin + value.length });
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function documentAround(text: string, at: number, floor: number): readonly [start: number, end: number] {
  const near = Math.max(floor, at - NEAR);
  const before = text.slice(near, at).lastIndexOf('\n---');
  const behind = text.slice(at, at + NEAR).search(SPLIT);
  return [
    before === -1 ? near : near + before,
    behind === -1 ? Math.min(text.length, at + NEAR) : at + behind,
  ];
}

function decoded(value: string): string | undefined {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  return atob(value).trim();
}
