// replay --pytorch for a figure that measures: a script that reads the same models or tokens, measures them independently and
// compares.
import { basename, dirname, join } from 'node:path';
import { Refusal } from './exit-codes.mjs';
import { writeWhole } from './files.mjs';
import { npyOf } from './npy.mjs';
import { pythonLiteral } from './pytorch.mjs';
import { forward } from './pytorch-models.mjs';
import { asking } from './pytorch-parts.mjs';

/** Both sum in single precision, in different orders; counts of a text are exact except for double-precision rounding. */
const tolerances = { alignment: 1e-5, states: 1e-4, lens: 1e-4, pairs: 1e-9 };

/** The settings of models that the script's forward pass supports. */
const understood = {
  norm: 'rms-norm',
  feedForward: 'gelu',
  positions: 'learned',
  finalNorm: true,
  biases: 'feed-forward',
};

const imports = String.raw`import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
`;

const reading = String.raw`
# ---------------------------------------------------------------- the file


def read_models():
    """The tensors of a safetensors file: the length of its header, the header, then their bytes."""
    data = Path(__file__).with_name(RECORD["models"]).read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    types = {"F32": "<f4", "F16": "<f2"}
    tensors = {}
    for name, entry in json.loads(data[8:begin]).items():
        if name == "__metadata__" or entry["dtype"] not in types:
            continue
        first, last = (begin + offset for offset in entry["data_offsets"])
        values = np.frombuffer(data[first:last], types[entry["dtype"]]).astype(np.float32)
        tensors[name] = torch.from_numpy(values).reshape(entry["shape"])
    return tensors


def parameters_of(tensors, model):
    p = {name[len(model) + 1 :]: values for name, values in tensors.items() if name.startswith(model + ".")}
    p.setdefault("unembedding", p["embedding"])
    return p
`;

const alignment = String.raw`
# ---------------------------------------------------------------- what is measured


def measured():
    tensors = read_models()
    tables = {"tied": "tied.embedding", "reading": "untied.embedding", "writing": "untied.unembedding"}
    for source, target in (("writing", "tied"), ("reading", "tied"), ("reading", "writing")):
        x, y = tensors[tables[source]].double(), tensors[tables[target]].double()
        if RECORD["center"]:
            x, y = x - x.mean(0), y - y.mean(0)
        if RECORD["method"] == "linear":
            x = x @ torch.linalg.lstsq(x, y).solution
        if RECORD["method"] == "orthogonal":
            u, _, v = torch.linalg.svd(x.T @ y)
            x = x @ u @ v
        yield f"{source} to {target}, cosine", F.cosine_similarity(x, y, dim=1).mean().item()
`;

const states = String.raw`
# ---------------------------------------------------------------- what is measured


def measured():
    tensors, ids = read_models(), torch.tensor(RECORD["ids"])
    for name, model, table in (("tied", "tied", "unembedding"), ("writing", "untied", "unembedding"), ("reading", "untied", "embedding")):
        m, p = RECORD["configs"][model], parameters_of(tensors, model)
        last = states_of(m, p, ids[None])[-1]
        h = (norm(m, p, last, "final_norm") if RECORD["place"] == "after" else last)[0]
        target = ids[1:] if RECORD["target"] == "next" else head_of(m, p, last)[0].argmax(-1)
        h, rows = h[: len(target)], p[table][target]
        along = (h * rows).sum(-1) / rows.norm(dim=-1)
        beside = (h - (along / rows.norm(dim=-1))[:, None] * rows).norm(dim=-1)
        for position, (a, b) in enumerate(zip(along.tolist(), beside.tolist()), 1):
            yield f"{name}, position {position}, cosine", a / math.hypot(a, b)
`;

/** Sequences begin at multiples of the golden ratio, as trainTunedLens draws them. */
const translators = String.raw`
# ---------------------------------------------------------------- the translators


def trained_translators(m, p, text, stop):
    """For each layer except the last, the map A and the shift b that bring the prediction from h + hA + b closest to the
    model's own, and how close they were at each step."""
    budget, history = RECORD["translators"], []
    d, steps, length = m["dModel"], budget["steps"], min(m["contextLength"], len(text))
    sequences = max(1, math.floor(budget["tokensPerStep"] / length + 0.5))
    places = len(text) - length + 1
    maps = [(torch.zeros(d, d, requires_grad=True), torch.zeros(d, requires_grad=True)) for _ in range(m["nLayers"])]
    adam = torch.optim.Adam([x for pair in maps for x in pair], eps=1e-8)
    for step in range(stop):
        index = range(step * sequences, (step + 1) * sequences)
        begin = [((i + 1) * 0x9E3779B9 + budget["seed"]) % 2**32 * places // 2**32 for i in index]
        states = states_of(m, p, torch.stack([text[b : b + length] for b in begin]))
        last = F.log_softmax(head_of(m, p, states[-1]), dim=-1)
        lenses = [F.log_softmax(head_of(m, p, h + h @ A + b), dim=-1) for h, (A, b) in zip(states, maps)]
        apart = torch.stack([(last.exp() * (last - lens)).sum(-1).mean() for lens in lenses])
        history.append((apart / math.log(2)).tolist())
        adam.zero_grad()
        apart.sum().backward()
        for group in adam.param_groups:
            group["lr"] = budget["learningRate"] * (1 - step / steps)
        adam.step()
    return [(A.detach(), b.detach()) for A, b in maps], history
`;

const lens = String.raw`
# ---------------------------------------------------------------- what is measured


def measured():
    tensors, ids = read_models(), torch.tensor(RECORD["ids"])
    for model in ("tied", "untied"):
        m, p = RECORD["configs"][model], parameters_of(tensors, model)
        states = states_of(m, p, ids[None])
        if "translators" in RECORD:
            print(f"training translators of the {model} model")
            text = torch.from_numpy(np.load(Path(__file__).with_name(RECORD["training"])).astype(np.int64))
            stop = steps_asked(RECORD["translators"]["steps"])
            maps, history = trained_translators(m, p, text, stop)
            for step, apart in enumerate(history, 1):
                if step <= 5 or step % 10 == 0:
                    for layer, value in enumerate(apart):
                        yield f"{model}, step {step}, layer {layer}, mean bits", value
            if stop < RECORD["translators"]["steps"]:
                continue
            for layer, (A, b) in enumerate(maps):
                states[layer] = states[layer] + states[layer] @ A + b
        read = [F.log_softmax(head_of(m, p, h)[0].double(), dim=-1) for h in states]
        for layer, q in enumerate(read):
            bits = (read[-1].exp() * (read[-1] - q)).sum(-1) / math.log(2)
            for position, value in enumerate(bits.tolist(), 1):
                yield f"{model}, layer {layer}, position {position}, bits", value
`;

const pairs = String.raw`
# ---------------------------------------------------------------- what is measured


def measured():
    ids = torch.from_numpy(np.load(Path(__file__).with_name(RECORD["tokens"])).astype(np.int64))
    V = int(ids.max()) + 1
    joint = torch.bincount(ids[:-1] * V + ids[1:], minlength=V * V).reshape(V, V).double()
    joint /= joint.sum()
    there = joint > 0
    other = joint.T[there]
    joint_there = joint[there]
    yield "Jensen-Shannon divergence", (joint_there * (2 * joint_there / (joint_there + other)).log()).sum().item()
    apart = (joint.sum(1, keepdim=True) * joint.sum(0, keepdim=True))[there]
    yield "mutual information", (joint_there * (joint_there / apart).log()).sum().item()
`;

const comparison = String.raw`
# ---------------------------------------------------------------- comparison

if __name__ == "__main__":
    here = dict(measured())
    # After only the first steps, later values are not measured.
    wanted = {name: value for name, value in RECORD["values"].items() if name in here}
    worst = 0.0
    for name, recorded in wanted.items():
        difference = abs(here[name] - recorded)
        worst = max(worst, difference)
        note = "" if difference <= RECORD["tolerance"] else f", more than {RECORD['tolerance']}"
        print(f"{name}: recorded {recorded:.6f}  here {here[name]:.6f}  difference {difference:.1e}{note}")
    complete = 0 < len(here) == len(wanted) and (len(sys.argv) > 1 or len(wanted) == len(RECORD["values"]))
    agrees = complete and worst <= RECORD["tolerance"]
    print(f"largest difference {worst:.1e}; tolerance {RECORD['tolerance']}")
    print("the values agree" if agrees else "THE VALUES DIFFER")
    sys.exit(0 if agrees else 1)
`;

const parts = {
  alignment: [reading, alignment],
  states: [reading, forward, states],
  lens: [reading, forward, asking, translators, lens],
  pairs: [pairs],
};

/** @param {string} file */
export function checkMeasureScript(file) {
  if (!file.endsWith('.py')) throw new Refusal(`--pytorch is '${file}'; expected a name that ends with .py`);
}

/**
 * @param {string} file @param {string} link
 * @param {import('./command-parts.js').MeasuredAnew} anew What the script needs, and the values that it should find.
 * @param {Uint8Array} models For a figure that measures models.
 * @returns {string[]} The files written.
 */
export function writeMeasureScript(file, link, { kind, ids, training, values, ...more }, models) {
  for (const [model, config] of Object.entries(more.configs ?? {})) {
    const other = Object.keys(understood).find((name) => config[name] !== understood[name]);
    if (other !== undefined) {
      throw new Refusal(
        `--pytorch was given, and the ${model} model has ${other} ${JSON.stringify(config[other])}; expected ${JSON.stringify(understood[other])}`,
      );
    }
  }
  const stem = basename(file, '.py');
  const tokens = `${stem}.tokens.npy`;
  const beside = kind === 'pairs' ? tokens : `${stem}.models.safetensors`;
  const record = {
    link,
    ...(kind === 'pairs'
      ? { tokens: beside }
      : { models: beside, ...(ids === undefined ? {} : { ids: Array.from(ids) }) }),
    ...more,
    ...(training === undefined ? {} : { training: tokens }),
    tolerance: tolerances[kind],
    values,
  };
  const fields = Object.entries(record).map(([name, value]) => ` ${pythonLiteral(name)}: ${pythonLiteral(value)}`);
  const script = [
    about(beside),
    imports,
    `\nRECORD = json.loads(r'''{\n${fields.join(',\n')} }''')\n`,
    ...parts[kind],
    comparison,
  ];
  const other = join(dirname(file), beside);
  writeWhole(other, kind === 'pairs' ? npyOf(Uint16Array.from(ids)) : models);
  const texts = training === undefined ? [] : [join(dirname(file), tokens)];
  for (const text of texts) writeWhole(text, npyOf(Uint16Array.from(training)));
  writeWhole(file, script.join(''));
  return [file, other, ...texts];
}

const about = (
  beside,
) => `"""Repeats in PyTorch the measurement that a figure's link leads to, and compares the values with those that tied-embeddings recorded.

It reads ${beside}, beside it. Needs Python 3.8, NumPy and PyTorch 1.13 or later. If it trains translators of a lens, a number after
the script's name compares only that many steps. Exit code 1 means that a value differs by more than the tolerance.
"""

`;
