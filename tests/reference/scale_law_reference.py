#!/usr/bin/env python3
"""The laws of what one table costs by width and vocabulary, fitted by scipy: the reference of tests/web/claims/scale-law.test.ts.

    python3 tests/reference/scale_law_reference.py > tests/reference/scale_law.json

Reads the costs by seed of claims/outcomes/scale-plays.json and scale-novels.json, as far as they have been run. Written with numpy 1.24 and scipy 1.10.
"""
import json
import pathlib

import numpy as np
from scipy import optimize, stats

OUTCOMES = pathlib.Path(__file__).parents[2] / "claims/outcomes"
LAWS = {
    "constant": lambda x, a: a + 0 * x[0],
    "ratio": lambda x, a, b: a + b * np.log2(x[1] / x[0]),
    "plane": lambda x, a, b, c: a + b * np.log2(x[0]) + c * np.log2(x[1]),
    "twisted": lambda x, a, b, c, e: a + b * np.log2(x[0]) + c * np.log2(x[1]) + e * np.log2(x[0]) * np.log2(x[1]),
    "power": lambda x, a, b, c: np.exp(a) * x[0] ** b * x[1] ** c,
}
STARTS = {"constant": [0], "ratio": [0, 0], "plane": [0, 0, 0], "twisted": [0, 0, 0, 0], "power": [-2, -0.3, 0.1]}


def cells_of(text):
    outcome = json.loads((OUTCOMES / f"scale-{text}.json").read_text())
    points = next(claim for claim in outcome["claims"] if claim["id"] == "one-table-costs")["points"]
    places = np.array([[one["point"]["model.dModel"], one["point"]["tokenizer.vocabSize"]] for one in points], float)
    return places.T, np.array([one["values"] for one in points])


def fit(law, places, costs):
    found, _ = optimize.curve_fit(LAWS[law], places, costs, STARTS[law], ftol=1e-15, xtol=1e-15, gtol=1e-15,
                                  maxfev=100000)
    return found


def of_text(text):
    places, costs = cells_of(text)
    means, laws = costs.mean(axis=1), {}
    for law in LAWS:
        left_out = []
        for i in range(len(means)):
            others = np.arange(len(means)) != i
            found = fit(law, places[:, others], means[others])
            left_out.append(float(LAWS[law](places[:, i : i + 1], *found)[0] - means[i]))
        by_seed = np.array([fit(law, places, costs[:, seed]) for seed in range(costs.shape[1])])
        n = len(by_seed)
        half = stats.t.ppf(0.975, n - 1) * by_seed.std(axis=0, ddof=1) / np.sqrt(n)
        laws[law] = {"parameters": fit(law, places, means).tolist(), "leftOut": left_out,
                     "mean": by_seed.mean(axis=0).tolist(), "halfWidth": half.tolist()}
    return laws


run = [text for text in ("plays", "novels") if (OUTCOMES / f"scale-{text}.json").exists()]
print(json.dumps({text: of_text(text) for text in run}, indent=1))
