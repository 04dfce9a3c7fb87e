/** In the worker's script this stands for what a lab does from the page, verb by verb: experiments and checkpoints. */
export {};
