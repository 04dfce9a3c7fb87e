#!/usr/bin/env python3
"""What configuration classes of huggingface/transformers make of tying flags that are there, missing or nested: tying_flags.json.

Runs the classes of each checkout with stand-ins for everything else (PyTorch, the hub, tokenizers), and reads from the syntax trees of the
model classes where the head is and whether they tie it. Needs only Python 3.11. The names of the kinds are those of the JSON file, which
is read and written again.

usage: tying_flags.py 4.57=FOLDER 5.0=FOLDER ... (checkouts of those versions, in this order)
"""
import ast
import dataclasses
import importlib
import importlib.abc
import importlib.machinery
import json
import logging
import re
import subprocess
import sys
import types
from pathlib import Path

RESULT = Path(__file__).with_suffix('.json')
FLAGS = (None, True, False)
# Packages that are not needed to build a configuration.
ABSENT = 'huggingface_hub packaging numpy tqdm regex requests yaml filelock safetensors tokenizers httpx typer torch PIL timm'.split()
REAL = re.compile(r'transformers\.(configuration_utils|modeling_rope_utils|models(\..*)?)$')


class Anything:
    """Any value, function, decorator or base class."""

    def __init__(self, *_, **__):
        pass

    def __call__(self, *given, **named):
        return given[0] if len(given) == 1 and not named and callable(given[0]) else Anything()

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Anything()

    def __getitem__(self, _):
        return Anything()

    def __iter__(self):
        return iter(())

    def __or__(self, _):
        return object

    __ror__ = __or__

    def __bool__(self):
        return False

    def __mro_entries__(self, _):
        return ()


class StandIn(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith('__') and name != '__version__':
            raise AttributeError(name)
        return {} if name.isupper() else Anything()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, *_):
        top = name.split('.')[0]
        if top in ABSENT or (top == 'transformers' and not REAL.match(name)):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, _):
        pass


def put(name, path=None, **values):
    """A module with these values; a folder's own __init__ is not run."""
    module = StandIn(name)
    if path is not None:
        module.__path__ = [str(path)]
    vars(module).update(values)
    sys.modules[name] = module
    return module


def push_to_hub(self):
    """{object} {object_class} {object_files}"""


def with_any_names(cls):
    """A dataclass that hands names which are not its fields to __post_init__, as the library's own."""

    def build(self, **given):
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for name, field in fields.items():
            if name in given:
                setattr(self, name, given[name])
            elif field.default is not dataclasses.MISSING:
                setattr(self, name, field.default)
            else:
                setattr(self, name, field.default_factory())
        self.__post_init__(**{name: value for name, value in given.items() if name not in fields})

    cls.__init__ = build
    return cls


def strict(*given, **_):
    def wrap(cls):
        own = '__dataclass_fields__' in vars(cls)
        return with_any_names(cls if own else dataclasses.dataclass(repr=False, kw_only=True)(cls))

    return wrap(given[0]) if len(given) == 1 and isinstance(given[0], type) else wrap


def configurations(source):
    """All configuration classes by model_type."""
    classes = {}
    sys.meta_path.insert(0, Finder())
    logger = logging.getLogger('stand-in')
    logger.setLevel(100)
    logger.warning_once = lambda *_, **__: None
    package = put('transformers', source)
    put('transformers.models', source / 'models')
    log = put('transformers.utils.logging', get_logger=lambda *_: logger)
    docstring = lambda *given, **_: given[0] if given and isinstance(given[0], type) else lambda cls: cls
    hub = type('PushToHubMixin', (), {'push_to_hub': push_to_hub})
    same = lambda it: it
    put('transformers.utils', logging=log, auto_docstring=docstring, PushToHubMixin=hub, copy_func=same, CONFIG_NAME='config.json')
    put('transformers.integrations.heterogeneity', HeterogeneousConfigMixin=type('Mixin', (), {}))
    put('huggingface_hub.dataclasses', strict=strict, validated_field=lambda *_, **named: dataclasses.field(default=named.get('default')))
    generation = type('GenerationConfig', (), {'_get_default_generation_params': staticmethod(dict)})
    package.GenerationConfig = generation
    put('transformers.generation.configuration_utils', GenerationConfig=generation)
    utilities = importlib.import_module('transformers.configuration_utils')
    base = getattr(utilities, 'PreTrainedConfig', None) or utilities.PretrainedConfig
    package.PreTrainedConfig = package.PretrainedConfig = base
    any_kind = type('AutoConfig', (base,), {'for_model': classmethod(lambda _, model_type, **given: classes[model_type](**given))})
    for name in ('transformers.models.auto', 'transformers.models.auto.configuration_auto'):
        put(name, CONFIG_MAPPING=classes, AutoConfig=any_kind)
    put('transformers.models.auto.modeling_auto')
    package.AutoConfig, package.CONFIG_MAPPING = any_kind, classes
    files = sorted(file for file in source.glob('models/*/configuration_*.py') if file.parent.name != 'auto')

    def from_folder(folder):
        def get(name):
            for file in folder.glob('configuration_*.py'):
                module = importlib.import_module(f'transformers.models.{folder.name}.{file.stem}')
                if hasattr(module, name):
                    return getattr(module, name)
            raise AttributeError(name)

        return get

    for folder in {file.parent for file in files}:
        module = types.ModuleType(f'transformers.models.{folder.name}')
        module.__path__, module.__getattr__ = [str(folder)], from_folder(folder)
        sys.modules[module.__name__] = module
    for file in files:
        module = importlib.import_module(f'transformers.models.{file.parent.name}.{file.stem}')
        for value in list(vars(module).values()):
            if not (isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__):
                continue
            setattr(package, value.__name__, value)
            kind = value.model_type
            # A part may have the kind of the whole.
            if kind and (kind not in classes or vars(value).get('sub_configs')):
                classes[kind] = value
    return classes


def heads(source):
    """'outer', 'inner', 'both' or 'never' by model_type: which configuration the class of the head has, if it ties at all."""
    classes = {}
    for file in source.glob('models/*/modeling_*.py'):
        if '_tf_' in file.name or '_flax_' in file.name:
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = node

    def first(name, look, depth=0):
        """Of a class or the classes that it is based on."""
        node = classes.get(name)
        if node is None or depth > 6:
            return None
        found = look(node)
        for base in node.bases if found is None else ():
            found = found or first(ast.unparse(base).split('.')[-1], look, depth + 1)
        return found

    def keys(node):
        for statement in node.body:
            targets = getattr(statement, 'targets', None) or [getattr(statement, 'target', None)]
            if any(getattr(target, 'id', '') == '_tied_weights_keys' for target in targets):
                return ast.unparse(statement.value)

    def built(node):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == '__init__':
                made = [inner.value for inner in ast.walk(statement) if isinstance(inner, ast.Assign)]
                return [ast.unparse(value) for value in made if isinstance(value, ast.Call)] or None

    order = 'IMAGE_TEXT_TO_TEXT MULTIMODAL_LM SPEECH_SEQ_2_SEQ SEQ_TO_SEQ_CAUSAL_LM VISION_2_SEQ CAUSAL_LM MASKED_LM PRETRAINING'.split()
    named = {}
    for node in ast.parse((source / 'models/auto/modeling_auto.py').read_text()).body:
        name = getattr(node.targets[0], 'id', '') if isinstance(node, ast.Assign) else ''
        purpose = name.removeprefix('MODEL_FOR_').removesuffix('_MAPPING_NAMES')
        if purpose in order and isinstance(node.value, ast.Call):
            for pair in node.value.args[0].elts:
                if isinstance(pair, ast.Tuple) and isinstance(pair.elts[1], ast.Constant):
                    named.setdefault(pair.elts[0].value, {})[purpose] = pair.elts[1].value
    found = {}
    for kind, by in named.items():
        name = by[min(by, key=order.index)]
        ties = first(name, keys) not in (None, 'None', '{}')
        nested = any(re.search(r'For(CausalLM|Seq2SeqLM|ConditionalGeneration)', call) for call in first(name, built) or [])
        found[kind] = ('both' if nested else 'outer') if ties else 'inner' if nested else 'never'
    return found


def answers(version, folder, wanted):
    source = Path(folder).resolve() / 'src/transformers'
    classes = configurations(source)
    # In version 4, a model asks for the flag of the language model's configuration.
    places = None if version.startswith('4') else heads(source)
    tied = lambda configuration: getattr(configuration, 'tie_word_embeddings', False) is True
    letter = lambda value: 'T' if value else 'f'
    defaults = {kind: letter(tied(classes[kind]())) if kind in classes else '.' for kind in wanted['defaults']}
    around = {}
    for kind, about in wanted['around'].items():
        part, inner = about['in'], about['inner']
        if kind not in classes or (places is not None and kind not in places and kind.split('_thinker')[0] not in places):
            around[kind] = '.'
            continue
        place = 'inner' if places is None else places.get(kind, 'outer')
        around[kind] = ''
        for outer_flag in FLAGS:
            for inner_flag in FLAGS:
                own = {} if outer_flag is None else {'tie_word_embeddings': outer_flag}
                # Nested classes that are not chosen by name ignore it.
                nested = {'model_type': inner} | ({} if inner_flag is None else {'tie_word_embeddings': inner_flag})
                made = classes[kind](**{part: nested}, **own)
                outer, within = tied(made), tied(getattr(made, part))
                around[kind] += letter({'outer': outer, 'inner': within, 'both': outer or within, 'never': False}[place])
    return {'defaults': defaults, 'around': around}


def main():
    wanted = json.loads(RESULT.read_text())
    if sys.argv[1] == '--one':
        print(json.dumps(answers(*sys.argv[2:], wanted)))
        return
    # A process for each, since their modules have the same names.
    given = [word.split('=', 1) for word in sys.argv[1:]]
    found = [json.loads(subprocess.run([sys.executable, __file__, '--one', *one], check=True, capture_output=True, text=True).stdout) for one in given]
    lines = [f'  "versions": {json.dumps([version for version, _ in given])},', '  "defaults": {']
    lines.append(',\n'.join(f'    {json.dumps(kind)}: "{"".join(one["defaults"][kind] for one in found)}"' for kind in wanted['defaults']))
    lines += ['  },', '  "around": {']
    rows = []
    for kind, about in wanted['around'].items():
        changes, last = {}, '.'
        for (version, _), one in zip(given, found):
            if one['around'][kind] != last:
                changes[version] = last = one['around'][kind]
        rows.append(f'    {json.dumps(kind)}: {json.dumps(about | {"answers": changes})}')
    lines += [',\n'.join(rows), '  }']
    RESULT.write_text('{\n' + '\n'.join(lines) + '\n}\n')


if __name__ == '__main__':
    main()
