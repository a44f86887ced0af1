import { readShipped } from '@cuebook/files';
import { type ShippedTexts, type ShippedTools, shippedTexts, shippedTools } from '@cuebook/prompt';

const read = (file: string): string => readShipped(new URL(`../texts/${file}`, import.meta.url));

/** The words that this package ships, in `texts/`. */
export const TEXTS: ShippedTexts = shippedTexts('define', read);

/** The tools that this package ships, in `texts/tools.json`. */
export const TOOLS: ShippedTools = shippedTools('define', 'tools.json', read);
