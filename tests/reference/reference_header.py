"""Shared by the headers of variants of transformer_reference.py: the details of some runs, and the losses of all runs."""
import transformer_reference as base


def print_runs(runs, fields, details, train):
    """`details(run)` returns logits and gradients by name, `train(run)` the losses; `fields` are those of struct Run, with their types."""
    print("struct Details {\n  const double* logits;\n  const Gradient* gradients;\n  std::size_t n_gradients;\n};\n")
    for index, run in enumerate(runs):
        if run["detail"]:
            print_details(index, *details(run))
    print("struct Run {")
    for name, kind in fields.items():
        print(f"  {kind} {name};")
    print("  const Details* details;\n  double losses[transformer_reference::kSteps];\n};\n")
    print("inline constexpr Run kRuns[] = {")
    for index, run in enumerate(runs):
        values = ", ".join(base.literal(run[name]) for name in fields)
        detail = f"&kDetails{index}" if run["detail"] else "nullptr"
        print(f"  {{{values}, {detail},\n   {{{base.numbers(train(run))}}}}},")


def print_details(index, logits, gradients):
    print(f"inline constexpr double kLogits{index}[] = {{{base.numbers(logits.flatten().tolist())}}};")
    for k, gradient in enumerate(gradients.values()):
        print(f"inline constexpr double kGradient{index}x{k}[] = {{{base.numbers(gradient.flatten().tolist())}}};")
    print(f"inline constexpr Gradient kGradients{index}[] = {{")
    for k, (name, gradient) in enumerate(gradients.items()):
        print(f'    {{"{name}", kGradient{index}x{k}, {gradient.numel()}}},')
    print("};")
    print(f"inline constexpr Details kDetails{index} = {{kLogits{index}, kGradients{index}, {len(gradients)}}};\n")
