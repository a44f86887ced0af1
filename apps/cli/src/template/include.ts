import { notIncluded } from '@cuebook/manifest';
import { type SignedFunction, signed, tagged } from '@cuebook/template';

/** The `include` of a template over texts by name: plain text, never parsed again. */
export const includeFrom = (texts: ReadonlyMap<string, string>): SignedFunction =>
  signed(['string'], (name: string) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(notIncluded(name, texts.keys()));
    return tagged(text, { include: name });
  });
