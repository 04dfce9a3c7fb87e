import { jaxLibrary } from './jax-library.mjs';
import { definePeer } from './peer.mjs';

definePeer(jaxLibrary);
