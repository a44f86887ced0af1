import type { ReactNode } from 'react';
import { PatchView } from '../ui/patch.js';
import { lineDiff } from './line-diff.js';

/** Two texts, line by line: what goes and what comes. */
export function WordsDiff(props: {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}): ReactNode {
  const { file, before, after } = props;
  if (before === after) return <p className="quiet">{file}: no difference.</p>;
  return <PatchView file={file} patch={lineDiff(before, after).join('\n')} />;
}
