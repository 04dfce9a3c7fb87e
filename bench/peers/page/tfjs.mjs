import { tfjsLibrary } from './tfjs-library.mjs';
import { definePeer } from './peer.mjs';

definePeer(tfjsLibrary);
