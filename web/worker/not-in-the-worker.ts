/** In the worker's script this replaces what a lab does from the page, verb by verb: experiments and checkpoints. */
export {};
