import type { Files } from '@cuebook/files';

/** What the tools may do to files: less than what the run itself may. */
export type ToolFiles = Pick<
  Files,
  'clean' | 'readDocument' | 'readBytes' | 'list' | 'search' | 'stat' | 'writeText' | 'remove'
>;
