import { readShipped } from '@cuebook/files';
import { shippedTexts } from '@cuebook/prompt';

/** The words that this package ships, in `texts/`. */
export const TEXTS = shippedTexts('team', (file) =>
  readShipped(new URL(`../texts/${file}`, import.meta.url)),
);
