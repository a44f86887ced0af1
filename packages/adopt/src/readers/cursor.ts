import { sheetName } from '../names.js';
import type { FormatReader } from '../reader.js';
import { otherFields, textField } from './frontmatter.js';
import { instructionSheet, nameOfFile } from './instruction.js';
import { readFields } from './markdown-source.js';

/** Rules of Cursor. Their fields look like YAML and are not: a glob stands there without quotes, so they are read line by line. */
export const cursorReader: FormatReader = {
  id: 'cursor',
  title: 'Cursor: .cursor/rules/*.mdc, .cursorrules',
  detect: (path) => /\.mdc$/.test(path) || /(?:^|\/)\.cursorrules$/.test(path),
  read: (file, how) =>
    readFields(
      file,
      (matter, report) => {
        const description = textField(matter, 'description');
        const fields = otherFields(matter, description ? { description: 'text' } : {}, report);
        const below = file.path.replace(/^.*\.cursor\/rules\//, '').replace(/\.mdc$/, '');
        const isRule = file.path.endsWith('.mdc');
        return instructionSheet(
          {
            file,
            format: 'cursor',
            name: how.name ?? (isRule ? sheetName(`rules/${below}`) : nameOfFile(file.path)),
            title: description || file.path,
            role: 'user',
            parts: [{ text: matter.body.text }],
            ...(Object.keys(fields).length === 0 ? {} : { meta: { frontmatter: fields } }),
          },
          report,
        );
      },
      file.path.endsWith('.mdc') ? 'lines' : 'none',
    ),
};
