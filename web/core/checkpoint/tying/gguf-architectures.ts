/** What `general.architecture` of a GGUF file says of a model. */

/**
 * Language models that llama.cpp runs, from `LLM_ARCH_NAMES` in src/llama-arch.cpp at commit 00395eb2, without its encoders, drafts
 * and decoders of sound. Of any other architecture it is not known whether a file without an output table is whole.
 */
const LANGUAGE_MODELS = new Set(
  (
    'llama llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3 ' +
    'qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe phi2 phi3 phimoe plamo plamo2 plamo3 codeshell orion internlm2 minicpm ' +
    'minicpm3 gemma gemma2 gemma3 gemma3n gemma4 starcoder2 mamba mamba2 jamba falcon-h1 xverse command-r cohere2 cohere2moe dbrx ' +
    'olmo olmo2 olmoe openelm arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 chatglm glm4 glm4moe glm-dsa bitnet t5 ' +
    'jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe rwkv6 rwkv6qwen2 rwkv7 arwkv7 granite granitemoe ' +
    'granitehybrid chameleon plm bailingmoe bailingmoe2 dots1 arcee afmoe laguna ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense ' +
    'hunyuan_vl hy_v3 smollm3 gpt-oss lfm2 lfm2moe dream smallthinker llada llada-moe seed_oss grovemoe apertus minimax-m2 cogvlm ' +
    'rnd1 pangu-embedded mistral3 mistral4 paddleocr mimo2 step35 maincoder kimi-linear talkie mellum'
  ).split(' '),
);

/** Those that attend in both directions: they fill in masked tokens. */
const MASKED = /^(?:dream|llada|llada-moe|rnd1)$/;

const ENCODERS =
  /^(?:bert|modern-bert|nomic-bert|nomic-bert-moe|neo-bert|jina-bert-v[23]|eurobert|t5encoder|gemma-embedding|llama-embed)$/;
const DRAFTS = /eagle|medusa|_mtp$|dflash|-assistant$/;
/** Pictures and sound, also of other programs. */
const NO_TEXT =
  /^(?:clip|wavtokenizer-dec|flux|sd[123x]\w*|aura|ltxv|hyvid|wan|cosmos|hidream|lumina2|qwen_image|mochi|pig|mmproj|controlvector|\w+[-_]?tts|kokoro|dia|csm|bark|encodec|mimi|vits?|sam\d?|rf-detr|omnivoice|chatterbox)$/;

export const isLanguageModel = (architecture: string): boolean => LANGUAGE_MODELS.has(architecture);

export const readsBothWays = (architecture: string): boolean => MASKED.test(architecture);

/** What it is instead of a language model, in words; null if it is one, or if that is not known. */
export function otherArchitecture(architecture: string): string | null {
  if (ENCODERS.test(architecture)) return 'an encoder';
  if (DRAFTS.test(architecture)) return 'a draft model';
  return NO_TEXT.test(architecture) ? 'which predicts no tokens' : null;
}
