/** What a model's direct path contains besides its two tables and the weight of its final norm. A card measures without it, and says so. */
import type { LeftOutParts } from '../types.js';
import { isOfAPart, partsOf } from '../tables/families.js';
import { otherArchitecture } from '../running/namings.js';
import type { GgufValue } from '../formats/gguf-values.js';
import { fieldsOf } from '../formats/safetensors-index.js';
import { elementsIn } from '../tables/table-candidates.js';
import type { StoredTensor } from '../tensors.js';

/** Tensors between the tables, without `.weight`: norms right after the input table (RWKV, BLOOM, BERT, BART, ModernBERT), and maps to another width (OPT-350M). */
const BETWEEN =
  /(?:^|[./])(?:blocks[./]0[./](?:ln0|pre_ln)|token_embd_norm|word_embeddings_layernorm|embeddings[./](?:LayerNorm|norm)|layernorm_embedding|project_in)$/;

/** Factors and caps in `config.json` (Cohere, Granite, MiniCPM, Gemma 2), and the values that have no effect. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  embedding_multiplier: 1,
  logits_scaling: 1,
  logit_scale: 1,
  scale_emb: 1,
  dim_model_base: null,
  final_logit_softcapping: null,
  scale_embedding: false,
};
/** The same in GGUF, after the name of the architecture. */
const GGUF_SETTINGS: Readonly<Record<string, unknown>> = {
  embedding_scale: 1,
  logit_scale: 1,
  final_logit_softcapping: 0,
};

export interface LeftOut extends LeftOutParts {
  /** A note if the stored weight of the final norm is not the factor that states are multiplied by; null otherwise. */
  readonly normNote: string | null;
  /** Why there is no W_E W_Uᵀ: what this package's own model has in place of a second table. Null for any other. */
  readonly insteadNote: string | null;
}

export interface SaidOfModel {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Name of the output table. */
  readonly outputName: string;
  readonly configuration: ReadonlyMap<string, unknown> | null;
  readonly values: ReadonlyMap<string, GgufValue>;
}

export function leftOut({ tensors, outputName, configuration, values }: SaidOfModel): LeftOut {
  const output = addedToOutput(tensors, outputName);
  const instead = output.filter((name) => OWN_MAPS.test(name) && name !== 'clusters');
  const between = [...tensors.keys()].filter((name) => isBetween(name) && !output.includes(name));
  const config = configuration ?? new Map<string, unknown>();
  const architecture = values.get('general.architecture');
  const family = String(config.get('model_type') ?? architecture ?? '');
  const scales = [
    ...(/^gemma/.test(family) ? ['rows times √d'] : []),
    ...(family === 't5' && config.get('tie_word_embeddings') !== false ? ['logits over √d'] : []),
    ...settingsIn(SETTINGS, (name) => config.get(name) ?? fieldsOf(config.get('text_config')).get(name)),
    ...settingsIn(GGUF_SETTINGS, (name) => values.get(`${String(architecture)}.${name}`)),
  ];
  return {
    output,
    notes: [
      ...(between.length === 0
        ? []
        : [`The model also has ${named(between)} in its direct path, but only W_E W_Uᵀ is measured.`]),
      ...(output.length === 0
        ? []
        : [
            `The output also has ${named(output)}, which W_E W_Uᵀ leaves out: with ${output.length === 1 ? 'it' : 'them'}, the model's scores need not be symmetric, even with one table.`,
          ]),
      ...(outputName === 'embedding' && tensors.has('embedding.factor')
        ? ["The table is stored as factors: the rows are those of 'embedding', without 'embedding.factor'."]
        : []),
      // Its norm has no weight, so no tensor reveals it.
      ...(otherArchitecture(tensors.keys())?.startsWith('microgpt') === true
        ? ['The model also normalizes the sum of its input tables, but only W_E W_Uᵀ is measured.']
        : []),
      ...(scales.length === 0
        ? []
        : [
            `The model also scales its direct path (${scales.join(', ')}), which is left out, also in the loss on a text.`,
          ]),
    ],
    insteadNote:
      instead.length === 0
        ? null
        : `The output has ${named(instead)}, so W_E W_Uᵀ is not its direct path, and was not measured.`,
    // GGUF stores the weight plus 1.
    normNote:
      values.size === 0 && /^gemma(?:2|3|3_text)?$/.test(family)
        ? 'Gemma’s files store the weight of the final norm minus 1; the stored weight is folded in.'
        : null,
  };
}

const MOST_NAMED = 4;

function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `'${name.slice(0, 120)}'`);
  return `${shown.join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`;
}

/** Names of a bias for each token. */
const BIAS =
  /(?:^|[./])(?:final_logits_bias|decoder_ff_logit_out_b|output_bias|softmax_b|b_U|fc_b|(?:cls\.)?predictions\.bias|(?:lm_head|unembed\w*|embed_out|out_head|output_head|output_layer|output_projection|head|decoder|proj_out|output|vocab_projector|generator_lm_head|lm_loss|proj|linear|projection|to_logits|generator[./]0)[./](?:bias|b_U))$/;
/** Modules between the last state and the table: of BERT's kind; of RoBERTa's; ModernBERT; DistilBERT; ELECTRA's generator; OPT-350M. */
const MAPS =
  /(?:^|[./])(?:cls[./]predictions[./]transform|predictions[./](?:dense|LayerNorm)|lm_head[./](?:dense|layer_norm)|head[./](?:dense|norm)|vocab_transform|vocab_layer_norm|generator_predictions|lm_predictions[./]lm_head[./](?:dense|LayerNorm)|project_out)[./]/;

/** Of this package's own models: a map for the second role of one table, and what heads with clusters of tokens add. */
const OWN_MAPS = /^(?:between|mlp\.(?:up|down)\.(?:weight|bias)|low_rank\.[ab]|clusters|tails\.\d+\.(?:map|table))$/;

/** What the output has besides its table: a bias for each token, maps and norms before it. Not the final norm, which the card folds in. */
function addedToOutput(tensors: ReadonlyMap<string, StoredTensor>, outputName: string): string[] {
  const shape = tensors.get(outputName)?.shape ?? [];
  const own = `${partsOf(outputName).stem}.bias`;
  return [...tensors.values()]
    .filter((tensor) => {
      const { name } = tensor;
      if (name === own || (/^(?:un)?embedding$/.test(outputName) && OWN_MAPS.test(name))) return true;
      // A vector for all tokens; other models name a layer's bias alike.
      const isNamed = MAPS.test(name) || (BIAS.test(name) && shape.includes(elementsIn(tensor)));
      return isNamed && !isOfAPart(partsOf(name).stem);
    })
    .map(({ name }) => name);
}

/** A norm stored inside a layer is part of the direct path only if it comes before the first layer; it then has a name of its own. */
function isBetween(name: string): boolean {
  const { stem } = partsOf(name);
  return BETWEEN.test(stem) && (!isOfAPart(stem) || /(?:^|[./])blocks[./]0[./]/.test(stem));
}

function settingsIn(settings: Readonly<Record<string, unknown>>, get: (name: string) => unknown): string[] {
  return Object.entries(settings).flatMap(([name, without]) => {
    const value = get(name);
    const isSaid = typeof value === 'number' || typeof value === 'boolean';
    return isSaid && value !== without ? [`${name} ${String(value).slice(0, 20)}`] : [];
  });
}
