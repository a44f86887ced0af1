import { describeObjects } from '../../test/objects-conformance.js';
import { scratch } from '../../test/scratch.js';
import { folderObjects } from './folder.js';

describeObjects('a folder', async () => folderObjects((await scratch()).files));
