import { FRAGMENT_ROUTES } from '@cuebook/api';
import { routeGroup } from '../http/group.js';
import type { FragmentParts } from '../library/fragments.js';

/**
 * Fragments of the project's manifests or of a cluster: listed with who includes them, and a change seen over all. What
 * reads manifests is loaded when somebody looks.
 */
export const fragmentRoutes = (parts: FragmentParts) =>
  routeGroup(FRAGMENT_ROUTES, {
    listFragments: async (asked) => (await load()).listFragments(parts, asked),
    previewFragments: async (asked) => (await load()).previewFragments(parts, asked),
  });

const load = () => import('../library/fragments.js');
