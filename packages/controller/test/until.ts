import { expect } from 'vitest';

/** Once a check holds, however long that takes on a busy machine. */
export async function until(check: () => void): Promise<void> {
  await expect
    .poll(
      () => {
        try {
          check();
          return 'holds';
        } catch (error) {
          return error instanceof Error ? error.message : 'does not hold';
        }
      },
      { interval: 10 },
    )
    .toBe('holds');
}
