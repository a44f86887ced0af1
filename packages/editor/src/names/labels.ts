import type { Labels } from '@cuebook/prompt';

/** Where only the places of pieces matter. */
export const AUTHORED_LABELS: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };
