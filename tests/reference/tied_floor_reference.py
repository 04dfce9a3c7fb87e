#!/usr/bin/env python3
"""The lowest loss of tied direct paths of every width on the pairs of short texts, in PyTorch: the reference of tests/cpp/direct_path.

    python3 tests/reference/tied_floor_reference.py > tests/reference/tied_floor_reference.h

Independent of the C++ core: automatic gradients of the loss of a whole table [V, V] with a bias, in double precision, and PyTorch's L-BFGS with a line search
for the strong Wolfe conditions, from three starts. A minimum is accepted as the optimum if the three agree and if the table of pairs that it predicts
satisfies the conditions of optimality: its margins are those of the text, and its symmetric part minus the text's has no eigenvalue below -1e-8.
Texts end where they began, so that an optimum exists. Written with PyTorch 1.13 (Debian's python3-torch).
"""
import torch

LETTERS = ["abracadabra", "mississippim", "banana bandanab", "she sells sea shells by the sea shores", "aabbccaabbcca",
           "to be or not to be that is the question t"]


def counts_of(text):
    names = sorted(set(text))
    counts = torch.zeros(len(names), len(names), dtype=torch.float64)
    for first, second in zip(text, text[1:]):
        counts[names.index(first), names.index(second)] += 1
    return counts


def optimum(joint, seed):
    size = joint.shape[0]
    torch.manual_seed(seed)
    table = (0.3 * torch.randn(size, size, dtype=torch.float64)).requires_grad_()
    bias = joint.sum(0).log().requires_grad_()

    def loss_of():
        return -(joint * torch.log_softmax(table @ table.T + bias, dim=1)).sum()

    for _ in range(60):
        search = torch.optim.LBFGS([table, bias], max_iter=500, history_size=40, tolerance_grad=1e-13,
                                   tolerance_change=1e-16, line_search_fn="strong_wolfe")

        def closure():
            search.zero_grad()
            loss = loss_of()
            loss.backward()
            return loss

        search.step(closure)
    predicted = joint.sum(1, keepdim=True) * torch.softmax(table @ table.T + bias, dim=1).detach()
    difference = (predicted + predicted.T - joint - joint.T) / 2
    margins = (predicted.sum(0) - joint.sum(0)).abs().max().item()
    return loss_of().item(), margins, torch.linalg.eigvalsh(difference)[0].item()


def main():
    print("// Made by tied_floor_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off\n#pragma once\n\n#include <cstddef>\n\nnamespace tied::tied_floor_reference {\n")
    found = []
    for index, text in enumerate(LETTERS):
        assert text[0] == text[-1], text
        counts = counts_of(text)
        ends = [optimum(counts / counts.sum(), seed) for seed in range(3)]
        losses = [loss for loss, _, _ in ends]
        assert max(losses) - min(losses) < 5e-7, (text, ends)
        assert all(margins < 1e-7 and least > -1e-7 for _, margins, least in ends), (text, ends)
        numbers = ",".join(str(int(count)) for count in counts.flatten().tolist())
        print(f"inline constexpr float kCounts{index}[] = {{{numbers}}};  // {text}")
        found.append((len(counts), min(losses)))
    print("\n// `optimum`: to 1e-6, nats per token.")
    print("struct Text {\n  std::size_t size;\n  const float* counts;\n  double optimum;\n};\n")
    print("inline constexpr Text kTexts[] = {")
    for index, (size, loss) in enumerate(found):
        print(f"    {{{size}, kCounts{index}, {loss:.9f}}},")
    print("};\n\n}  // namespace tied::tied_floor_reference")


if __name__ == "__main__":
    main()
