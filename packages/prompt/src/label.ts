/** Who could have written a run of text, most trusted first. */
export const TRUSTS = ['platform', 'author', 'operator', 'user', 'agent', 'tool', 'external'] as const;
export type Trust = (typeof TRUSTS)[number];

/** Who may see it: `confidential` reaches the model but is masked for people; `secret` never reaches a model. */
export const SECRECIES = ['public', 'confidential', 'secret'] as const;
export type Secrecy = (typeof SECRECIES)[number];

/** How often it changes, rarest first. */
export const VOLATILITIES = ['build', 'deploy', 'session', 'turn'] as const;
export type Volatility = (typeof VOLATILITIES)[number];

/** The three labels every span carries. None has a default: text without labels does not compile. */
export interface Labels {
  readonly trust: Trust;
  readonly secrecy: Secrecy;
  readonly volatility: Volatility;
}

const rankOf = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> =>
  Object.fromEntries(names.map((name, rank) => [name, rank])) as Record<Name, number>;

/** 0 is the most public. */
export const SECRECY_RANK = rankOf(SECRECIES);
/** 0 is the most stable. */
export const VOLATILITY_RANK = rankOf(VOLATILITIES);

/** True when `trust` is strictly less trusted than `floor`. */
export const isBelow = (trust: Trust, floor: Trust): boolean => rankOfTrust(trust) > rankOfTrust(floor);

/** Asked for every piece of every prompt: comparing names is several times faster than looking one up. */
function rankOfTrust(trust: Trust): number {
  switch (trust) {
    case 'platform':
      return 0;
    case 'author':
      return 1;
    case 'operator':
      return 2;
    case 'user':
      return 3;
    case 'agent':
      return 4;
    case 'tool':
      return 5;
    case 'external':
      return 6;
  }
}

/** The labels of text made from several texts: least trusted, most secret, most volatile. */
export function joinLabels(first: Labels, ...rest: readonly Labels[]): Labels {
  let { trust, secrecy, volatility } = first;
  for (const next of rest) {
    if (isBelow(next.trust, trust)) trust = next.trust;
    if (SECRECY_RANK[next.secrecy] > SECRECY_RANK[secrecy]) secrecy = next.secrecy;
    if (VOLATILITY_RANK[next.volatility] > VOLATILITY_RANK[volatility]) volatility = next.volatility;
  }
  return { trust, secrecy, volatility };
}
