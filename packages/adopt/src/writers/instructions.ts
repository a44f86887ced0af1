import { quote } from '../diagnostic.js';
import {
  type Exported,
  type ExportPrompt,
  type ExportReport,
  exportReport,
  type FormatWriter,
  fileName,
  fixedText,
  kebabName,
  keptFields,
  nameLosses,
} from '../writer.js';
import { type ActedOn, atPaths, comments, editorReferences, sayActedOn } from './acted-on.js';
import { printFields } from './fields.js';
import { isByHand, ownTitle, SCOPE_FIELDS, scopeOf } from './scope.js';
import { refuseLostPlaces, sourcePlace } from './source-place.js';

/** Codex cuts the text of all AGENTS.md files together at this size, even inside of a character. */
const CODEX_BYTES = 32 * 1024;

/** A writer of a file that is one region of Markdown. */
const regionWriter = (
  id: string,
  title: string,
  path: string,
  readers: string,
  acts: readonly ActedOn[],
): FormatWriter => ({
  id,
  title,
  isPlaced: true,
  isRegion: true,
  hasVariables: false,
  write: (prompt) => {
    const report = exportReport(prompt);
    const text = fixedText(prompt, report);
    if (text === undefined) return { diagnostics: report.found };
    nameLosses(prompt, [], report);
    nameFields(prompt, report);
    if (text !== '' && !text.endsWith('\n'))
      report.info('W_EXPORT_LOST', 'a line break was added behind the text');
    report.info('W_EXPORT_READERS', readers);
    sayActedOn(text, acts, report);
    if (id === 'agents-md' && Buffer.byteLength(text) > CODEX_BYTES)
      report.warn(
        'W_EXPORT_READERS',
        `Codex reads at most ${CODEX_BYTES} bytes of all AGENTS.md files together`,
      );
    return { file: { path: besideSource(prompt, path), text, kind: 'region' }, diagnostics: report.found };
  },
});

/** A region has no fields: those of an imported file are named, and that the text is read always. */
function nameFields(prompt: ExportPrompt, report: ExportReport): void {
  const fields = Object.keys(keptFields(prompt));
  if (fields.length > 0)
    report.warn('W_EXPORT_LOST', `the format has no place for the fields ${fields.join(', ')}`);
  const scope = scopeOf(prompt);
  if (scope?.when === 'files')
    report.warn('W_EXPORT_LOST', `the text is read always, not only with files of ${quote(scope.patterns)}`);
  if (scope?.when === 'asked')
    report.warn('W_EXPORT_LOST', 'the text is read always, not only when somebody asks for it');
}

/** What was imported from the file of a folder, `packages/api/AGENTS.md`, goes to that folder: it is about it. */
function besideSource({ meta }: ExportPrompt, path: string): string {
  const { source } = meta;
  const file =
    typeof source === 'object' && source !== null && 'file' in source && typeof source.file === 'string'
      ? source.file
      : '';
  const folder = /^((?:[^./\\][^/\\]*\/)+)(?:CLAUDE|AGENTS|GEMINI)\.md$/.exec(file)?.[1] ?? '';
  return `${folder}${path}`;
}

export const agentsMdWriter = regionWriter(
  'agents-md',
  'AGENTS.md: a region of it',
  'AGENTS.md',
  'Claude Code does not read AGENTS.md (export to claude too, or import it there with @AGENTS.md), and Gemini CLI only when context.fileName names it',
  [atPaths('Claude Code or Gemini CLI, where it takes AGENTS.md in,')],
);

export const claudeWriter = regionWriter(
  'claude',
  'CLAUDE.md: a region of it',
  'CLAUDE.md',
  'CLAUDE.md is read by Claude Code, and by Zed, OpenCode and Devin where no AGENTS.md comes first',
  [atPaths('Claude Code'), comments('Claude Code')],
);

/** A writer of a file that is all ours: fields, then the text. */
const fileWriter = (
  id: string,
  title: string,
  place: (
    prompt: ExportPrompt,
    report: ExportReport,
  ) => {
    readonly path: string;
    readonly fields: readonly (readonly [string, unknown])[];
    readonly problem?: string;
  },
  kept: readonly ('params' | 'tools' | 'capabilities')[],
  /** What the tool fills in or runs where it stands in the text. */
  acts?: RegExp,
  /** What the tool replaces or adds, and the text can stay. */
  more: readonly ActedOn[] = [],
): FormatWriter => ({
  id,
  title,
  isPlaced: true,
  hasVariables: false,
  write: (prompt): Exported => {
    const report = exportReport(prompt);
    const text = fixedText(prompt, report);
    const { path, fields, problem } = place(prompt, report);
    if (problem !== undefined) report.refuse('E_EXPORT_FORMAT', problem);
    refuseLostPlaces(prompt, path, report);
    nameLosses(prompt, kept, report);
    const others = Object.keys(prompt.params).filter((key) => key !== 'model');
    if (kept.includes('params') && others.length > 0)
      report.warn('W_EXPORT_LOST', `the format has no place for the parameters ${others.join(', ')}`);
    sayActedOn(text ?? '', more, report);
    const [act] = (acts && text?.match(acts)) ?? [];
    if (act !== undefined)
      report.refuse(
        'E_EXPORT_FORMAT',
        `the text holds ${quote(act.trim())}, which the tool fills in or runs`,
      );
    if (text === undefined || report.found.some(({ severity }) => severity === 'error'))
      return { diagnostics: report.found };
    return {
      file: { path, text: fields.length === 0 ? text : printFields(fields, text), kind: 'whole' },
      diagnostics: report.found,
    };
  },
});

const modelOf = ({ params }: ExportPrompt): unknown =>
  typeof params.model === 'string' ? params.model : undefined;
const rest = (prompt: ExportPrompt, without: readonly string[]): readonly (readonly [string, unknown])[] =>
  Object.entries(keptFields(prompt)).filter(([key]) => !without.includes(key));

export const claudeAgentWriter = fileWriter(
  'claude-agent',
  'an agent of Claude Code: .claude/agents/NAME.md',
  (prompt) => {
    const name = kebabName(prompt.name);
    const { tools } = keptFields(prompt);
    return {
      path: sourcePlace(prompt, 'agents', /(?:^|\/)\.claude\/agents\/.+\.md$/) ?? `.claude/agents/${name}.md`,
      fields: [
        ['name', name],
        ['description', prompt.title],
        ['tools', prompt.capabilities.length > 0 ? prompt.capabilities.join(', ') : tools],
        ['model', modelOf(prompt)],
        ...rest(prompt, ['name', 'description', 'tools']),
      ],
      ...(prompt.title === undefined
        ? { problem: 'an agent needs a description: give the sheet a title' }
        : {}),
    };
  },
  ['params', 'capabilities'],
);

const STANDARD = ['license', 'compatibility', 'metadata'];

export const skillWriter = fileWriter(
  'skill',
  'an Agent Skill: .claude/skills/NAME/SKILL.md',
  (prompt) => {
    const name = kebabName(prompt.name);
    const kept = rest(prompt, ['name', 'description']);
    const others = kept.filter(([key]) => !STANDARD.includes(key));
    const own = kept.find(([key]) => key === 'metadata')?.[1];
    const metadata = {
      ...(typeof own === 'object' && own !== null ? own : {}),
      ...Object.fromEntries(
        others.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
      ),
    };
    const description = prompt.title ?? '';
    const length = [...description].length;
    return {
      // The folder of a skill has its name.
      path:
        sourcePlace(prompt, 'skills', new RegExp(`(?:^|/)\\.[a-z]+/skills/(?:.+/)?${name}/SKILL\\.md$`)) ??
        `.claude/skills/${name}/SKILL.md`,
      fields: [
        ['name', name],
        ['description', description],
        ...kept.filter(([key]) => key === 'license' || key === 'compatibility'),
        ['allowed-tools', prompt.capabilities.length > 0 ? prompt.capabilities.join(' ') : undefined],
        ['metadata', Object.keys(metadata).length > 0 ? metadata : undefined],
      ],
      ...(length < 1 || length > 1024
        ? {
            problem: `a skill needs a description of 1 to 1024 characters; the title of the sheet has ${length}`,
          }
        : {}),
      ...(name === '' ? { problem: 'a skill needs a name of letters, digits and hyphens' } : {}),
    };
  },
  ['capabilities'],
  /\$ARGUMENTS|\$\d|(?:^|\s)!`[^`\n]*`|^```!/m,
  [atPaths('Claude Code')],
);

export const copilotWriter = fileWriter(
  'copilot',
  'GitHub Copilot: .github/instructions/NAME.instructions.md',
  (prompt, report) => {
    const scope = scopeOf(prompt) ?? { when: 'always' };
    const patterns = scope.when === 'files' ? scope.patterns : '**';
    const isAsked = scope.when === 'asked';
    if (isAsked && !isByHand(prompt))
      report.warn('W_EXPORT_LOST', 'an agent decides when to read the rule; here a person names the file');
    return {
      path:
        sourcePlace(prompt, 'instructions', /(?:^|\/)\.github\/instructions\/.+\.instructions\.md$/) ??
        `.github/instructions/${fileName(prompt.name)}.instructions.md`,
      fields: [
        ['description', ownTitle(prompt)],
        ['applyTo', keptFields(prompt).applyTo ?? (isAsked ? undefined : patterns)],
        ...rest(prompt, ['description', 'name', ...SCOPE_FIELDS]),
      ],
    };
  },
  [],
  undefined,
  [editorReferences('VS Code')],
);

/** Fields of Cursor are lines, not YAML: a glob stands as it is. */
export const cursorWriter: FormatWriter = {
  id: 'cursor',
  title: 'Cursor: .cursor/rules/NAME.mdc',
  isPlaced: true,
  hasVariables: false,
  write: (prompt) => {
    const report = exportReport(prompt);
    const text = fixedText(prompt, report);
    nameLosses(prompt, [], report);
    sayActedOn(text ?? '', [atPaths('Cursor')], report);
    const kept = keptFields(prompt);
    const scope = scopeOf(prompt);
    const title = ownTitle(prompt);
    if (isByHand(prompt) && title !== undefined)
      report.warn('W_EXPORT_LOST', 'a person names the rule; here an agent may read it by itself');
    const lines: readonly (readonly [string, unknown])[] = [
      ['description', title?.replace(/\s+/g, ' ') ?? kept.description],
      ['globs', kept.globs ?? (scope?.when === 'files' ? scope.patterns : undefined)],
      [
        'alwaysApply',
        kept.alwaysApply ?? (scope === undefined ? title === undefined : scope.when === 'always'),
      ],
      ...rest(prompt, ['description', ...SCOPE_FIELDS]),
    ];
    const fields = lines
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(',') : String(value)}`.trimEnd());
    if (fields.some((line) => line.includes('\n')))
      report.refuse('E_EXPORT_FORMAT', 'a field of a rule is one line');
    if (text === undefined || report.found.some(({ severity }) => severity === 'error'))
      return { diagnostics: report.found };
    const path =
      sourcePlace(prompt, 'rules', /(?:^|\/)\.cursor\/rules\/.+\.mdc$/) ??
      `.cursor/rules/${prompt.name.replace(/^rules\//, '')}.mdc`;
    return {
      file: { path, text: `---\n${fields.join('\n')}\n---\n${text}`, kind: 'whole' },
      diagnostics: report.found,
    };
  },
};
