import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';

/** What a person says at once, in characters: the interface of the host takes no more. */
export const MAX_SAID = 64_000;

/**
 * The content of a prompt as the text that a run is told: words as they are, files that the editor puts in as fenced
 * text under their names, files that it only names by their names. Undefined: there is something in it that a run does
 * not take, such as a picture.
 */
export function promptText(blocks: readonly ContentBlock[], folder: string): string | undefined {
  const parts: string[] = [];
  for (const block of blocks) {
    if (block.type === 'text') parts.push(block.text);
    else if (block.type === 'resource_link') parts.push(`[${nameOf(block.uri, folder)}]`);
    else if (block.type === 'resource' && 'text' in block.resource)
      parts.push(fenced(nameOf(block.resource.uri, folder), block.resource.text));
    else return undefined;
  }
  return parts.join(' ').trim();
}

/** A file as the run knows it: from the folder of the project, where it lies in it. */
function nameOf(uri: string, folder: string): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const name = relative(folder, path);
  const isInside = name !== '' && name !== '..' && !name.startsWith(`..${sep}`) && !isAbsolute(name);
  return isInside ? name.split(sep).join('/') : path;
}

function pathOf(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    return url.protocol === 'file:' ? fileURLToPath(new URL(url.pathname, 'file://')) : undefined;
  } catch {
    return undefined; // Editors have addresses of their own: the model is told what the person sees.
  }
}

/** The fence is longer than any that the text has. */
function fenced(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${name}\n${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n\n`;
}
