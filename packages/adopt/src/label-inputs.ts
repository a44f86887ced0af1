import { guard } from '@cuebook/guard';
import { TRUSTS } from '@cuebook/prompt';
import type { AdoptDiagnostic } from './diagnostic.js';
import { quote } from './diagnostic.js';
import type { DraftBlock, DraftInput, DraftPart, DraftSheet, DraftText, ImportDraft } from './draft.js';
import { goInputs } from './template/go.js';
import type { LineColumn } from './text/mapped.js';

/** Who can write the inputs, as the person who imports said it. */
export interface TrustChoice {
  /** For every input that has no level of its own. */
  readonly all?: string;
  readonly byName: ReadonlyMap<string, string>;
  /** A system message that holds less trusted input becomes a user message. */
  readonly systemToUser: boolean;
}

/** Gives every input its trust. What nobody has said, or what a system message must not hold, is E_IMPORT_TRUST. */
export function labelInputs(adopted: ImportDraft, choice: TrustChoice): ImportDraft {
  const texts = new Map(adopted.texts.map((text) => [text.name, text]));
  const diagnostics = [...adopted.diagnostics];
  const told = new Set<string>();
  const say = (diagnostic: AdoptDiagnostic): void => {
    // A person says once who can write an input; what becomes of its places is told for each.
    const { code, message, severity, file, line, column } = diagnostic;
    const key = JSON.stringify([code, message, ...(severity === 'error' ? [] : [file, line, column])]);
    if (!told.has(key)) diagnostics.push(diagnostic);
    told.add(key);
  };
  const sheets = adopted.sheets.map((sheet): DraftSheet => {
    const inputs = new Map<string, DraftInput>();
    for (const [name, input] of sheet.inputs) {
      const trust = choice.byName.get(name) ?? choice.all ?? input.trust;
      if (guard('adopt.trust', trust === undefined))
        say({
          ...problem(input),
          message: `Who can write the input ${quote(name)}? Say it with --trust ${name}=LEVEL, or for all inputs with --trust LEVEL`,
        });
      inputs.set(name, { ...input, ...(trust === undefined ? {} : { trust }) });
    }
    const blocks = sheet.blocks.map((block) =>
      placed(block, { sheet: sheet.name, inputs, texts, choice, say }),
    );
    return { ...sheet, inputs, blocks };
  });
  return { ...adopted, sheets, diagnostics };
}

/** Where an input is used: the first sheet, its place in the source, and whether any system message prints it. */
export interface InputUse {
  readonly sheet: string;
  readonly file: string;
  readonly at: LineColumn | undefined;
  readonly isInSystem: boolean;
}

/** The inputs of an import that have no trust yet, by name. */
export function inputUses({ sheets, texts }: ImportDraft): ReadonlyMap<string, InputUse> {
  const byName = new Map(texts.map((text) => [text.name, text]));
  const uses = new Map<string, InputUse>();
  for (const { name: sheet, inputs, blocks } of sheets) {
    const inSystem = new Set(
      blocks.flatMap((block) =>
        'parts' in block && block.role === 'system' ? usedIn(block.parts, byName) : [],
      ),
    );
    for (const [name, { file, at, trust }] of inputs) {
      const known = uses.get(name);
      if (trust !== undefined) continue;
      uses.set(name, {
        ...(known ?? { sheet, file, at }),
        isInSystem: known?.isInSystem === true || inSystem.has(name),
      });
    }
  }
  return uses;
}

const problem = ({ file, at }: DraftInput) =>
  ({ code: 'E_IMPORT_TRUST', severity: 'error', file, ...at }) as const;

interface Placing {
  readonly sheet: string;
  readonly inputs: ReadonlyMap<string, DraftInput>;
  readonly texts: ReadonlyMap<string, DraftText>;
  readonly choice: TrustChoice;
  readonly say: (diagnostic: AdoptDiagnostic) => void;
}

function placed(block: DraftBlock, { sheet, inputs, texts, choice, say }: Placing): DraftBlock {
  if ('history' in block) return block;
  const low = usedIn(block.parts, texts).flatMap((name) => {
    const input = inputs.get(name);
    return input !== undefined && isLow(input.trust) ? [{ name, input }] : [];
  });
  for (const { name, input } of low) {
    const message = `The input ${quote(name)} is fenced in the prompt, because its trust is ${quote(input.trust ?? '')}: the bytes differ from those of the source. To keep short values in their line, give the input a shape in the sheet`;
    say({ ...problem(input), code: 'W_IMPORT_DIALECT', severity: 'info', message });
  }
  const first = low[0];
  if (first === undefined || block.role !== 'system') return block;
  if (choice.systemToUser) {
    const message = `The system message ${quote(block.name)} of sheet:${sheet} became a user message, because it holds the input ${quote(first.name)}`;
    say({ ...problem(first.input), code: 'W_IMPORT_ROLE', severity: 'info', message });
    return { ...block, role: 'user' };
  }
  for (const { name, input } of low)
    say({
      ...problem(input),
      message: `The input ${quote(name)} stands in a system message, so it cannot be trusted less than operator: give --trust ${name}=operator when only operators write it, or --system-to-user to move the message`,
    });
  return block;
}

const isLow = (trust: string | undefined): boolean =>
  trust !== undefined && TRUSTS.indexOf(trust as (typeof TRUSTS)[number]) > TRUSTS.indexOf('operator');

/** The inputs that parts print, those of included texts too, each once. */
function usedIn(parts: readonly DraftPart[], texts: ReadonlyMap<string, DraftText>): readonly string[] {
  const names = new Set<string>();
  const seen = new Set<string>();
  const look = (list: readonly DraftPart[]): void => {
    for (const part of list) {
      if ('input' in part) names.add(part.input);
      if ('template' in part) for (const name of goInputs(part.template).printed) names.add(name);
      if (!('include' in part) || seen.has(part.include)) continue;
      seen.add(part.include);
      const text = texts.get(part.include);
      if (text !== undefined && 'parts' in text) look(text.parts);
    }
  };
  look(parts);
  return [...names];
}
