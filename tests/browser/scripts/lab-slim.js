import { createLab, loadCore } from '/dist/slim.js';
import { useLab } from './use-lab.js';

await useLab({ createLab, loadCore });
