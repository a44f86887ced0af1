/** A kind of object as it is asked for. The group of the core kinds is empty. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its name in addresses: `configmaps`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

export interface ObjectPlace {
  /** Left out: all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: 'status' | undefined;
}

/** What objects of a kind say in `apiVersion`. */
export const apiVersionOf = ({ group, version }: Resource): string =>
  group === '' ? version : `${group}/${version}`;

/** Where a kind, or an object of it, is served. Names are encoded: none leads to another address. */
export function pathOf(resource: Resource, { namespace, name, subresource }: ObjectPlace = {}): string {
  const { group, version, plural, namespaced } = resource;
  return [
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespaced && namespace !== undefined ? ['namespaces', segment(namespace)] : []),
    plural,
    ...(name === undefined ? [] : [segment(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ].join('/');
}

const segment = (name: string): string => (/^\.*$/.test(name) ? '%00' : encodeURIComponent(name));
