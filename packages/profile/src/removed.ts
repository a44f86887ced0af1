import type { Block, Diagnostic, Place } from '@cuebook/prompt';

/** Removals of one file that are told one by one; the rest are counted. */
const MAX_TOLD = 20;

/** What is taken out of a text, as people call it; what is aliased or shown is not. */
const REMOVED: Readonly<Record<string, string>> = {
  credential: 'credential',
  path: 'private path',
  name: 'private name',
};

/** A warning for each thing that was taken out of a composed prompt, at the place it stood; never what it was. */
export function removedFrom(
  blocks: readonly Pick<Block, 'name' | 'spans'>[],
  told: readonly Diagnostic[] = [],
): readonly Diagnostic[] {
  const known = new Set(told.flatMap((each) => (each.code === 'W_REDACTED' ? [placeKey(each)] : [])));
  const found = new Map<string, Diagnostic[]>();
  for (const { name, spans } of blocks) {
    for (const { origin } of spans) {
      const what = origin.kind === 'redaction' ? REMOVED[origin.ref] : undefined;
      if (what === undefined || (origin.via ?? []).some((each) => known.has(keyOf(each)))) continue;
      // The text itself, behind all that led to it.
      const from = origin.via?.at(-1);
      const diagnostic = removal(what, `of the block "${name}"`, from);
      const list = found.get(from?.ref ?? '') ?? [];
      list.push(diagnostic);
      found.set(from?.ref ?? '', list);
    }
  }
  return [...found.values()].flatMap(atMost);
}

/** The warning that something is taken out. */
export function removal(what: string, where: string, place: Place | undefined): Diagnostic {
  const fix = 'Take it out of the source, or hand it to the tool that needs it';
  const { ref, line, column } = place ?? {};
  const from = ref === undefined || line !== undefined ? '' : `, from ${ref}`;
  return {
    code: 'W_REDACTED',
    severity: 'warning',
    message: `A ${what} ${where} is taken out before it is sent${from}. ${fix}`,
    ...(ref === undefined || line === undefined ? {} : { file: ref, line }),
    ...(line === undefined || column === undefined ? {} : { column }),
  };
}

/** The first of them one by one, and how many more there are. */
export function atMost(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = found.slice(0, MAX_TOLD);
  const [first] = told;
  if (first === undefined || found.length === told.length) return told;
  const { file } = first;
  const message = `${found.length - told.length} more things are taken out${file === undefined ? '' : ' of this file'}`;
  return [
    ...told,
    { code: first.code, severity: 'warning', message, ...(file === undefined ? {} : { file }) },
  ];
}

/** By the line: a look at the source has told of every credential on it. */
const placeKey = ({ file, line }: Diagnostic): string => `${file} ${line}`;
const keyOf = ({ ref, line }: Place): string => `${ref} ${line}`;
