import { readFileSync } from 'node:fs';

/** A text file of one of our own packages, by its address there. It is part of the program: a missing one throws. */
export const readShipped = (address: URL): string => readFileSync(address, 'utf8');
