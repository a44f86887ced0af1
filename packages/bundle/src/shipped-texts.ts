import { readShipped } from '@cuebook/files';
import { type ShippedTexts, shippedTexts } from '@cuebook/prompt';

/** The words that this package ships, in `texts/`. */
export const TEXTS: ShippedTexts = shippedTexts('bundle', (file) =>
  readShipped(new URL(`../texts/${file}`, import.meta.url)),
);
