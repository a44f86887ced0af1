import { isGap, type Key } from './secret-keys.js';
import { isPlaceholder, isRandom } from './secret-value.js';

/** `SOPS_AGE_KEY=…`, `X-Insert-Key: …`: a variable of an environment or a header, whose last word other names have too. */
export function isNamed(text: string, at: number, { name, quoted }: Key): boolean {
  if (OPEN_KEY.test(name)) return false;
  if (quoted && /^(?:session|pat|salt)$/i.test(name)) return true;
  return VARIABLE.test(name) ? !isGap(text.charCodeAt(at - 1)) : HEADER.test(name);
}

/** The same of a name that stands beside what it names. */
export const isNamedSecret = (name: string, value: string): boolean =>
  !OPEN_KEY.test(name) && (VARIABLE.test(name) || HEADER.test(name)) && holdsNamed(value);

const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const HEADER = /^(?:x-[\w-]+|authentication|[\w-]+-api-\w+)$/i;

/** Keys that are told to everybody, or that find something. */
const OPEN_KEY =
  /(?:^|[_-])(?:public|pub|cache|primary|foreign|sort|partition|routing|idempotency|row|object|s3|i18n|index|hot|press|group|host|known|translation|lookup|dedupe|unique|request|registry)[_-]?(?:\w+[_-])?key$|public/i;

/** What only a random value under such a name is. */
export const holdsNamed = (value: string): boolean =>
  value.length >= 12 && !isPlaceholder(value) && isRandom(value) && !/[(){}<>[\]\\]|^https?:|^\//.test(value);
