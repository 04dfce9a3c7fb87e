/** Facts about parameters, work and advice, counted by the library that the page runs. */

const gpt2 = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 };

/** The limits of the page's rule of thumb. */
const [littleSaved, muchSaved] = [0.05, 0.15];

function gpt2Facts(core) {
  const tied = core.countParameters(gpt2, 'tied');
  const untied = core.countParameters(gpt2, 'untied');
  const compute = core.countCompute(gpt2, { sequences: 1, tokens: 1024 });
  return {
    tied: tied.stored,
    untied: untied.stored,
    saved: tied.saved,
    savedOfStored: tied.savedOfStored,
    savedOfUntied: tied.savedOfUntied,
    tableShare: tied.tableShare,
    untiedTableShare: untied.tableShare,
    groups: Object.fromEntries(
      Object.keys(tied.groups).map((group) => [group, [tied.groups[group], untied.groups[group]]]),
    ),
    headShare: compute.headShareOfWeights,
  };
}

/** Tables only, without layers. */
function translatorFacts(core) {
  const [vocabSize, dModel] = [50_000, 768];
  const tables = { family: 'plain-formula', stack: 'encoder-decoder', vocabSize, dModel, nLayers: 0 };
  const one = core.countParameters(tables, 'tied');
  const two = core.countParameters(tables, 'tied-decoder');
  const three = core.countParameters(tables, 'untied');
  const savedBy = ({ stored }) => ({ stored, saved: three.stored - stored, savedShare: 1 - stored / three.stored });
  return { vocabSize, dModel, one: savedBy(one), two: savedBy(two), three: three.stored };
}

/** The output head's product, for 512 tokens at once. */
function headFacts(core) {
  const [sequences, perSequence, nLayers] = [4, 128, 32];
  const architecture = { family: 'plain-formula', vocabSize: 32_000, dModel: 4096, nLayers };
  const compute = core.countCompute(architecture, { sequences, tokens: perSequence });
  const { forward, backward, total } = compute.parts.head;
  return {
    vocabSize: architecture.vocabSize,
    dModel: architecture.dModel,
    nLayers,
    tokens: sequences * perSequence,
    forward,
    backward,
    total,
    logitsBytes: compute.bytes.logits,
    share: compute.headShareOfWeights,
  };
}

/** Models with layers of the usual kind: the rule's 12 d² per layer mean nothing for others. */
function modelFacts(core) {
  const models = core.knownModels().filter(({ architecture }) => architecture.family !== 'listed');
  return models.map(({ id, name, architecture, tying }) => {
    const one = core.countParameters(architecture, 'tied');
    const asItIs = core.countParameters(architecture, tying);
    // As in the table of models: a model that shares its input tables starts from two tables, all others from their
    // untied count.
    const apart = tying === 'tied-inputs' ? asItIs.stored : one.untied;
    const saved = apart - one.stored;
    return {
      id,
      name,
      // Whether the output table is also an input table; T5 1.1 shares only its input tables.
      tied: tying !== 'untied' && tying !== 'tied-inputs',
      vocabSize: architecture.vocabSize,
      dModel: architecture.dModel,
      total: asItIs.stored,
      savedOfTied: saved / one.stored,
      savedOfUntied: saved / apart,
      rule: core.adviseTying(architecture).rule.says,
    };
  });
}

/**
 * How often the rule of thumb and published choices disagree. The rule's fraction is one table divided by 12 d² per layer and two tables;
 * the first two counts are for the fraction of the model's own tensors, of which tying saves one table.
 */
function ruleFacts(models) {
  const many = (test) => models.filter(test).length;
  return {
    smallUntied: many((model) => !model.tied && model.savedOfUntied > muchSaved),
    largeTied: many((model) => model.tied && model.savedOfUntied < littleSaved),
    optional: many((model) => model.rule === 'optional'),
    /** Released with two tables although the rule says to tie, and with one although it says not to. */
    wouldTie: many(({ rule, tied }) => rule === 'tie' && !tied),
    wouldNot: many(({ rule, tied }) => rule === 'do-not-tie' && tied),
    wrong: many(({ rule, tied }) => (rule === 'tie' && !tied) || (rule === 'do-not-tie' && tied)),
  };
}

function adviceFacts(core) {
  const { sentence, reasons } = core.adviseTying(gpt2);
  return { sentence, reasons: reasons.map(({ favours, sentence: because }) => ({ favours, because })) };
}

/** What parts of a few models do, as shares of 1: those that are read and written, only read, only written, and the rest. */
function roleFacts(core) {
  const models = core.knownModels();
  const of = (id) => {
    const { name, architecture, tying } = models.find((model) => model.id === id);
    const { roles, stored: total } = core.countParameters(architecture, tying);
    const [both, reads, writes, computes] = Object.values(roles).map((role) => role / total);
    return { name, total, both, reads, writes, computes, onlyRead: roles.reads };
  };
  return {
    gpt2: of('gpt2'),
    llama: of('llama-3.1-8b'),
    small: of('gemma-3-270m'),
    gptOss: of('gpt-oss-20b'),
    perLayer: of('gemma-4-e2b'),
    large: of('gemma-4-31b'),
    ngrams: of('qwen3.8-flash-next'),
  };
}

export function accountingFacts(core) {
  const models = modelFacts(core);
  return {
    gpt2: gpt2Facts(core),
    translator: translatorFacts(core),
    head: headFacts(core),
    models: {
      list: models,
      all: models.length,
      tied: models.filter((model) => model.tied).length,
      untied: models.filter((model) => !model.tied).length,
    },
    rule: ruleFacts(models),
    roles: roleFacts(core),
    advice: adviceFacts(core),
  };
}
