#!/usr/bin/env python3
"""One position of a tied model, by PyTorch: the reference of tests/web/article/worked-position.test.ts.

The logits, the probabilities, the loss and the gradient of the table by role, of the toy of the article and of drawn ones. Computed
by automatic differentiation in double precision; the table and what the layers add are in tenths, as in the figure.

    python3 tests/reference/worked_position_reference.py > tests/reference/worked_position_reference.json

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import json
import random

import torch

VOCAB, WIDTH, DRAWN = 7, 4, 5
TOY = {
    "table": [-4, -2, 9, 3, 9, 2, -3, 5, -2, 10, -1, 4, -5, 1, 7, -6, 8, -3, 1, -7, 9, 4, -4, -1, -1, 9, -4, -3],
    "layers": [19, 6, -13, 7],
    "read": 0,
    "target": 1,
}


def drawn(seed):
    draw = random.Random(seed)
    return {
        "table": [draw.randint(-20, 20) for _ in range(VOCAB * WIDTH)],
        "layers": [draw.randint(-10, 10) for _ in range(WIDTH)],
        "read": draw.randrange(VOCAB),
        "target": draw.randrange(VOCAB),
    }


def worked(position):
    table = (torch.tensor(position["table"], dtype=torch.float64) / 10).reshape(VOCAB, WIDTH)
    layers = torch.tensor(position["layers"], dtype=torch.float64) / 10
    embedding = torch.nn.Embedding(VOCAB, WIDTH, dtype=torch.float64)
    head = torch.nn.Linear(WIDTH, VOCAB, bias=False, dtype=torch.float64)
    head.weight = embedding.weight
    with torch.no_grad():
        embedding.weight.copy_(table)
    row = embedding(torch.tensor([position["read"]]))
    hidden = row + layers
    logits = head(hidden)
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor([position["target"]]))
    (back,) = torch.autograd.grad(loss, row, retain_graph=True)
    loss.backward()
    # The roles apart, from a twin with two tables.
    entrance = table.clone().requires_grad_()
    exit = table.clone().requires_grad_()
    apart = torch.nn.functional.cross_entropy(
        (entrance[[position["read"]]] + layers) @ exit.T, torch.tensor([position["target"]]))
    apart.backward()
    numbers = lambda tensor: [round(one, 12) for one in tensor.detach().flatten().tolist()]
    return {
        **position,
        "hidden": numbers(hidden),
        "logits": numbers(logits),
        "probabilities": numbers(logits.softmax(-1)),
        "loss": numbers(loss)[0],
        "back": numbers(back),
        "reading": numbers(entrance.grad),
        "writing": numbers(exit.grad),
        "total": numbers(embedding.weight.grad),
    }


lines = ",\n  ".join(json.dumps(worked(position)) for position in [TOY, *map(drawn, range(DRAWN))])
made_by = f"worked_position_reference.py with PyTorch {torch.__version__.split('+')[0]}; not edited by hand"
print(f'{{"madeBy": {json.dumps(made_by)},\n "positions": [\n  {lines}\n ]}}')
