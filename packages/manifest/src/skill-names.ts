import type { Skills } from './schema.js';

/** A skill's name, and the path below `spec` of the value that it is derived from. */
export interface SkillName {
  readonly name: string;
  /** Where the name begins in the value; 0 where the value spells it another way. */
  readonly start: number;
  readonly path: readonly PropertyKey[];
}

/** The names of an Agent's skills: images, then git references, then buckets, each in order. */
export function skillNames(skills: Skills | undefined | null): readonly SkillName[] {
  const found: SkillName[] = [];
  const add = (name: string, value: string, ...path: readonly PropertyKey[]): void => {
    if (name !== '') found.push({ name, start: startIn(value, name), path: ['skills', ...path] });
  };
  skills?.refs?.forEach((ref, i) => {
    add(imageName(ref), ref.replace(/@[^@]*$/s, ''), 'refs', i);
  });
  skills?.gitRefs?.forEach((ref, i) => {
    const name = ref.name?.trim() ?? '';
    const path = ref.path?.trim() ?? '';
    if (name !== '') add(name, ref.name ?? '', 'gitRefs', i, 'name');
    else if (path !== '') add(pathBase(path), ref.path ?? '', 'gitRefs', i, 'path');
    else add(repositoryName(ref.url ?? ''), (ref.url ?? '').replace(/[?#].*$/s, ''), 'gitRefs', i, 'url');
  });
  skills?.s3Refs?.forEach((ref, i) => {
    const name = ref.name?.trim() ?? '';
    if (name !== '') add(name, ref.name ?? '', 's3Refs', i, 'name');
    else add(bucketName(ref.uri ?? ''), ref.uri ?? '', 's3Refs', i, 'uri');
  });
  return found;
}

/** Where the last element of a path begins: behind its slash, or where the text does. */
const startIn = (path: string, name: string): number =>
  Math.max(0, path.includes(`/${name}`) ? path.lastIndexOf(`/${name}`) + 1 : path.indexOf(name));

/** `registry/team/skill:v1@sha256:…` is `skill`; a colon before the last slash is a port. */
export function imageName(ref: string): string {
  const digest = ref.lastIndexOf('@');
  const image = digest === -1 ? ref : ref.slice(0, digest);
  const tag = image.lastIndexOf(':');
  return pathBase(tag > image.lastIndexOf('/') ? image.slice(0, tag) : image);
}

/** `https://host/owner/repo.git?ref=main` is `repo`; what is no URL, such as `git@host:o/r.git`, is cut as it is. */
export function repositoryName(url: string): string {
  const path = urlPath(url) || url;
  return path === '' ? '' : pathBase(path.endsWith('.git') ? path.slice(0, -'.git'.length) : path);
}

/** `s3://bucket/skills/review.tar.gz/` is `review`. */
export function bucketName(uri: string): string {
  const trimmed = uri.trim().replace(/\/$/, '');
  return trimmed === '' ? '' : pathBase(trimmed).replace(/\.(?:tar\.gz|tgz|zip)$/i, '');
}

/** The last element of a slash path, by the rules of Go's `path.Base`. */
export function pathBase(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return end === 0 ? '/' : path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** The path of a URL by the rules of Go's `url.Parse`; empty when it has none or does not parse. */
function urlPath(url: string): string {
  const rest = url.replace(/#.*$/s, '').replace(/\?.*$/s, '');
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(rest)?.[0] ?? '';
  const behind = rest.slice(scheme.length);
  if (scheme !== '' && !behind.startsWith('/')) return '';
  if (!behind.startsWith('/') && (behind.split('/')[0] ?? '').includes(':')) return '';
  const path = behind.startsWith('//') ? behind.replace(/^\/\/[^/]*/, '') : behind;
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: Go does not parse it either.
    return '';
  }
}
