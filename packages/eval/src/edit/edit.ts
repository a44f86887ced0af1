import { fail, ok, type Result } from '@cuebook/prompt';

/** A place in a prompt, by what it comes from or what it is. */
export type EditPlace =
  | { readonly kind: 'origin'; readonly ref: string; readonly lines?: readonly [number, number] }
  | { readonly kind: 'block'; readonly name: string }
  | { readonly kind: 'obligation'; readonly text: string };

/** One change to a request. */
export type PromptEdit =
  | { readonly edit: 'drop'; readonly at: EditPlace }
  /** Words that ask nothing and take the same room: what the content does is told apart from length and position. */
  | { readonly edit: 'neutral'; readonly at: EditPlace }
  /** `from`: a file of the project, or words of the call. */
  | {
      readonly edit: 'replace';
      readonly at: EditPlace;
      readonly by: { readonly file: string } | { readonly text: string };
    }
  | { readonly edit: 'model'; readonly model: string }
  | { readonly edit: 'param'; readonly name: string; readonly value: string | number | boolean }
  | { readonly edit: 'tool'; readonly remove: string };

/** Reads one edit, such as `drop:texts/tone.md:3-5`. */
export function parseEdit(text: string): Result<PromptEdit, string> {
  const bad = (why: string) => fail(`"${text.slice(0, 80)}" is not an edit: ${why}`);
  const model = /^model=(.+)$/su.exec(text)?.[1];
  if (model !== undefined) return ok({ edit: 'model', model });
  const param = /^param:([\w.-]+)=(.*)$/su.exec(text);
  if (param !== null)
    return ok({ edit: 'param', name: param[1] as string, value: settingOf(param[2] as string) });
  const tool = /^tool:-(.+)$/su.exec(text)?.[1];
  if (tool !== undefined) return ok({ edit: 'tool', remove: tool });
  const [, verb, rest = ''] = /^(drop|neutral|replace):(.*)$/su.exec(text) ?? [];
  if (verb === undefined) return bad('it begins with drop:, replace:, neutral:, model=, param: or tool:-');
  const { at, after } = placeIn(rest, verb === 'replace');
  if (at === undefined) return bad('it names no place');
  if (verb !== 'replace') return ok({ edit: verb as 'drop' | 'neutral', at });
  if (after === undefined) return bad('replace needs =@FILE or =TEXT');
  return ok({ edit: 'replace', at, by: after.startsWith('@') ? { file: after.slice(1) } : { text: after } });
}

/** The same in one line. `parseEdit` reads it back. */
export function printEdit(edit: PromptEdit): string {
  if (edit.edit === 'model') return `model=${edit.model}`;
  if (edit.edit === 'param') return `param:${edit.name}=${edit.value}`;
  if (edit.edit === 'tool') return `tool:-${edit.remove}`;
  const place = `${edit.edit}:${printPlace(edit.at)}`;
  if (edit.edit !== 'replace') return place;
  return `${place}=${'file' in edit.by ? `@${edit.by.file}` : edit.by.text}`;
}

function printPlace(at: EditPlace): string {
  if (at.kind === 'block') return `block:${at.name}`;
  if (at.kind === 'obligation') return `obligation:${JSON.stringify(at.text)}`;
  if (at.lines === undefined) return at.ref;
  const [first, last] = at.lines;
  return first === last ? `${at.ref}:${first}` : `${at.ref}:${first}-${last}`;
}

function placeIn(text: string, isReplaced: boolean): { readonly at?: EditPlace; readonly after?: string } {
  if (text.startsWith('obligation:')) return obligationIn(text.slice('obligation:'.length), isReplaced);
  const cut = isReplaced ? text.indexOf('=') : -1;
  const [place, after] = cut === -1 ? [text, undefined] : [text.slice(0, cut), text.slice(cut + 1)];
  const told = after === undefined ? {} : { after };
  if (place === '') return told;
  if (place.startsWith('block:'))
    return place.length === 6 ? told : { at: { kind: 'block', name: place.slice(6) }, ...told };
  const lined = /^(.+?):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/su.exec(place);
  if (lined === null) return { at: { kind: 'origin', ref: place }, ...told };
  const first = Number(lined[2]);
  const last = Number(lined[3] ?? lined[2]);
  if (last < first) return told;
  return { at: { kind: 'origin', ref: lined[1] as string, lines: [first, last] }, ...told };
}

/** In quotes as JSON has them, or plain up to the end. */
function obligationIn(
  text: string,
  isReplaced: boolean,
): { readonly at?: EditPlace; readonly after?: string } {
  const quoted = /^"(?:[^"\\]|\\.)*"/su.exec(text)?.[0];
  if (quoted === undefined) {
    if (isReplaced || text === '') return {};
    return { at: { kind: 'obligation', text } };
  }
  const rest = text.slice(quoted.length);
  const words = unquoted(quoted);
  if (words === undefined || words.trim() === '') return {};
  const at: EditPlace = { kind: 'obligation', text: words };
  if (rest === '') return { at };
  return rest.startsWith('=') ? { at, after: rest.slice(1) } : {};
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

function settingOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : text;
}
