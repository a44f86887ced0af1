import type { parse as Parse, ParserPlugin } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** Reads a file of code and runs nothing. Undefined where the text is no program. */
export type ParseFile = (file: string, text: string) => File | undefined;

/** Loads the parser: only who asks what is written takes the time. */
export async function loadParser(): Promise<ParseFile> {
  const { parse } = await import('@babel/parser');
  return (file, text) => parseProgram(parse, file, text);
}

const COMMON: readonly ParserPlugin[] = [
  'explicitResourceManagement',
  'importAttributes',
  'deferredImportEvaluation',
];

/** The program; of the two proposals for decorators the one that fits. */
function parseProgram(parse: typeof Parse, file: string, text: string): File | undefined {
  const types: readonly ParserPlugin[] = /\.m?ts$/.test(file) ? ['typescript'] : [];
  for (const decorators of ['decorators', 'decorators-legacy'] as const) {
    try {
      const plugins = [...types, ...COMMON, decorators];
      return parse(text, { sourceType: 'module', errorRecovery: true, attachComment: false, plugins });
    } catch {
      // Not in this language, or nested past any program that a person writes.
    }
  }
  return undefined;
}

/** What stands in a part of a program, in order. */
export const childrenOf = (node: Node): Node[] =>
  Object.entries(node)
    .filter(([key]) => key !== 'loc' && key !== 'extra')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(
      (value): value is Node => typeof value === 'object' && value !== null && typeof value.type === 'string',
    );
