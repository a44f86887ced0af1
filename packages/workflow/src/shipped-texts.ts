import { readShipped } from '@cuebook/files';
import { type ShippedTexts, shippedTexts } from '@cuebook/prompt';

/** The words that this package ships, in `texts/`. */
export const TEXTS: ShippedTexts = shippedTexts('workflow', (file) =>
  readShipped(new URL(`../texts/${file}`, import.meta.url)),
);
