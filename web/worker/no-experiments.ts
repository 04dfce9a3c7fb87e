/** In the worker's script this stands for the runner of experiments: a lab runs them from the page, verb by verb. */
export {};
