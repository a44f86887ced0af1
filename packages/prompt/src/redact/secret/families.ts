import { ANY } from './family/any.js';
import { CLOUD } from './family/cloud.js';
import { MESSAGE } from './family/message.js';
import { MODEL } from './family/model.js';
import { SERVICE } from './family/service.js';
import { SOURCE } from './family/source.js';
import { type Family, familyOf } from './family.js';

/** Every kind of credential that is known by its form. */
export const FAMILIES: readonly Family[] = [
  ...CLOUD,
  ...SOURCE,
  ...MODEL,
  ...MESSAGE,
  ...SERVICE,
  ...ANY,
].map(familyOf);
