/** Families of published models. */
export const familyNames = {
  'gpt-2': 'GPT-2',
  bert: 'BERT',
  t5: 'T5',
  llama: 'Llama',
  gemma: 'Gemma',
  'gpt-neox': 'GPT-NeoX',
  'mixture-of-experts': 'Mixture of experts',
} as const;
