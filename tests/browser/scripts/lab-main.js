import { createLab, loadCore } from '/dist/tied-embeddings.js';
import { useLab } from './use-lab.js';

await useLab({ createLab, loadCore });
