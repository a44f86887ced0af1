/** A well-known shape of credential: its literal prefix and, from there on, the whole of it. */
export interface TokenShape {
  readonly prefix: string;
  /** Sticky, anchored at the prefix. Classes that hold `/` are bounded: a run may hold many starts. */
  readonly pattern: RegExp;
  /** How much of the match is not secret (`Bearer `). */
  readonly keep?: number;
  /** The match needs a digit: words alone are no token. */
  readonly digit?: true;
}

/** Tokens that say themselves whose they are. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  { prefix: 'sk-', pattern: /sk-(?:ant-|proj-|svcacct-|admin-|or-|lf-)?[A-Za-z0-9_-]{20,}/y, digit: true },
  { prefix: 'sk_live_', pattern: /sk_live_[A-Za-z0-9]{10,}/y },
  { prefix: 'sk_test_', pattern: /sk_test_[A-Za-z0-9]{10,}/y },
  { prefix: 'rk_live_', pattern: /rk_live_[A-Za-z0-9]{10,}/y },
  { prefix: 'rk_test_', pattern: /rk_test_[A-Za-z0-9]{10,}/y },
  { prefix: 'whsec_', pattern: /whsec_[A-Za-z0-9+/=]{20,100}/y },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({
    prefix,
    pattern: /gh[pousr]_[A-Za-z0-9]{20,}/y,
  })),
  { prefix: 'github_pat_', pattern: /github_pat_[A-Za-z0-9_]{20,}/y },
  { prefix: 'glpat-', pattern: /glpat-[A-Za-z0-9_-]{16,}/y },
  { prefix: 'gldt-', pattern: /gldt-[A-Za-z0-9_-]{16,}/y },
  { prefix: 'glrt-', pattern: /glrt-[A-Za-z0-9_-]{16,}/y },
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxc-', 'xoxd-'].map((prefix) => ({
    prefix,
    pattern: /xox[a-z]-[A-Za-z0-9%-]{10,}/y,
    digit: true as const,
  })),
  { prefix: 'xapp-', pattern: /xapp-[A-Za-z0-9-]{10,}/y, digit: true },
  {
    prefix: 'hooks.slack.com/',
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,200}/y,
  },
  { prefix: 'AKIA', pattern: /AKIA[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { prefix: 'ASIA', pattern: /ASIA[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { prefix: 'AIza', pattern: /AIza[A-Za-z0-9_-]{35}/y },
  { prefix: 'ya29.', pattern: /ya29\.[A-Za-z0-9_-]{20,}/y },
  { prefix: 'GOCSPX-', pattern: /GOCSPX-[A-Za-z0-9_-]{20,}/y },
  { prefix: 'npm_', pattern: /npm_[A-Za-z0-9]{36}/y },
  { prefix: 'pypi-', pattern: /pypi-[A-Za-z0-9_-]{50,}/y },
  { prefix: 'hf_', pattern: /hf_[A-Za-z0-9]{30,}/y },
  { prefix: 'gsk_', pattern: /gsk_[A-Za-z0-9]{30,}/y },
  { prefix: 'xai-', pattern: /xai-[A-Za-z0-9]{40,}/y },
  { prefix: 'r8_', pattern: /r8_[A-Za-z0-9]{30,}/y },
  { prefix: 'dop_v1_', pattern: /dop_v1_[a-f0-9]{40,}/y },
  { prefix: 'dckr_pat_', pattern: /dckr_pat_[A-Za-z0-9_-]{20,}/y },
  { prefix: 'shpat_', pattern: /shpat_[a-fA-F0-9]{32}/y },
  { prefix: 'lin_api_', pattern: /lin_api_[A-Za-z0-9]{30,}/y },
  { prefix: 'secret_', pattern: /secret_[A-Za-z0-9]{40,}/y },
  { prefix: 'ntn_', pattern: /ntn_[A-Za-z0-9]{40,}/y },
  { prefix: 'SG.', pattern: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/y },
  { prefix: 'EAACEdEose0cBA', pattern: /EAACEdEose0cBA[A-Za-z0-9]{10,}/y },
  { prefix: 'hvs.', pattern: /hvs\.[A-Za-z0-9_-]{24,}/y },
  { prefix: 'AGE-SECRET-KEY-', pattern: /AGE-SECRET-KEY-1[A-Z0-9]{50,}/y },
  { prefix: 'eyJ', pattern: /eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/y },
  { prefix: 'Bearer ', pattern: /Bearer [A-Za-z0-9._~+/-]{16,4000}={0,2}/y, keep: 7, digit: true },
  { prefix: 'bearer ', pattern: /bearer [A-Za-z0-9._~+/-]{20,4000}={0,2}/y, keep: 7, digit: true },
  { prefix: 'Basic ', pattern: /Basic [A-Za-z0-9+/]{12,1000}={0,2}/y, keep: 6, digit: true },
];

/** Shapes by the first character of their prefix. */
export const SHAPES_BY_FIRST: ReadonlyMap<number, readonly TokenShape[]> = group();

function group(): ReadonlyMap<number, readonly TokenShape[]> {
  const groups = new Map<number, TokenShape[]>();
  for (const shape of TOKEN_SHAPES) {
    const first = shape.prefix.charCodeAt(0);
    groups.set(first, [...(groups.get(first) ?? []), shape]);
  }
  return groups;
}
