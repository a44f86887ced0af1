import { fileURLToPath } from 'node:url';
import { openFolder } from '@cuebook/files';

/** What has to be applied before an operator works in a cluster: the custom resource, its rights and its Deployment. */
export async function clusterManifests(): Promise<string> {
  const folder = await openFolder(fileURLToPath(new URL('../../cluster/', import.meta.url)), {
    access: 'ro',
  });
  if (!folder.ok) throw new Error('The manifests of the operator are not where they were installed');
  const texts = await Promise.all(['crd.yaml', 'operator.yaml'].map((name) => folder.value.readText(name)));
  return texts.map((text) => (text.ok ? text.value : '')).join('---\n');
}
