// The project's folder. Every tool starts from here, whatever the working directory.
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
