import { posix } from 'node:path';
import { quote } from '../diagnostic.js';
import type { FormatReader } from '../reader.js';
import { argumentReader, isNumbered, namesArguments } from '../template/arguments.js';
import { argumentNames, listField, otherFields, textField } from './frontmatter.js';
import { givenName, instructionSheet } from './instruction.js';
import { nothingRead } from './json-source.js';
import { bodyParts, readFields } from './markdown-source.js';

/** Agent Skills: `NAME/SKILL.md` in any of the folders that tools read. */
export const skillReader: FormatReader = {
  id: 'skill',
  title: 'Agent Skills: NAME/SKILL.md in .claude/skills, .agents/skills, .github/skills and others',
  detect: (path) => /(?:^|\/)SKILL\.md$/.test(path),
  read: (file, how) =>
    readFields(file, (matter, report) => {
      const name = textField(matter, 'name') ?? posix.basename(posix.dirname(file.path));
      const description = textField(matter, 'description');
      if (description === undefined || name === '.') {
        report.warning(
          'E_IMPORT_SYNTAX',
          { line: 1, column: 1 },
          'A skill needs a name and a description: readers leave this one out, and so it was not imported',
        );
        return nothingRead(report);
      }
      const folder = posix.basename(posix.dirname(file.path));
      if (name !== folder && folder !== '.')
        report.info(
          'W_IMPORT_DIALECT',
          matter.fieldAt('name'),
          `The skill is called ${quote(name)} and its folder ${quote(folder)}: strict readers leave it out`,
        );
      const names = argumentNames(matter);
      const takes = names.length > 0 || namesArguments(matter.body.text);
      const body = takes
        ? bodyParts(matter.body, argumentReader({ names, first: how.firstArgument }), report, isNumbered)
        : { parts: [{ text: matter.body.text }] };
      if (body === undefined) return nothingRead(report);
      const beside = /(?:^|[\s(`])((?:scripts|references|assets)\/[\w./-]+)/.exec(matter.body.text);
      if (beside !== null)
        report.info(
          'W_IMPORT_REFERENCE',
          matter.body.at(beside.index),
          `The text names ${beside[1]}, a file beside the skill; it stays where it is`,
        );
      const meta = otherFields(
        matter,
        { name: 'text', description: 'text', 'allowed-tools': 'list' },
        report,
      );
      return instructionSheet(
        {
          file,
          format: 'skill',
          name: how.name ?? givenName('skills', name, matter.fieldAt('name'), report),
          title: description,
          role: 'user',
          ...body,
          capabilities: listField(matter, 'allowed-tools').flatMap((item) => item.split(/\s+(?![^(]*\))/)),
          ...(Object.keys(meta).length === 0 ? {} : { meta: { frontmatter: meta } }),
        },
        report,
      );
    }),
};
