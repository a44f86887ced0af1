import { describe, expect, it } from 'vitest';
import { isBelow, joinLabels, SECRECIES, TRUSTS, VOLATILITIES } from './label.js';

describe('labels', () => {
  it('trust falls in the order of its list', () => {
    for (const [rank, trust] of TRUSTS.entries()) {
      for (const [floorRank, floor] of TRUSTS.entries()) {
        expect(isBelow(trust, floor), `${trust} below ${floor}`).toBe(rank > floorRank);
      }
    }
  });

  it('joined labels are the least trusted, most secret and most volatile', () => {
    const all = TRUSTS.flatMap((trust) =>
      SECRECIES.flatMap((secrecy) => VOLATILITIES.map((volatility) => ({ trust, secrecy, volatility }))),
    );
    for (const first of all) {
      for (const second of all) {
        const later = <T>(list: readonly T[], a: T, b: T) => list[Math.max(list.indexOf(a), list.indexOf(b))];
        expect(joinLabels(first, second)).toEqual({
          trust: later(TRUSTS, first.trust, second.trust),
          secrecy: later(SECRECIES, first.secrecy, second.secrecy),
          volatility: later(VOLATILITIES, first.volatility, second.volatility),
        });
      }
    }
  });
});
