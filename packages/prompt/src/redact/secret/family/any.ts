import type { FamilyRow } from '../family.js';

/** Words between the name of a service and what is random: they say that it is a credential. */
const SAYS = 'api pat apikey secret token tok tkn auth oat pw sk live prod'.split(' ');
/** Words that digests and names of records have too. */
const SAYS_LESS = 'key test dev svc sdk usr'.split(' ');
/** The same where they begin a token. */
const BEGINS = 'sk rk pat secret api apikey live tok tkn prod'.split(' ');

/** Services that nobody listed: `acme_pat_…`, `sk_…`, told by a word and by what chance wrote behind it. */
export const ANY: readonly FamilyRow[] = [
  ...SAYS.map((word): FamilyRow => [`any-${word}`, `<l2-16>_${word}_<b20-120>`, { chance: 'any' }]),
  ...SAYS_LESS.map((word): FamilyRow => [`any-${word}`, `<l2-16>_${word}_<b24-120>`, { chance: 'mixed' }]),
  ...SAYS.map((word): FamilyRow => [`any-dash-${word}`, `<l2-16>-${word}-<b24-120>`, { chance: 'mixed' }]),
  ...BEGINS.map(
    (word): FamilyRow => [`any-first-${word}`, `${word}_<b24-120>`, { chance: 'any', strict: true }],
  ),
];
