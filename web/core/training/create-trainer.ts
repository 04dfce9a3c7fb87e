/** Verbs that create trainers: from options, from saved files, from other programs' models. */
import { MEMORY_PART } from '../generated/records.js';
import { ofArm, type CheckedArm, type CheckedCompare } from './compare-options.js';
import type { ComparedTrainer } from './comparison.js';
import type { BlankOptions } from '../checkpoint/model-host.js';
import type { CoreCorpus } from '../text/corpus.js';
import { invalidArgument, shortened, TiedError } from '../runtime/errors.js';
import { savedTokenizer, type OpenTokenizer } from '../text/attached-tokenizer.js';
import { keptIds } from '../model/head-options.js';
import { completeModel, type CompleteModel } from '../model/model-options.js';
import { moduleOfBlank, moduleOfFile, moduleOfModel, type ModuleOfModel } from '../runtime/models-module.js';
import { openFile, READABLE } from './open-file.js';
import { modelNumbers, trainingNumbers } from '../model/option-numbers.js';
import { PAIR_NAMES, TRAINER_NAMES } from '../model/options.js';
import { PairLists } from './pair-lists.js';
import type { FindModule } from '../runtime/running-modules.js';
import { sizedBy, type ArgumentNames } from '../runtime/answer.js';
import type { Numbers, Reserved, Runtime } from '../runtime/runtime.js';
import { CoreTrainer } from './trainer.js';
import { completeTraining, TRAINING_OPTIONS } from './training-options.js';
import type {
  Core,
  MemoryEstimate,
  MemoryPart,
  ModelConfig,
  Trainer,
  TrainerOptions,
  TrainingConfig,
} from '../types.js';
import { checkAbsent, checkBytes, checkChoice, checkMatrix, checkOptions, checkTokenIds } from '../runtime/validate.js';
import type { Address, CoreModule, HandleAddress, ModelsModule } from '../runtime/wasm-module.js';

/** Other programs' model formats, in the order of bind_files.cpp. */
const MODEL_FORMATS = ['llama2c'] as const;

const STREAM_OPTIONS = ['tokenIds', 'validationTokenIds', 'tokenizer'] as const;
const PAIR_OPTIONS = ['pairs', 'validationPairs'] as const;
const DATA_OPTIONS = [...STREAM_OPTIONS, 'bigramCounts', ...PAIR_OPTIONS] as const;

export class TrainerFactory {
  readonly #runtime: Runtime<CoreModule>;
  readonly #openTokenizer: OpenTokenizer;
  readonly #modules: FindModule;

  constructor(runtime: Runtime<CoreModule>, openTokenizer: OpenTokenizer, modules: FindModule) {
    this.#runtime = runtime;
    this.#openTokenizer = openTokenizer;
    this.#modules = modules;
  }

  #runtimeOf(module: ModuleOfModel): Runtime<CoreModule> {
    return module === 'core' ? this.#runtime : this.#modules.get(module);
  }

  /** The arms of a comparison, all or none. */
  compared(corpus: CoreCorpus, { arms, measureTokens }: CheckedCompare): ComparedTrainer[] {
    const made: ComparedTrainer[] = [];
    try {
      for (const arm of arms) made.push(this.#arm(corpus, arm, measureTokens));
      return made;
    } catch (error) {
      for (const { trainer } of made) trainer.dispose();
      throw error;
    }
  }

  /** A direct path without a batch size trains on the table of pairs, everything else on tokens. */
  #arm(
    corpus: CoreCorpus,
    { name, model, training, saved }: CheckedArm,
    measuredTokens: number | null,
  ): ComparedTrainer {
    const wholeTable = model.kind === 'direct-path' && training.batchSize === undefined;
    const validation = corpus.idsOf('validation');
    const stream = {
      tokenIds: corpus.idsOf('training'),
      ...(validation.length < 2 ? {} : { validationTokenIds: validation.subarray(0, measuredTokens ?? undefined) }),
      ...(corpus.tokenizer ? { tokenizer: corpus.tokenizer } : {}),
    };
    const data = wholeTable ? { bigramCounts: corpus.table().counts } : stream;
    try {
      if (model.kind === 'encoder-decoder') {
        throw new TiedError(
          'unsupported',
          `model.kind is '${model.kind}'; expected another kind, because a corpus has no pairs`,
        );
      }
      const trainer =
        saved === null
          ? this.create({ model, training, ...data })
          : this.#savedArm(saved, name, [
              modelNumbers(completeModel(model)),
              trainingNumbers(completeTraining(training, wholeTable)),
            ]);
      return { name, trainer, waiting: [] };
    } catch (error) {
      throw ofArm(name, error);
    }
  }

  /** A saved trainer, if it has this model and training. */
  #savedArm(saved: Uint8Array, name: string, wanted: readonly Float64Array[]): CoreTrainer {
    const trainer = this.load(saved, saved) as CoreTrainer;
    const { model, training } = trainer;
    const found = [
      modelNumbers(completeModel(model)),
      trainingNumbers(completeTraining(training, training.batchSize === undefined)),
    ];
    if (found.every((numbers, part) => numbers.join() === wanted[part]!.join())) return trainer;
    trainer.dispose();
    throw new TiedError(
      'invalid-argument',
      `options.arms.${shortened(name)}.saved is a trainer with other options; expected one with this model and training`,
    );
  }

  create(options: TrainerOptions): CoreTrainer {
    const given = checkOptions('options', options, ['model', 'training', ...DATA_OPTIONS]) as GivenOptions;
    const model = completeModel(given.model);
    if (model.kind === 'encoder-decoder') return this.#createFromPairs(model, given);
    for (const name of PAIR_OPTIONS) checkAbsent(`options.${name}`, given[name], "kind 'encoder-decoder'");
    const wholeTable = given.bigramCounts !== undefined;
    for (const stream of STREAM_OPTIONS) {
      if (wholeTable && given[stream] !== undefined) {
        throw invalidArgument(`options.${stream}`, given[stream], 'it to be absent when bigramCounts is given');
      }
    }
    if (wholeTable && model.kind !== 'direct-path') {
      checkAbsent('options.bigramCounts', given.bigramCounts, "kind 'direct-path'");
    }
    if (wholeTable && model.head) checkAbsent('options.bigramCounts', given.bigramCounts, 'a full head');
    // Before the training's options, which depend on the kind of data.
    if (!wholeTable && given.tokenIds === undefined) {
      const table = model.kind === 'direct-path' ? ', or options.bigramCounts' : '';
      throw invalidArgument('options.tokenIds', undefined, `a Uint32Array of token ids${table}`);
    }
    const training = completeTraining(given.training, wholeTable);
    const runtime = this.#runtimeOf(moduleOfModel(model));
    const numbers = [modelNumbers(model), trainingNumbers(training)];
    const { vocabSize } = model;
    if (wholeTable) {
      const shape = { rows: vocabSize, cols: vocabSize };
      const { data } = checkMatrix('options.bigramCounts', given.bigramCounts, shape);
      this.#checkFits(runtime, numbers, true, data.byteLength);
      return this.#make(runtime, [...numbers, data], undefined, (module, [m, t, counts]) =>
        module.createTrainerFromCounts(m!, t!, counts!),
      );
    }
    const { ids, validation } = checkStreams(given);
    const tokenizer = this.#savedTokenizer(given.tokenizer, vocabSize);
    this.#checkFits(runtime, numbers, false, ids.byteLength + (validation?.byteLength ?? 0));
    const kept = keptIds(model.head);
    return this.#make(runtime, [...numbers, ids, validation, kept], tokenizer, (module, [m, t, i, v, k]) =>
      module.createTrainerFromTokens(m!, t!, i!, ids.length, v!, validation?.length ?? 0, k!, kept?.length ?? 0),
    );
  }

  #createFromPairs(model: CompleteModel, given: GivenOptions): CoreTrainer {
    for (const name of ['tokenIds', 'validationTokenIds', 'bigramCounts'] as const) {
      if (given[name] === undefined) continue;
      throw invalidArgument(
        `options.${name}`,
        given[name],
        'it to be absent: an encoder-decoder learns from options.pairs',
      );
    }
    const numbers = [modelNumbers(model), trainingNumbers(completeTraining(given.training, false))];
    const pairs = new PairLists('options.pairs', given.pairs);
    const validation =
      given.validationPairs === undefined ? null : new PairLists('options.validationPairs', given.validationPairs);
    const tokenizer = this.#savedTokenizer(given.tokenizer, model.vocabSize);
    const packed = [pairs.packed(), validation?.packed()];
    const runtime = this.#modules.get('models');
    const bytes = packed.reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);
    runtime.call(
      numbers,
      (module, [m, t]) => module.pairTrainerFits(m!, t!, bytes),
      () => undefined,
      PAIR_NAMES,
    );
    return this.#make(
      runtime as Runtime<CoreModule>,
      [...numbers, ...packed],
      tokenizer,
      (module, [m, t, p, v]) =>
        (module as ModelsModule).createTrainerFromPairs(m!, t!, p!, pairs.size, v!, validation?.size ?? 0),
      { ...PAIR_NAMES, ...sizedBy('options.model') },
    );
  }

  #savedTokenizer(given: unknown, vocabSize: number): Uint8Array | undefined {
    return given === undefined ? undefined : savedTokenizer('options.tokenizer', given, vocabSize, this.#openTokenizer);
  }

  /** Checks that the trainer fits before any data are copied into the core. */
  #checkFits(
    runtime: Runtime<CoreModule>,
    numbers: readonly Float64Array[],
    wholeTable: boolean,
    dataBytes: number,
  ): void {
    runtime.call(
      numbers,
      (module, [m, t]) => module.trainerFits(m!, t!, wholeTable, dataBytes),
      () => undefined,
      TRAINER_NAMES,
    );
  }

  /** A trainer that only computes shards of another one's steps, of the file of a copy. */
  loadCopy(file: Uint8Array): CoreTrainer {
    return this.#make(this.#readerOf(file), [file], undefined, (module, [address]) =>
      module.loadCopy(address!, file.length),
    );
  }

  /** Memory for a saved trainer that begins so. */
  roomFor(head: Uint8Array, size: number): Reserved {
    return this.#readerOf(head).reserve(size, 'bytes');
  }

  /** A saved trainer, of which `head` is the beginning. */
  load(head: Uint8Array, file: Uint8Array | Reserved): Trainer {
    const [arrays, size] = 'address' in file ? [[], file.size] : [[file], file.length];
    const trainer = openFile(
      head,
      READABLE.trainer,
      () =>
        this.#make(
          this.#readerOf(head),
          arrays,
          undefined,
          (module, [copied]) => module.loadTrainer('address' in file ? file.address : copied!, size),
          { ...sizedBy('bytes'), file: 'bytes' },
        ),
      size,
    );
    try {
      trainer.checkTokenizer('the tokenizer in bytes');
    } catch (error) {
      trainer.dispose();
      throw error;
    }
    return trainer;
  }

  #readerOf(file: Uint8Array): Runtime<CoreModule> {
    const runtime = this.#runtimeOf(moduleOfFile(file));
    this.#modules.checkPart('files', runtime);
    return runtime;
  }

  loadModel(bytes: Uint8Array, options: Parameters<Core['loadModel']>[1]): Trainer {
    const file = checkBytes('bytes', bytes);
    const given = checkOptions('options', options, ['format', 'training', ...STREAM_OPTIONS]);
    const format = MODEL_FORMATS.indexOf(checkChoice('options.format', given.format, MODEL_FORMATS));
    const trains = given.training !== undefined;
    if (!trains) {
      for (const stream of ['tokenIds', 'validationTokenIds'] as const) {
        checkAbsent(`options.${stream}`, given[stream], 'a model with options.training');
      }
    }
    const { ids, validation } = trains ? checkStreams(given) : {};
    const training = trains ? trainingNumbers(completeTraining(given.training!, false)) : undefined;
    this.#modules.check('files');
    const vocabSize = openFile(file, READABLE.llama2cModel, () =>
      this.#runtime.call(
        [file],
        (module, [at]) => module.modelVocabSize(at!, file.length, format),
        (_, size) => size,
        { ...sizedBy('bytes'), file: 'bytes' },
      ),
    );
    const tokenizer = this.#savedTokenizer(given.tokenizer, vocabSize);
    return this.#make(
      this.#runtime,
      [file, training, ids, validation],
      tokenizer,
      (module, [at, t, i, v]) =>
        module.loadModel(at!, file.length, format, t!, i!, ids?.length ?? 0, v!, validation?.length ?? 0),
      { ...TRAINER_NAMES, ...sizedBy('bytes'), file: 'bytes' },
    );
  }

  /** A trainer of this model whose values are filled in later, see `CoreTrainer.fill`. Its options are those of a checkpoint. */
  blank({ model, training, tokenIds, validationTokenIds, tokenizer }: BlankOptions): CoreTrainer {
    const complete = completeModel(model);
    const trains = training !== undefined;
    for (const [name, ids] of Object.entries({ tokenIds, validationTokenIds })) {
      if (!trains) checkAbsent(`options.${name}`, ids, 'a model with options.training');
    }
    const { ids, validation } = trains ? checkStreams({ tokenIds, validationTokenIds }) : {};
    const saved = this.#savedTokenizer(tokenizer, complete.vocabSize);
    const trained = trains ? completeTraining(training, false) : undefined;
    return this.#make(
      this.#runtimeOf(moduleOfBlank(complete)),
      [modelNumbers(complete), trained && trainingNumbers(trained), ids, validation],
      saved,
      (module, [m, t, i, v]) => module.createBlank(m!, t!, i!, ids?.length ?? 0, v!, validation?.length ?? 0),
      { ...TRAINER_NAMES, ...sizedBy('the model') },
    );
  }

  /** The trainer that `verb` creates, with its tokenizer attached. */
  #make(
    runtime: Runtime<CoreModule>,
    arrays: readonly (Numbers | undefined)[],
    tokenizer: Uint8Array | undefined,
    verb: (module: CoreModule, addresses: Address[]) => HandleAddress,
    names: ArgumentNames = { ...TRAINER_NAMES, ...sizedBy('options.model') },
  ): CoreTrainer {
    return runtime.call(
      [tokenizer, ...arrays],
      (module, [kept, ...addresses]) => {
        const trainer = verb(module, addresses);
        if (trainer === 0 || !tokenizer || module.attach(trainer, kept!, tokenizer.length)) return trainer;
        module.deleteTrainer(trainer);
        return 0;
      },
      (_, trainer) => new CoreTrainer(runtime, trainer, this.#openTokenizer, this.#modules),
      names,
    );
  }

  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate {
    const complete = completeModel(model);
    const given = checkOptions('training', training, TRAINING_OPTIONS);
    // Without a batch size, training uses the whole table.
    const wholeTable = complete.kind === 'direct-path' && given.batchSize === undefined;
    const trained = completeTraining(given, wholeTable);
    const parts = this.#runtimeOf(moduleOfModel(complete)).call(
      [modelNumbers(complete), trainingNumbers(trained)],
      (module, [m, t]) => module.memoryParts(m!, t!),
      (answer) => answer.read([MEMORY_PART]),
      complete.kind === 'encoder-decoder' ? PAIR_NAMES : TRAINER_NAMES,
    );
    const sum = (of: readonly MemoryPart[]): number => of.reduce((bytes, part) => bytes + part.bytes, 0);
    return { bytes: sum(parts), parts, fileBytes: sum(parts.filter(({ name }) => SAVED_PARTS.includes(name))) };
  }
}

type GivenOptions = Partial<Record<(typeof DATA_OPTIONS)[number], unknown>> &
  Pick<TrainerOptions, 'model' | 'training'>;

/** The parts of a trainer's memory that its file contains. */
const SAVED_PARTS = ['weights', 'optimizer', 'start'];

interface Streams {
  ids: Uint32Array;
  validation: Uint32Array | undefined;
}

function checkStreams(given: { tokenIds?: unknown; validationTokenIds?: unknown }): Streams {
  const { tokenIds, validationTokenIds } = given;
  return {
    ids: checkTokenIds('options.tokenIds', tokenIds, 2),
    validation:
      validationTokenIds === undefined ? undefined : checkTokenIds('options.validationTokenIds', validationTokenIds, 2),
  };
}
