import { guard } from '@cuebook/guard';
import type { ToolFiles } from '../mount/tool-files.js';
import type { WorkflowNode } from '../package/package.js';
import { relativePath } from '../package/relative-path.js';
import { showsSomething } from './shows-something.js';

/**
 * The declared outputs of a step that are not there or hold nothing that a reader would see. A folder must hold a file that
 * counts; `*` and a name in braces stand for any part of a file's name.
 */
export async function missingOutputs(files: ToolFiles, { node }: WorkflowNode): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const declared of node.outputs ?? []) {
    const path = relativePath(declared);
    // One that leaves the project is refused when the package is loaded, and told to nobody.
    if (path !== undefined && !(await isThere(files, path))) missing.push(path);
  }
  return missing;
}

async function isThere(files: ToolFiles, path: string): Promise<boolean> {
  if (!PLACEHOLDER.test(path)) return holdsText(files, `@project/${path}`);
  const parts = path.split('/');
  let places = ['@project'];
  for (const part of parts) {
    if (!PLACEHOLDER.test(part)) {
      places = places.map((place) => `${place}/${part}`);
      continue;
    }
    const found = await Promise.all(places.map((place) => matching(files, place, part)));
    places = found.flat().slice(0, MAX_MATCHES);
  }
  for (const place of places) if (await holdsText(files, place)) return true;
  return false;
}

const PLACEHOLDER = /\*|\{[^{}/]*\}/;
const MAX_MATCHES = 1_000;

async function matching(files: ToolFiles, place: string, part: string): Promise<string[]> {
  const listed = await files.list(place);
  if (!listed.ok) return [];
  const escaped = part.replace(/\{\{?[^{}/]*\}\}?|\*+|[\\^$.|?+()[\]{}]/g, (found) =>
    found.startsWith('{') || found.startsWith('*') ? '.+' : `\\${found}`,
  );
  const pattern = new RegExp(`^${escaped}$`, 'su');
  return listed.value.entries.filter(({ name }) => pattern.test(name)).map(({ name }) => `${place}/${name}`);
}

/** A file of any kind with something in it; a folder with such a file at any depth. */
async function holdsText(files: ToolFiles, path: string, depth = 0): Promise<boolean> {
  const found = await files.stat(path);
  if (!found.ok) return false;
  if (found.value.kind === 'directory') {
    const listed = depth < MAX_DEPTH ? await files.list(path) : undefined;
    if (!listed?.ok) return false;
    for (const { name } of listed.value.entries)
      if (await holdsText(files, `${path}/${name}`, depth + 1)) return true;
    return false;
  }
  if (found.value.size > LOOKED_AT) return true;
  const bytes = await files.readBytes(path, { limit: LOOKED_AT });
  return bytes.ok && !guard('outputs.unseen', !showsSomething(Buffer.from(bytes.value)));
}

const MAX_DEPTH = 8;
/** In bytes: nobody declares a longer file that is all white space. */
const LOOKED_AT = 64 * 1024;
