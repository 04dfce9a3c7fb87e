"""Small tables packed by the quantizers' own code, with the rows that it makes of them again. Needs numpy, PyTorch 1.13 or later, and the sources of
AutoGPTQ 0.8.0.dev0 (9f7d370), AutoAWQ 0.2.9 (88e4c76), bitsandbytes 0.50.2.dev0 (95f9af30) and compressed-tensors (ac8e2ba8), of which only the
packing is run: what a processor without a graphics card cannot import is replaced by an empty module.

usage: python3 packed_tables.py AUTO_GPTQ AUTO_AWQ BITSANDBYTES COMPRESSED_TENSORS OUT.json    the folders of the sources
"""

import base64
import contextlib
import hashlib
import importlib.util
import json
import os
import sys
import types

import numpy as np
import torch


class Anything(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def stub(*names):
    for name in names:
        sys.modules.setdefault(name, Anything(name))


def module_of(name, *path):
    spec = importlib.util.spec_from_file_location(name, os.path.join(*path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def stored(tensor, dtype):
    tensor = tensor.detach().contiguous()
    data = (tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor).numpy().tobytes()
    return {"dtype": dtype, "shape": list(tensor.shape), "data": base64.b64encode(data).decode()}


def case(tensors, rows):
    """Of the rows that the program reads, a hash of all, and one."""
    rows = rows.detach().contiguous().numpy().astype("<f4") + np.float32(0)
    return {
        "tensors": tensors,
        "shape": list(rows.shape),
        "sha256": hashlib.sha256(rows.tobytes()).hexdigest(),
        "row5": [float(value) for value in rows[5]],
    }


def linear(tokens, width, seed):
    torch.manual_seed(seed)
    layer = torch.nn.Linear(width, tokens, bias=False)
    layer.weight.data = torch.randn(tokens, width) * torch.rand(tokens, 1) + 0.1
    return layer


def affine(weights, bits, groups, of):
    """Scales of 16 bits and zero points of [tokens, groups], at least 1, because AutoGPTQ stores them less one."""
    most = 2**bits - 1
    scales, zeros = [], []
    for group in range(groups):
        some = weights[:, of == group]
        least, largest = some.amin(1).clamp(max=0), some.amax(1).clamp(min=0)
        scale = ((largest - least) / most).half().float()
        scales.append(scale)
        zeros.append(torch.clamp(torch.round(-least / scale), 1, most))
    return torch.stack(scales, 1), torch.stack(zeros, 1)


def gptq(folder):
    stub("transformers", "transformers.pytorch_utils")
    sys.modules["transformers"].pytorch_utils = sys.modules["transformers.pytorch_utils"]
    sys.modules["transformers.pytorch_utils"].Conv1D = type("Conv1D", (), {})
    packer = module_of("qlinear_cuda", folder, "auto_gptq/nn_modules/qlinear/qlinear_cuda.py")
    tokens, width = 64, 96
    for bits in (2, 3, 4, 8):
        for order in ("in order", "by activation", "one group"):
            size = width if order == "one group" else 32
            layer = linear(tokens, width, 10 * bits + len(order))
            of = torch.arange(width) // size
            if order == "by activation":
                of = of[torch.randperm(width)]
            scales, zeros = affine(layer.weight.data, bits, width // size, of)
            # Beyond the last level there is nothing: a clipped table packs as it is.
            most = 2**bits - 1
            low, high = -zeros[:, of] * scales[:, of], (most - zeros[:, of]) * scales[:, of]
            layer.weight.data = torch.minimum(torch.maximum(layer.weight.data, low), high)
            quantized = packer.QuantLinear(bits, size if size < width else -1, width, tokens, False, weight_dtype=torch.float32)
            quantized.pack(layer, scales, zeros.clone(), of.int())
            tensors = {
                "qweight": stored(quantized.qweight, "I32"),
                "qzeros": stored(quantized.qzeros, "I32"),
                "scales": stored(quantized.scales.half(), "F16"),
                "g_idx": stored(quantized.g_idx.int(), "I32"),
            }
            yield f"GPTQ, {bits} bits, {order}", case(tensors, quantized(torch.eye(width)).t())


class LongIndices:
    """PyTorch, but with 64 bits for numbers of 32, which old versions do not take as indices."""

    int32 = torch.long

    def __getattr__(self, name):
        return getattr(torch, name)

    def bucketize(self, values, bounds, out_int32):
        return torch.bucketize(values, bounds)


def awq(folder):
    stub("awq", "awq.utils", "awq.modules")
    sys.modules["awq.utils.module"] = types.ModuleType("awq.utils.module")
    sys.modules["awq.utils.module"].try_import = lambda name: (None, "")
    sys.modules["awq.utils.utils"] = types.ModuleType("awq.utils.utils")
    sys.modules["awq.utils.utils"].get_best_device = lambda: "cpu"
    packing = module_of("awq.utils.packing_utils", folder, "awq/utils/packing_utils.py")
    packing.torch = LongIndices()
    gemm = module_of("awq_gemm", folder, "awq/modules/linear/gemm.py")
    for tokens, width, size in ((64, 96, 32), (32, 128, 128)):
        layer = linear(tokens, width, tokens)
        scales, zeros = affine(layer.weight.data, 4, width // size, torch.arange(width) // size)
        made = gemm.WQLinear_GEMM.from_linear(layer, 4, size, scales=scales.t().contiguous(), zeros=zeros.t().contiguous())
        # Its rows are products of 16 bits; the same products are exact in 32.
        rows = packing.dequantize_gemm(made.qweight, made.qzeros, made.scales.float(), 4, size).t()
        tensors = {"qweight": stored(made.qweight, "I32"), "qzeros": stored(made.qzeros, "I32"), "scales": stored(made.scales, "F16")}
        yield f"AWQ, {tokens} x {width}, groups of {size}", case(tensors, rows)


def awq_gemv(folder):
    """Its kernels need a graphics card: the rows are the numbers that its packing was given."""
    gemv = module_of("awq_gemv", folder, "awq/modules/linear/gemv.py")
    for tokens, width, size in ((16, 96, 32), (8, 256, 128), (16, 512, 64)):
        layer = linear(tokens, width, tokens)
        scales, zeros = affine(layer.weight.data, 4, width // size, torch.arange(width) // size)
        of = torch.arange(width) // size
        wide, low = scales[:, of], zeros[:, of]
        layer.weight.data = torch.minimum(torch.maximum(layer.weight.data, -low * wide), (15 - low) * wide)
        made = gemv.WQLinear_GEMV.from_linear(layer, 4, size, scales=scales, zeros=zeros)
        rows = (torch.round((layer.weight.data + low * wide) / wide) - low) * wide
        tensors = {"qweight": stored(made.qweight, "I32"), "qzeros": stored(made.qzeros, "I32"), "scales": stored(made.scales, "F16")}
        yield f"AWQ, gemv, {tokens} x {width}, groups of {size}", case(tensors, rows)


def compressed_tensors(folder):
    root = os.path.join(folder, "src")
    for name in ("", ".utils", ".quantization", ".quantization.lifecycle", ".compressors", ".compressors.pack_quantized", ".compressors.nvfp4"):
        package = types.ModuleType("compressed_tensors" + name)
        package.__path__ = [os.path.join(root, *package.__name__.split("."))]
        sys.modules[package.__name__] = package
    stub("loguru")
    sys.modules["loguru"].logger = types.SimpleNamespace(warning=lambda *_: None)
    # Rounding of integers, as its own, without the library that checks the arguments.
    arguments = Anything("compressed_tensors.quantization.quant_args")
    arguments.round_to_quantized_type_args = lambda tensor, args, min, max: torch.round(torch.clamp(tensor, min, max))
    sys.modules[arguments.__name__] = arguments
    stub("compressed_tensors.quantization.utils", "compressed_tensors.quantization.utils.fp4_utils")
    importlib.import_module("compressed_tensors.utils.triton").HAS_TRITON = False
    steps = importlib.import_module("compressed_tensors.quantization.lifecycle.forward_helpers")
    packing = importlib.import_module("compressed_tensors.compressors.pack_quantized.helpers")
    floats = importlib.import_module("compressed_tensors.compressors.nvfp4.helpers")
    exponents = importlib.import_module("compressed_tensors.compressors.mx_utils")

    def table(tokens, width, bits, size, symmetric, kind, order):
        layer = linear(tokens, width, 100 * bits + size + symmetric)
        weights = layer.weight.data
        groups = width // size
        of = torch.arange(width) // size
        if order:
            of = of[torch.randperm(width)]
        half = 2 ** (bits - 1)
        scales, zeros = affine(weights, bits, groups, of)
        zeros = torch.zeros_like(zeros) if symmetric else zeros - half
        if symmetric:
            scales = torch.stack([weights[:, of == g].abs().amax(1) / (half - 0.5) for g in range(groups)], 1)
        scales = scales.to(kind).float()
        ends = (torch.tensor(-float(half)), torch.tensor(float(half - 1)))
        group = types.SimpleNamespace(group_size=size)
        listed = of.int() if order else None
        numbers = steps._process_group(weights, scales, zeros, group, *ends, torch.int8, True, False, listed, None)
        rows = steps._process_group(numbers, scales, zeros, group, *ends, torch.float32, False, True, listed, None)
        return numbers, scales.to(kind), zeros.to(torch.int8), listed, rows

    names = {torch.float16: "F16", torch.bfloat16: "BF16", torch.float32: "F32"}
    for tokens, width, bits, size, symmetric, kind, order in (
        (20, 96, 4, 32, True, torch.bfloat16, False),
        (20, 96, 4, 32, False, torch.float16, False),
        (22, 72, 4, 72, False, torch.bfloat16, False),
        (18, 64, 8, 64, True, torch.float32, False),
        (18, 64, 8, 16, False, torch.bfloat16, True),
        (20, 96, 4, 16, True, torch.float16, True),
        (22, 72, 3, 24, False, torch.bfloat16, False),
        (21, 65, 5, 65, False, torch.float16, False),
    ):
        numbers, scales, zeros, order, rows = table(tokens, width, bits, size, symmetric, kind, order)
        tensors = {
            "weight_packed": stored(packing.pack_to_int32(numbers, bits), "I32"),
            "weight_scale": stored(scales, names[kind]),
            "weight_shape": stored(torch.tensor(rows.shape), "I64"),
        }
        if not symmetric:
            tensors["weight_zero_point"] = stored(packing.pack_to_int32(zeros, bits, packed_dim=0), "I32")
        if order is not None:
            tensors["weight_g_idx"] = stored(order, "I32")
        read = packing.unpack_from_int32(packing.pack_to_int32(numbers, bits), bits, rows.shape)
        assert torch.equal(read, numbers)
        way = f"groups of {size}{', by activation' if order is not None else ''}{'' if symmetric else ', with zero points'}"
        yield f"compressed-tensors, {bits} bits, {tokens} x {width}, {way}", case(tensors, rows)

    for tokens, width, size, symmetric, kind in ((20, 65, 65, True, torch.bfloat16), (20, 96, 32, False, torch.float32)):
        numbers, scales, zeros, _, rows = table(tokens, width, 8, size, symmetric, kind, False)
        tensors = {"weight": stored(numbers, "I8"), "weight_scale": stored(scales, names[kind])}
        if not symmetric:
            tensors["weight_zero_point"] = stored(zeros, "I8")
        yield f"compressed-tensors, int8, {tokens} x {width}, groups of {size}", case(tensors, rows)

    torch.manual_seed(4)
    tokens, width = 12, 96
    levels = floats.kE2M1ToFloat[torch.randint(8, (tokens, width))] * (2 * torch.randint(2, (tokens, width)) - 1)
    scales = torch.exp2(torch.randint(-9, 3, (tokens, width // 32)).float())
    packed = floats.pack_fp4_to_uint8(levels)
    read = floats.unpack_fp4_from_uint8(packed, tokens, width, torch.float32)
    exact = exponents.decompress_mx_scale(exponents.compress_mx_scale(scales, torch.uint8)).float()
    tensors = {
        "weight_packed": stored(packed, "U8"),
        "weight_scale": stored(exponents.compress_mx_scale(scales, torch.uint8), "U8"),
    }
    yield "compressed-tensors, MXFP4", case(tensors, read * exact.repeat_interleave(32, 1))


def bitsandbytes(folder):
    root = os.path.join(folder, "bitsandbytes")
    for name in ("bitsandbytes", "bitsandbytes.backends", "bitsandbytes.backends.default"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [os.path.join(root, *name.split(".")[1:])]
    operations = types.SimpleNamespace()

    def register_kernel(name, _):
        def register(function):
            setattr(operations, name.split("::")[1].replace(".", "_"), types.SimpleNamespace(default=function))
            return function

        return register

    sys.modules["bitsandbytes._ops"] = types.ModuleType("bitsandbytes._ops")
    sys.modules["bitsandbytes._ops"].register_kernel = register_kernel
    sys.modules["typing_extensions"].deprecated = lambda *_, **__: lambda function: function
    sys.modules["bitsandbytes.cextension"] = Anything("bitsandbytes.cextension")
    torch.ops.bitsandbytes = operations
    torch.compile = lambda function=None, **_: function
    functional = module_of("bitsandbytes.functional", root, "functional.py")
    # What old versions of PyTorch lack is in operations further down, which are not used.
    with contextlib.suppress(AttributeError):
        module_of("bitsandbytes.backends.default.ops", root, "backends/default/ops.py")
    sys.modules["bitsandbytes.backends.default.ops"].torch = LongIndices()
    for kind in ("nf4", "fp4"):
        for nested in (False, True):
            rows, width = (72, 240) if nested and kind == "nf4" else (24, 65)
            layer = linear(rows, width, rows + len(kind))
            packed, state = functional.quantize_4bit(layer.weight.data, compress_statistics=nested, quant_type=kind)
            tensors = {"weight": stored(packed, "U8")}
            for own, tensor in state.as_dict(packed=True).items():
                tensors[f"weight.{own}"] = stored(tensor, "F32" if tensor.dtype == torch.float32 else "U8")
            name = f"bitsandbytes, {kind}{', doubly' if nested else ''}"
            yield name, case(tensors, functional.dequantize_4bit(packed, state))
    layer = linear(24, 65, 1)
    numbers, sizes, _ = operations.int8_vectorwise_quant.default(layer.weight.data.clone())
    tensors = {"weight": stored(numbers, "I8"), "SCB": stored(sizes, "F32"), "weight_format": stored(torch.zeros((), dtype=torch.uint8), "U8")}
    # The kernel of bitsandbytes' `_ops`: numbers times sizes, times 1/127.
    yield "bitsandbytes, int8", case(tensors, numbers * sizes.view(-1, 1) * 7.874015718698502e-3)


def main():
    auto_gptq, auto_awq, bits_and_bytes, tensors, out = sys.argv[1:6]
    cases = {}
    for made in (gptq(auto_gptq), awq(auto_awq), awq_gemv(auto_awq), bitsandbytes(bits_and_bytes), compressed_tensors(tensors)):
        cases.update(made)
    with open(out, "w", encoding="utf-8") as file:
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in cases.items())
        file.write("{\n" + lines + "\n}\n")


main()
