import { readShipped } from '@cuebook/files';
import { type ShippedTexts, shippedTexts } from '@cuebook/prompt';

/** A file of `texts/`. */
export const readText = (file: string): string => readShipped(new URL(`../texts/${file}`, import.meta.url));

/** The words that this package ships, in `texts/`. */
export const TEXTS: ShippedTexts = shippedTexts('bundle', readText);
