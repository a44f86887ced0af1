import type { TextRange } from '../text/lines.js';

/**
 * What a name names:
 * - `text`      a text of sheets: texts/NAME.md or texts/NAME.yaml
 * - `input`     an input of a sheet; `scope` is the sheet, and empty in a text, which any sheet may include
 * - `role`      a role template: docs/templates/NAME.md
 * - `alias`     a node of a team file; `scope` is the file
 * - `step`      a node of a workflow's graph; `scope` is the folder of the package
 * - `speaker`   an agent of a workflow package; `scope` is the folder of the package
 * - `file`      a file of the project, by its path
 * - `source`    a ConfigMap or Secret, as `namespace/name`
 * - `fragment`  a key of one, as `namespace/name key`
 * - `prompt`, `agent`, `model`, `tool`, `hook`  a definition
 */
export const NAME_KINDS = [
  'text',
  'input',
  'role',
  'alias',
  'step',
  'speaker',
  'file',
  'source',
  'fragment',
  'prompt',
  'agent',
  'model',
  'tool',
  'hook',
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** A name in a text: where it is given to something, or where something is meant by it. */
export interface NameUse {
  readonly kinds: readonly NameKind[];
  readonly name: string;
  readonly scope: string;
  readonly range: TextRange;
  readonly isDefinition: boolean;
  /** The name is that of the file itself, and stands nowhere in it. */
  readonly isFile?: boolean;
}
