import { describe, expect, test } from 'vitest';
import {
  classesIn,
  kindOfModel,
  predictsTokens,
  type KindOfModel,
} from '../../../web/core/checkpoint/tying/kind-of-model.js';

const kindOf = (fields: object): KindOfModel => kindOfModel(new Map(Object.entries(fields)));

/** Classes as public models name them, with their `model_type` where it matters. */
const CLASSES: Readonly<Record<KindOfModel, readonly (string | readonly [name: string, type: string])[]>> = {
  'language-model': [
    ...['GPT2LMHeadModel', 'LlamaForCausalLM', 'Qwen3MoeForCausalLM', 'OpenAIGPTDoubleHeadsModel', 'XLNetLMHeadModel'],
    ...['InternVLChatModel', 'Gemma3ForConditionalGeneration', 'Qwen2_5_VLForConditionalGeneration', 'QWenLMHeadModel'],
    ...['MultiModalityCausalLM', 'LLaDAModelLM', 'LLaDA2MoeModelLM', 'ReformerModelWithLMHead', 'BertLMHeadModel'],
    ...['IdeficsForVisionText2Text', 'BartForCausalLM', 'TrOCRForCausalLM'],
    ...['LlavaLlamaForCausalLM', 'FlaubertWithLMHeadModel', 'MiniCPMV', 'TFGPT2LMHeadModel', 'FSDPQwen3ForCausalLM'],
    // Each of these is its `model_type` and the word Model, and has a head all the same.
    ['ChatGLMModel', 'chatglm'],
    ['DreamModel', 'Dream'],
    ['NVLM_D_Model', 'NVLM_D'],
    ['LlavaLlamaModel', 'llava_llama'],
    ['Eagle2_5_VLForConditionalGeneration', 'eagle_2_5_vl'],
  ],
  'masked-language-model': [
    ...['BertForMaskedLM', 'RobertaForMaskedLM', 'ModernBertForMaskedLM', 'ElectraForMaskedLM', 'BertForPreTraining'],
    ...['AlbertForPreTraining', 'RoCBertForPreTraining', 'TFBertForPreTraining', 'FlaxRobertaForMaskedLM'],
  ],
  'encoder-decoder': [
    ...[
      'T5WithLMHeadModel',
      'T5ForConditionalGeneration',
      'MT5ForConditionalGeneration',
      'UMT5ForConditionalGeneration',
      'MarianMTModel',
    ],
    ...['BartForConditionalGeneration', 'MBartForConditionalGeneration', 'M2M100ForConditionalGeneration'],
    ...['EncoderDecoderModel', 'VisionEncoderDecoderModel', 'WhisperForConditionalGeneration'],
    ...['SeamlessM4TForTextToText', 'BlipForQuestionAnswering', 'Florence2ForConditionalGeneration'],
  ],
  encoder: [
    ...['BertModel', 'XLMRobertaModel', 'NomicBertModel', 'T5EncoderModel', 'UMT5EncoderModel', 'GPT2Model'],
    ...['Qwen2Model', 'MistralModel', 'Gemma3TextModel', 'CLIPTextModel', 'DPRContextEncoder', 'TFBertModel'],
  ],
  classifier: [
    ...['BertForSequenceClassification', 'Qwen3ForSequenceClassification', 'LlamaForTokenClassification'],
    ...['XLMRobertaForSequenceClassification', 'DistilBertForQuestionAnswering', 'RobertaForMultipleChoice'],
    ...[
      'JinaVLForRanking',
      'Qwen2ForRewardModel',
      'LlamaForRewardModel',
      'Qwen2ForProcessRewardModel',
      'ViTForImageClassification',
    ],
  ],
  ctc: ['Wav2Vec2ForCTC', 'HubertForCTC', 'ParakeetForCTC'],
  discriminator: ['ElectraForPreTraining', 'FunnelForPreTraining'],
  draft: [
    ...['LlamaForCausalLMEagle3', 'LlamaForCausalLMEagle', 'Eagle3LlamaForCausalLM', 'MedusaModel', 'Eagle3Speculator'],
    ...['MLPSpeculatorPreTrainedModel', 'DeepSeekMTPModel', 'DFlashDraftModel'],
    ['EagleLlamaForCausalLM', 'eagle'],
  ],
  vision: [
    ...['ViTModel', 'ViTMAEForPreTraining', 'CLIPVisionModel', 'CLIPModel', 'Dinov2Model', 'SiglipVisionModel'],
    ...['DetrForObjectDetection', 'SegformerForSemanticSegmentation'],
  ],
  speech: [
    'Wav2Vec2Model',
    'Wav2Vec2ForPreTraining',
    'HubertModel',
    'VitsModel',
    'SpeechT5ForTextToSpeech',
    'MusicgenMelodyForCausalLM',
  ],
  unknown: [
    ...['MyModel', 'SomethingForPreTraining', 'FooBarModel', 'LlamaForCausalLMWithValueHead', 'LlamaForCausalLM2', ''],
    // A draft of EAGLE, or a model of NVIDIA that reads images.
    ['EagleLlamaForCausalLM', 'eagle_llama'],
  ],
};

describe('the kind of a model', () => {
  for (const [kind, classes] of Object.entries(CLASSES)) {
    const named = classes.map((one) => (typeof one === 'string' ? ([one, ''] as const) : one));
    test.each(named)(`%s %s is of the kind '${kind}'`, (name, type) => {
      expect(kindOf({ architectures: [name], ...(type !== '' && { model_type: type }) })).toBe(kind);
    });
  }

  test('a family that generates has two stacks if the file says so', () => {
    const architectures = ['NewForConditionalGeneration'];
    expect(kindOf({ architectures })).toBe('language-model');
    expect(kindOf({ architectures, is_encoder_decoder: true })).toBe('encoder-decoder');
  });

  test('classes that do not agree, or none, leave it unknown', () => {
    expect(kindOf({ architectures: ['BertForMaskedLM', 'BertForPreTraining'] })).toBe('masked-language-model');
    expect(kindOf({ architectures: ['BertForMaskedLM', 'BertForSequenceClassification'] })).toBe('unknown');
    expect(kindOf({ architectures: ['BertForMaskedLM', 'Custom'] })).toBe('unknown');
    for (const architectures of [undefined, null, [], 'BertModel', [7], {}]) {
      expect(kindOf({ architectures, model_type: 'bert' })).toBe('unknown');
    }
    expect(kindOfModel(null)).toBe('unknown');
  });

  test('a type without classes tells only what all classes of that type have in common', () => {
    expect(kindOf({ model_type: 'medusa' })).toBe('draft');
    expect(kindOf({ model_type: 'vit' })).toBe('vision');
    expect(kindOf({ model_type: 'wav2vec2' })).toBe('speech');
    for (const model_type of ['bert', 't5', 'llama', 'marian', 'constructor', '__proto__']) {
      expect(kindOf({ model_type })).toBe('unknown');
    }
  });

  test('tokens are predicted by language models, masked ones and translators; an unknown kind says nothing', () => {
    const predicting = (Object.keys(CLASSES) as KindOfModel[]).filter((kind) => predictsTokens(kind) === true);
    expect(predicting).toEqual(['language-model', 'masked-language-model', 'encoder-decoder']);
    expect(predictsTokens('unknown')).toBeNull();
    expect(predictsTokens('ctc')).toBe(false);
  });

  test('prefixes of other frameworks are left out of class names', () => {
    const fields = new Map([['architectures', ['TFBertModel', 'FlaxT5Model', 'TFT', 3]]]);
    expect(classesIn(fields)).toEqual(['BertModel', 'T5Model', 'T']);
  });
});
