/**
 * What kind of model a `config.json` names: whether it reads tokens and predicts tokens, so that it can be tied at all. The classes are
 * those of huggingface/transformers, and of models that bring their own code. A class that is not recognized is 'unknown', never a
 * model without a head.
 */

export type KindOfModel =
  /** Predicts the next token. With images or sound as further input, too. */
  | 'language-model'
  /** Predicts masked tokens. */
  | 'masked-language-model'
  /** Two stacks, and the decoder predicts tokens. An encoder of images or sound has no token table. */
  | 'encoder-decoder'
  /** Returns hidden states, or a vector for each text: has no head. Also a decoder without its head, such as GPT2Model. */
  | 'encoder'
  /** Predicts classes, spans or a score: classifiers, rerankers, reward models. */
  | 'classifier'
  /** Predicts the letters of a sound, and reads no tokens. */
  | 'ctc'
  /** Tells replaced tokens from those of the text. */
  | 'discriminator'
  /** Drafts tokens for another model, whose tables it may borrow. */
  | 'draft'
  /** Images only: no token tables, or those of a text encoder beside. */
  | 'vision'
  /** Sound only: no token tables of text. */
  | 'speech'
  | 'unknown';

/** Whether a model of this kind reads tokens and predicts them; null if that is not known. */
export const predictsTokens = (kind: KindOfModel): boolean | null =>
  kind === 'unknown' ? null : ['language-model', 'masked-language-model', 'encoder-decoder'].includes(kind);

const LONGEST_LIST = 100;

/** The classes that a configuration names, without the prefix of another framework or of a wrapper. */
export function classesIn(fields: ReadonlyMap<string, unknown> | null): readonly string[] {
  const listed = fields?.get('architectures');
  const names: readonly unknown[] = Array.isArray(listed) ? listed.slice(0, LONGEST_LIST) : [];
  return names.flatMap((name) => (typeof name === 'string' ? [name.replace(/^(?:TF|Flax|FSDP)(?=[A-Z])/, '')] : []));
}

/** The kind that the classes agree on; without classes, what `model_type` alone can say. */
export function kindOfModel(fields: ReadonlyMap<string, unknown> | null): KindOfModel {
  const type = typeOf(fields);
  const classes = classesIn(fields);
  if (classes.length === 0) return ofType(type);
  const isEncoderDecoder = fields?.get('is_encoder_decoder') === true;
  const kinds = new Set(classes.map((name) => ofClass(name, type, isEncoderDecoder)));
  return kinds.size === 1 ? [...kinds][0]! : 'unknown';
}

function typeOf(fields: ReadonlyMap<string, unknown> | null): string {
  const type = fields?.get('model_type');
  return typeof type === 'string' ? type : '';
}

/** Most types have classes with and without a head, so a type says little. */
function ofType(type: string): KindOfModel {
  if (DRAFT_TYPES.has(type)) return 'draft';
  if (VISION_TYPES.has(type)) return 'vision';
  return SPEECH_TYPES.has(type) ? 'speech' : 'unknown';
}

function ofClass(name: string, type: string, isEncoderDecoder: boolean): KindOfModel {
  if (DRAFT_TYPES.has(type)) return 'draft';
  const known = NAMED.get(name);
  if (known !== undefined) return known;
  for (const [ending, kind] of ENDINGS) if (ending.test(name)) return kind;
  // NVIDIA's models that read images have the same names as EAGLE's drafts.
  if (/CausalLM$/.test(name)) return /^Eagle.*ForCausalLM$/.test(name) ? 'unknown' : 'language-model';
  if (/(?:ForConditionalGeneration|LMHeadModel|DoubleHeadsModel|ModelWithLMHead|ModelLM|Text2Text)$/.test(name))
    return isEncoderDecoder || TWO_STACKS.test(name) ? 'encoder-decoder' : 'language-model';
  return 'unknown';
}

const setOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

const DRAFT_TYPES = setOf(
  'eagle eagle3 medusa hydra mlp_speculator speculators speculator dflash p_eagle deepseek_mtp mimo_mtp',
  'glm4_moe_mtp ernie_mtp qwen3_next_mtp longcat_flash_mtp',
);

const VISION_TYPES = setOf(
  'vit vit_mae vit_msn vivit deit beit swin swinv2 convnext convnextv2 resnet regnet dinov2',
  'dinov2_with_registers dinov3_vit dinov3_convnext ijepa videomae timesformer vjepa2 segformer mask2former',
  'maskformer detr yolos dpt depth_anything sam sam_vision_model clip_vision_model siglip_vision_model',
  'siglip2_vision_model internvl_vision qwen2_vl_vision',
);

const SPEECH_TYPES = setOf(
  'wav2vec2 wav2vec2-bert wav2vec2-conformer hubert wavlm unispeech unispeech-sat sew sew-d data2vec-audio',
  'audio-spectrogram-transformer encodec dac mimi vits univnet xcodec',
);

/** Classes that generate with an encoder and a decoder of tokens, whatever `is_encoder_decoder` says: older files omit it. */
const TWO_STACKS =
  /^(?:M?T5|UMT5|LongT5|T5Gemma2?|SwitchTransformers|M?Bart|PLBart|Mvp|Marian|Pegasus|PegasusX|BigBirdPegasus|Blenderbot|BlenderbotSmall|LED|M2M100|NllbMoe|(?:XLM)?ProphetNet|FSMT|Whisper|Speech2Text|Moonshine|Pix2Struct|Udop|Florence2)(?:ForConditionalGeneration|(?:With)?LMHeadModel)$/;

/** Endings of class names, the first that fits. */
const ENDINGS: readonly (readonly [ending: RegExp, kind: KindOfModel])[] = [
  [/(?:ForCausalLM|ForConditionalGeneration)?(?:Eagle3?|Medusa|MTP|Speculator)(?:Model|PreTrainedModel)?$/, 'draft'],
  [/^(?:Eagle3|P?EAGLE3?|DFlash|Medusa).*(?:ForCausalLM|Model)$/, 'draft'],
  [/ForCTC$/, 'ctc'],
  [/ForMaskedLM$/, 'masked-language-model'],
  [/For(?:Sequence|Token|Audio|AudioFrame|Image|Video|VideoText)Classification$/, 'classifier'],
  [/For(?:QuestionAnswering(?:Simple)?|MultipleChoice|NextSentencePrediction|XVector)$/, 'classifier'],
  [
    /(?:For(?:Reward|RewardModeling|Score|TextRanking|Ranking|Rerank|Reranking)|(?:Process)?RewardModel)$/,
    'classifier',
  ],
  [/For(?:Retrieval|Embedding|TextEmbedding|ImageTextRetrieval|ImageAndTextRetrieval)$/, 'encoder'],
  [/(?:EncoderModel|ContextEncoder|QuestionEncoder|TextEncoder)$/, 'encoder'],
  [
    /For(?:ObjectDetection|ZeroShotObjectDetection|\w*Segmentation|DepthEstimation|MaskedImageModeling|ImageToImage|KeypointDetection|ZeroShotImageClassification)$/,
    'vision',
  ],
  [/(?:Vision|Image)(?:Model|Encoder|Backbone|Transformer)(?:WithProjection)?$/, 'vision'],
  [/For(?:TextTo(?:Speech|Waveform|Spectrogram)|SpeechToSpeech)$/, 'speech'],
  [/(?:Audio|Speech)(?:Model|Encoder)(?:WithProjection)?$/, 'speech'],
  [/ForSpeechToText$/, 'encoder-decoder'],
  [/ForTextToText$/, 'encoder-decoder'],
  [/ChatModel$/, 'language-model'],
];

/** Classes whose names do not tell, or tell something else. */
const NAMED: ReadonlyMap<string, KindOfModel> = new Map([
  ...all(
    'encoder-decoder',
    '',
    'MarianMTModel EncoderDecoderModel VisionEncoderDecoderModel SpeechEncoderDecoderModel',
    'BlipForQuestionAnswering RagTokenForGeneration RagSequenceForGeneration',
  ),
  ...all(
    'language-model',
    '',
    'ChatGLMModel InternVLChatModel H2OVLChatModel NVLM_D_Model LlavaLlamaModel LlavaMistralModel MiniCPMV',
    'MiniCPMO Ovis DreamModel mPLUGOwl3Model Qwen2_5OmniModel Moondream HfMoondream',
  ),
  ...all(
    'masked-language-model',
    'ForPreTraining',
    'Albert Bert BigBird Ernie FNet Lxmert MegatronBert MobileBert Nezha RoCBert VisualBert',
  ),
  ...all('discriminator', '', 'ElectraForPreTraining FunnelForPreTraining'),
  ...all('draft', '', 'MLPSpeculatorPreTrainedModel DeepSeekMTPModel EAGLEModel Qwen3NextMTP LlamaForCausalLMEagle'),
  ...all('classifier', '', 'BertForSequenceRegression DPRReader SplinterForPreTraining GPT2ForScore'),
  ...all(
    'vision',
    '',
    'ViTMAEForPreTraining VideoMAEForPreTraining CLIPModel ChineseCLIPModel AltCLIPModel SiglipModel Siglip2Model',
    'AlignModel GroupViTModel BlipModel FlavaModel ViltModel',
  ),
  ...all(
    'vision',
    'Model',
    'ViT ViTMAE ViTMSN Vivit DeiT Beit Swin Swinv2 ConvNext ConvNextV2 ResNet Dinov2 Dinov2WithRegisters',
    'DINOv3ViT IJepa VideoMAE Timesformer Segformer Sam',
  ),
  ...all(
    'speech',
    '',
    'CsmForConditionalGeneration CsmDepthDecoderForCausalLM DiaForConditionalGeneration',
    'ParlerTTSForConditionalGeneration ParlerTTSForCausalLM BarkSemanticModel BarkCoarseModel MusicgenForCausalLM',
    'MusicgenForConditionalGeneration MusicgenMelodyForCausalLM MusicgenMelodyForConditionalGeneration',
  ),
  ...all('speech', 'ForPreTraining', 'Wav2Vec2 Wav2Vec2Conformer UniSpeech UniSpeechSat'),
  ...all(
    'speech',
    'Model',
    'Wav2Vec2 Wav2Vec2Bert Wav2Vec2Conformer Hubert WavLM UniSpeech UniSpeechSat SEW SEWD Data2VecAudio AST',
    'Encodec Dac Mimi Vits Clap Bark BarkFine',
  ),
  // Without a head, by the convention of transformers. Other classes with this ending may have one: ChatGLMModel does.
  ...all(
    'encoder',
    'Model',
    'Albert Bert BigBird Camembert Canine ConvBert DPR Data2VecText Deberta DebertaV2 DistilBert Electra Ernie',
    'Esm EuroBert FNet Flaubert Funnel IBert JinaBert LayoutLM LayoutLMv2 LayoutLMv3 Longformer Luke MPNet',
    'MegatronBert MobileBert ModernBert ModernBertDecoder NeoBERT New NomicBert Nystromformer RemBert RoFormer',
    'Roberta RobertaPreLayerNorm SqueezeBert XLM XLMRoberta XLMRobertaXL XLNet XMod T5 MT5 UMT5 LongT5 Bart MBart',
    'Marian Pegasus M2M100 LED Whisper Lxmert GPT2 GPTNeo GPTNeoX GPTJ GPTBigCode OPT Bloom Falcon Mpt CodeGen',
    'XGLM Llama Mistral Mixtral Qwen2 Qwen2Moe Qwen3 Qwen3Moe Gemma Gemma2 Gemma3 Phi Phi3 StableLm Olmo Olmo2',
    'Olmo3 Granite Cohere Cohere2 Mamba Mamba2 Rwkv',
  ),
  ...all(
    'encoder',
    '',
    'Gemma3TextModel CLIPTextModel CLIPTextModelWithProjection SiglipTextModel Siglip2TextModel',
    'LlamaBidirectionalModel HF_ColBERT ColPali ColQwen2 ColQwen2_5 BertGenerationEncoder',
  ),
]);

/** Classes of a kind: the words of the lines, each with an ending. */
function all(kind: KindOfModel, ending: string, ...lines: readonly string[]): (readonly [string, KindOfModel])[] {
  return [...setOf(...lines)].map((name) => [`${name}${ending}`, kind]);
}
