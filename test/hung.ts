/**
 * Only what hangs takes this long, also on a machine with four times the work that it can do: the one limit of tests, of
 * their hooks, and of what they wait for.
 */
export const HUNG_MS = 15 * 60_000;

/** The same for one wait of a test, so that it can say what it waited for. */
export const WAIT_MS = HUNG_MS / 2;
