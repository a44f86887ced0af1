import type { Ceph } from '../../../test/ceph.js';
import { KEYS } from '../src/ids.js';
import type { Objects } from '../src/objects/contract.js';
import { type S3Place, s3Objects } from '../src/objects/s3.js';
import { must } from './scratch.js';

let buckets = 0;

/** A new bucket of the platform, and its place. */
export async function newBucket(ceph: Ceph): Promise<S3Place> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { endpoint, region, platform: credentials } = ceph;
  buckets += 1;
  // Files of tests run side by side, and share the server.
  const bucket = `cuebook-test-${process.pid}-${buckets}`;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { bucket, endpoint, region, credentials };
}

/** A bucket with the cards, bundles and metadata of agents; those in `open` are public. */
export async function bucketOf(ceph: Ceph, agents: readonly string[], open: readonly string[]) {
  const place = await newBucket(ceph);
  const store: Objects = s3Objects(place);
  for (const agent of agents) {
    const isPublic = open.includes(agent);
    must(await store.put(KEYS.card(agent), Buffer.from(`card of ${agent}`), { isPublic }));
    must(await store.put(KEYS.bundle(agent), Buffer.from(`bundle of ${agent}`)));
    must(await store.put(KEYS.timestamp(agent), Buffer.from(`timestamp of ${agent}`)));
  }
  must(await store.put(KEYS.root(1), Buffer.from('root')));
  must(await store.put(KEYS.topic('t'), Buffer.from('manifest')));
  return { place, store };
}
