import { PLACE_FACTOR, PLACE_MODULUS } from '../store/row/sum.js';

/** What the commits of one store in a shared database have in common. */
export interface CommitNames {
  /** The advisory lock of the store. */
  readonly lockKey: number;
  /** What a commit notifies; the payload is the name of the run. */
  readonly channel: string;
}

/**
 * A commit on a server in one call. What it stands on was read before, without a lock; here it is compared with what is
 * there now, under the lock, and nothing is written when it differs:
 * - `done`: written, at the position that is answered;
 * - `fenced`: the lease is not held any more;
 * - `stale`: the run, a blob or a projection has changed since it was read.
 *
 * The lock is held from the first statement to the commit, while the server works and never while it waits for
 * somebody far away. A reader that has seen a position never finds a lower one later.
 */
export const commitFunctions = ({ lockKey, channel }: CommitNames): readonly string[] => [
  `CREATE FUNCTION cuebook_now() RETURNS bigint LANGUAGE sql VOLATILE AS $f$
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $f$`,

  `CREATE FUNCTION cuebook_placed(sum bigint, place bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $f$
    SELECT (sum + (place % ${PLACE_MODULUS}) * ${PLACE_FACTOR}) % ${PLACE_MODULUS} $f$`,

  // Lets the numbers go on behind those in use, where they fell back: a copy of the tables may have left them behind.
  `CREATE FUNCTION cuebook_align() RETURNS void LANGUAGE plpgsql AS $f$
    DECLARE
      last bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(${lockKey});
      SELECT coalesce(max(id), 0) INTO last FROM cuebook_runs;
      IF last >= (SELECT last_value FROM cuebook_run_ids) THEN PERFORM setval('cuebook_run_ids', last + 1, false);
      END IF;
      SELECT coalesce(max(id), 0) INTO last FROM cuebook_blobs;
      IF last >= (SELECT last_value FROM cuebook_blob_ids) THEN PERFORM setval('cuebook_blob_ids', last + 1, false);
      END IF;
    END $f$`,

  // A blob without data here is one that is stored, data and all. A row whose data was deleted is filled again.
  `CREATE FUNCTION cuebook_keep_blobs(keeper bigint, ids bigint[], keys bigint[], sizes bigint[], names bytea[],
      datas bytea[], sums bigint[]) RETURNS boolean LANGUAGE plpgsql AS $f$
    BEGIN
      PERFORM pg_advisory_xact_lock(${lockKey});
      IF EXISTS (
        SELECT 1 FROM unnest(ids, keys, names, datas) AS n (id, key, name, data)
        LEFT JOIN cuebook_blobs b ON b.name_key = n.key AND b.name = n.name
        WHERE CASE WHEN n.data IS NULL THEN b.id IS DISTINCT FROM n.id OR b.data IS NULL
          ELSE b.id IS NOT NULL AND (b.id <> n.id OR b.data IS NOT NULL) END
      ) THEN RETURN false; END IF;
      IF EXISTS (
        SELECT 1 FROM unnest(ids, names) AS n (id, name) JOIN cuebook_blobs b ON b.id = n.id WHERE b.name <> n.name
      ) THEN PERFORM cuebook_align(); RETURN false; END IF;
      INSERT INTO cuebook_blobs (id, name_key, size, name, data, sum)
        SELECT n.id, n.key, n.size, n.name, n.data, n.sum
        FROM unnest(ids, keys, sizes, names, datas, sums) AS n (id, key, size, name, data, sum)
        WHERE n.data IS NOT NULL
        ON CONFLICT (id) DO UPDATE SET data = excluded.data, sum = excluded.sum;
      INSERT INTO cuebook_refs (blob, run) SELECT DISTINCT n.id, keeper FROM unnest(ids) AS n (id)
        ON CONFLICT (blob, run) DO NOTHING;
      RETURN true;
    END $f$`,

  `CREATE FUNCTION cuebook_commit(
      run_name text, run_id bigint, before bytea, last_seq bigint, events bigint, said_at bigint, begun_at bigint,
      command bigint, packed bytea, head bytea, commit_sum bigint, run_sum bigint,
      fence_scope text, fence_token bigint,
      blob_ids bigint[], blob_keys bigint[], blob_sizes bigint[], blob_names bytea[], blob_datas bytea[],
      blob_sums bigint[],
      names text[], keys text[], found_runs bigint[], found_shared bigint[], shared_now bigint[], vals bytea[],
      sums bigint[], OUT status text, OUT place bigint) LANGUAGE plpgsql AS $f$
    DECLARE
      found_head bytea;
    BEGIN
      PERFORM pg_advisory_xact_lock(${lockKey});
      IF fence_scope IS NOT NULL THEN
        -- Shared: whoever takes the lease over waits until this is written.
        PERFORM 1 FROM cuebook_leases l WHERE l.scope = fence_scope AND l.token = fence_token
          AND l.expires_at > cuebook_now() FOR SHARE;
        IF NOT FOUND THEN status := 'fenced'; RETURN; END IF;
      END IF;
      status := 'stale';
      SELECT r.hash INTO found_head FROM cuebook_runs r WHERE r.name = run_name;
      IF found_head IS DISTINCT FROM before THEN RETURN; END IF;
      IF before IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM cuebook_runs r WHERE r.name = run_name AND r.id = run_id AND r.removed_at IS NULL
      ) THEN RETURN; END IF;
      IF before IS NULL AND EXISTS (SELECT 1 FROM cuebook_runs r WHERE r.id = run_id) THEN
        PERFORM cuebook_align();
        RETURN;
      END IF;
      IF EXISTS (
        SELECT 1 FROM unnest(names, keys, found_runs, found_shared) AS n (name, key, run, shared)
        LEFT JOIN cuebook_projections p ON p.name = n.name AND p.key = n.key
        WHERE p.run IS DISTINCT FROM n.run OR p.shared IS DISTINCT FROM n.shared
      ) THEN RETURN; END IF;
      IF NOT cuebook_keep_blobs(run_id, blob_ids, blob_keys, blob_sizes, blob_names, blob_datas, blob_sums)
        THEN RETURN; END IF;
      SELECT greatest(coalesce((SELECT max(c.position) FROM cuebook_commits c), 0),
        coalesce((SELECT m.value FROM cuebook_meta m WHERE m.name = 'floor'), 0)) + greatest(1, events) INTO place;
      INSERT INTO cuebook_commits (position, run, seq, at, command_key, body, hash, sum)
        VALUES (place, run_id, last_seq, said_at, command, packed, head, cuebook_placed(commit_sum, place));
      DELETE FROM cuebook_projections p USING unnest(names, keys, shared_now, vals) AS n (name, key, shared, value)
        WHERE p.name = n.name AND p.key = n.key AND n.value IS NULL AND n.shared = 0;
      INSERT INTO cuebook_projections (name, key, run, position, shared, value, sum)
        SELECT n.name, n.key, run_id, place, n.shared, n.value, cuebook_placed(n.sum, place)
        FROM unnest(names, keys, shared_now, vals, sums) AS n (name, key, shared, value, sum)
        WHERE n.value IS NOT NULL OR n.shared = 1
        ON CONFLICT (name, key) DO UPDATE SET run = excluded.run, position = excluded.position,
          shared = excluded.shared, value = excluded.value, sum = excluded.sum;
      INSERT INTO cuebook_runs (id, name, seq, position, started_at, last_at, removed_at, hash, sum)
        VALUES (run_id, run_name, last_seq, place, begun_at, said_at, NULL, head, cuebook_placed(run_sum, place))
        ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, position = excluded.position,
          last_at = excluded.last_at, removed_at = excluded.removed_at, hash = excluded.hash, sum = excluded.sum;
      PERFORM pg_notify('${channel}', run_name);
      status := 'done';
    END $f$`,
];
