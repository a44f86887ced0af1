import { afterAll } from 'vitest';
import { changedIn, processState } from './process-state.js';

// Set-up of every test file that shares its process. A file that leaves the process otherwise than it found it fails:
// the files after it would run in a world that it made.

const before = processState();

afterAll(() => {
  const changed = changedIn(before, processState());
  if (changed.length === 0) return;
  throw new Error(
    `This test file leaves the process changed: ${changed.join(', ')}. Undo it in the file, or, if the file is ` +
      'about the process itself, add what it does to the rules of test/suite/own-process.ts.',
  );
});
